package trace

import (
	"strings"
	"time"

	"github.com/tfsim/tfsim/core"
)

// azure reads the Azure LLM inference traces. Those of 2023 have times such as
// 2023-11-16 18:15:46.6805900, those of 2024 such as
// 2024-05-10 00:00:00.009930+00:00.
type azure struct{ table }

func newAzure(r *rows) source {
	return &azure{table{rows: r, format: Azure, columns: []string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}}}
}

func (a *azure) next(r *Request) error {
	row, err := a.table.next()
	if err != nil {
		return err
	}
	if r.At, err = moment(row[0]); err != nil {
		return err
	}
	if r.Prompt, err = tokens("ContextTokens", row[1]); err != nil {
		return err
	}
	r.Output, err = tokens("GeneratedTokens", row[2])
	return err
}

func (a *azure) place() int { return a.line }

// moment reads a date and time of day with any fraction of a second, cut to
// microseconds; without a zone it is UTC.
func moment(text string) (core.Micros, error) {
	const date, clock, zone = "2006-01-02", "15:04:05", "Z07:00"
	layout := date + " " + clock
	if len(text) > len(date) && text[len(date)] == 'T' {
		layout = date + "T" + clock
	}
	if len(text) > len(layout) && strings.ContainsAny(text[len(layout):], "+-Z") {
		layout += zone
	}
	t, err := time.Parse(layout, text)
	if err != nil || t.Year() < 1900 || t.Year() > 2999 {
		return 0, wrong("TIMESTAMP is no time", blank(text), "a time such as 2024-05-10 00:00:00.009930+00:00")
	}
	return core.Micros(t.UnixMicro()), nil
}
