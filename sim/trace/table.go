package trace

import (
	"slices"
	"strconv"
	"strings"
)

// table reads CSV whose header names the columns; their order is free, and
// columns that nobody asks for are passed over.
type table struct {
	*rows
	format  Format
	columns []string // those wanted
	places  []int    // of each in a row
	width   int
	row     []string
	wanted  []string
}

// next gives the wanted fields of the next row, until the call after it.
func (t *table) next() ([]string, error) {
	if t.places == nil {
		if err := t.header(); err != nil {
			return nil, err
		}
	}
	line, err := t.rows.next()
	if err != nil {
		return nil, err
	}
	if t.row, err = fields(line, t.row); err != nil {
		return nil, err
	}
	if len(t.row) != t.width {
		return nil, wrong("a row of "+strconv.Itoa(len(t.row))+" fields", string(line), "the header has %d", t.width)
	}
	t.wanted = t.wanted[:0]
	for _, p := range t.places {
		t.wanted = append(t.wanted, t.row[p])
	}
	return t.wanted, nil
}

func (t *table) header() error {
	line, err := t.rows.next()
	if err != nil {
		return err
	}
	names, err := fields(line, nil)
	if err != nil {
		return err
	}
	t.width = len(names)
	for _, c := range t.columns {
		at := slices.Index(names, c)
		if at < 0 {
			return wrong("the header lacks "+c, string(line), "%s has the columns %s", t.format, strings.Join(t.columns, ", "))
		}
		t.places = append(t.places, at)
	}
	return nil
}

// tokens reads a length; 0 is one, too.
func tokens(name, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > mostTokens {
		return 0, wrong(name+" is no number of tokens", blank(text), "a whole number from 0 to %d", mostTokens)
	}
	return n, nil
}

// blank shows that there is nothing.
func blank(text string) string {
	if text == "" {
		return "blank"
	}
	return text
}
