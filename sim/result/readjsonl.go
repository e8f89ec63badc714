package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tfsim/tfsim/core"
)

// Line is an event as read back, with the name of its request.
type Line struct {
	core.Event
	// Request is empty where the writer gave no name.
	Request string
}

// line is the JSON form of a Line, or of a Head.
type line struct {
	Run      *Head       `json:"run"`
	At       core.Micros `json:"at_us"`
	Event    kind        `json:"event"`
	ID       core.ID     `json:"id"`
	Request  string      `json:"request"`
	Slot     *int        `json:"slot"`
	From     int         `json:"from"`
	Rows     int         `json:"rows"`
	Windows  int         `json:"windows"`
	Launches int         `json:"launches"`
	Drafts   int         `json:"drafts"`
	Kept     int         `json:"kept"`
	Tokens   int         `json:"tokens"`
	Total    int         `json:"total"`
	Price    core.Nanos  `json:"price_ns"`
	Wall     core.Micros `json:"wall_us"`
	Device   core.Micros `json:"device_us"`
	Owed     core.Micros `json:"owed_us"`
	Beside   bool        `json:"beside"`
	Last     bool        `json:"last"`
	Reason   string      `json:"reason"`
}

// kind is an event kind by its name.
type kind struct {
	value core.EventKind
	given bool
}

var kindsByName = func() map[string]core.EventKind {
	m := make(map[string]core.EventKind)
	for k := core.EventSubmitted; k <= core.EventWait; k++ {
		m[k.String()] = k
	}
	return m
}()

func (k *kind) UnmarshalText(b []byte) error {
	value, ok := kindsByName[string(b)]
	if !ok {
		return fmt.Errorf("unknown event %q", b)
	}
	*k = kind{value: value, given: true}
	return nil
}

// ReadJSONL reads what JSONL wrote and hands each event to fn. Blank lines and
// heads are passed over. An error of a line names its number;
// unknown keys are errors. An error of fn ends the reading and is returned.
func ReadJSONL(r io.Reader, fn func(*Line) error) error {
	return ReadRuns(r, func(Head) error { return nil }, fn)
}

// ReadRuns is ReadJSONL for one who wants to know which run the events are of:
// each head goes to begin.
func ReadRuns(r io.Reader, begin func(Head) error, fn func(*Line) error) error {
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			head, l, bad := parseLine(text)
			if bad != nil {
				return fmt.Errorf("line %d: %w", n, bad)
			}
			var stop error
			if head != nil {
				stop = begin(*head)
			} else {
				stop = fn(l)
			}
			if stop != nil {
				return stop
			}
		}
		if err != nil {
			return nil
		}
	}
}

func parseLine(text []byte) (*Head, *Line, error) {
	var l line
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the object is cut short")
		}
		return nil, nil, err
	}
	if dec.InputOffset() != int64(len(text)) {
		return nil, nil, errors.New("more than one value")
	}
	if head := (line{Run: l.Run}); l.Run != nil {
		if l != head {
			return nil, nil, errors.New(`a "run" with more beside it`)
		}
		return l.Run, nil, nil
	}
	if !l.Event.given {
		return nil, nil, errors.New(`no "event"`)
	}
	slot := -1
	if l.Slot != nil {
		slot = *l.Slot
	}
	return nil, &Line{Request: l.Request, Event: core.Event{
		At: l.At, Kind: l.Event.value, ID: l.ID, Slot: slot,
		From: l.From, Rows: l.Rows, Windows: l.Windows, Launches: l.Launches,
		Drafts: l.Drafts, Kept: l.Kept, Tokens: l.Tokens, Total: l.Total,
		Price: l.Price, Wall: l.Wall, Device: l.Device, Owed: l.Owed,
		Beside: l.Beside, Last: l.Last, Reason: l.Reason,
	}}, nil
}
