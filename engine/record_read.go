package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/internal/jsontype"
)

// Reach is how far a record goes: to its end, if it is whole.
type Reach struct {
	Whole bool
	Lines int
	At    core.Micros
}

// Short says where a record that is not whole stops.
func (r Reach) Short() string {
	return fmt.Sprintf("the record is cut short after line %d, at %.3f s", r.Lines, float64(r.At)/1e6)
}

// ReadRecord gives the first line of a record to begin, each other but the end
// to visit, and says how far the record goes. An entry is the callee's until it
// returns, what it points to for good. An error, of theirs or of a line that an
// engine would not have written there, names the line.
func ReadRecord(in io.Reader, begin, visit func(e *Entry) error) (Reach, error) {
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	var e Entry
	if err := readFirst(dec, &e); err != nil {
		return Reach{}, err
	}
	if err := begin(&e); err != nil {
		return Reach{}, atLine(1, err)
	}
	to, lines := Reach{Lines: 1}, above{submitted: map[core.ID]struct{}{}}
	for {
		e = Entry{}
		err := dec.Decode(&e)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && !to.Whole:
			return to, nil
		case to.Whole:
			err = errors.New("it is below the end; want nothing there")
		case err != nil:
			err = unread(err)
		default:
			err = lines.take(&e)
		}
		if err == nil && !e.End {
			err = visit(&e)
		}
		if errors.Is(err, errEnough) {
			return to, nil
		}
		if err != nil {
			return to, atLine(to.Lines+1, err)
		}
		to = Reach{Whole: e.End, Lines: to.Lines + 1, At: max(to.At, e.At)}
	}
}

// errEnough ends the reading of a record.
var errEnough = errors.New("enough")

// readFirst reads the configuration and the note.
func readFirst(dec *json.Decoder, e *Entry) error {
	err := dec.Decode(e)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("no record: it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the record is cut short within its first line")
	case e.Config == nil && err != nil:
		return fmt.Errorf("no record: its first line has no configuration: %w", unread(err))
	case e.Config == nil:
		return errors.New("no record: its first line has no configuration")
	case err != nil:
		return atLine(1, unread(err))
	}
	if err := e.checkFirst(); err != nil {
		return atLine(1, err)
	}
	return nil
}

func atLine(n int, err error) error { return fmt.Errorf("line %d of the record: %w", n, err) }

// unread says what was found in place of an entry, or of a field of one.
func unread(err error) error {
	var other *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &other) && other.Field == "":
		return fmt.Errorf("it is %s; want an object", jsontype.Found(other.Value))
	case errors.As(err, &other):
		return fmt.Errorf("%s is %s; want %s", other.Field, jsontype.Found(other.Value), jsontype.Wanted(other.Type))
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no JSON: %w; want one object", err)
	}
	return err
}
