package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// A record is refused with the line, what is wrong there and what would do.
func TestRecordRefused(t *testing.T) {
	const (
		first  = `{"config": {}}`
		submit = `{"at": 5, "submit": {"ID": 1, "Prompt": 9, "Output": 9}}`
		step   = `{"at": 7, "action": {"Kind": 2, "ID": 1, "Rows": 9}}`
		done   = `{"at": 9, "outcome": {"Wall": 2, "Rows": 9}}`
		end    = `{"at": 9, "end": true}`
		parts  = "want one of submit, cancel, action, outcome, change, end"
	)
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{nil, "no record: it is empty"},
		{[]string{"{}"}, "no record: its first line has no configuration"},
		{[]string{"x"}, "no record: its first line has no configuration: it is no JSON: invalid character 'x' looking for beginning of value; want one object"},
		{[]string{"[]"}, "no record: its first line has no configuration: it is an array; want an object"},
		{[]string{`{"config": 3}`}, "line 1 of the record: config is a number; want an object"},
		{[]string{`{"config": {"Lanes": "x"}}`}, "line 1 of the record: config.Lanes is a string; want a whole number of 64 bits"},
		{[]string{`{"config": {}, "end": true}`}, "line 1 of the record: it has end; want config and note alone"},
		{[]string{`{"config": {`}, "the record is cut short within its first line"},

		{[]string{first, `{"at": "x"}`}, "line 2 of the record: at is a string; want a whole number of 64 bits"},
		{[]string{first, `{"at": 1e30}`}, "line 2 of the record: at is 1e30; want a whole number of 64 bits"},
		{[]string{first, `{"cancel": -1}`}, "line 2 of the record: cancel is -1; want a whole number from 0, of 64 bits"},
		{[]string{first, `{"submit": 7}`}, "line 2 of the record: submit is a number; want an object"},
		{[]string{first, `{"action": {"Asks": 7}}`}, "line 2 of the record: action.Asks is a number; want an array"},
		{[]string{first, `{"action": {"Kind": 300}}`}, "line 2 of the record: action.Kind is 300; want a whole number from 0 to 255"},
		{[]string{first, `{"end": 1}`}, "line 2 of the record: end is a number; want true or false"},
		{[]string{first, "7"}, "line 2 of the record: it is a number; want an object"},
		{[]string{first, submit, "no"}, "line 3 of the record: it is no JSON: invalid character 'o' in literal null (expecting 'u'); want one object"},

		{[]string{first, "{}"}, "line 2 of the record: it has nothing to replay; " + parts},
		{[]string{first, "null"}, "line 2 of the record: it has nothing to replay; " + parts},
		{[]string{first, submit, `{"at": 6, "other": 1}`}, "line 3 of the record: it has nothing to replay; " + parts},
		{[]string{first, submit, `{"at": 6, "cancel": 1, "end": true}`}, "line 3 of the record: it has cancel and end; " + parts},
		{[]string{first, `{"submit": {"ID": 1}, "action": {}, "change": {}}`}, "line 2 of the record: it has submit and action and change; " + parts},
		{[]string{first, first}, "line 2 of the record: it has config or note again; want them in the first line alone"},
		{[]string{first, `{"at": 1, "note": 1, "end": true}`}, "line 2 of the record: it has config or note again; want them in the first line alone"},
		{[]string{first, end, end}, "line 3 of the record: it is below the end; want nothing there"},
		{[]string{first, end, "x"}, "line 3 of the record: it is below the end; want nothing there"},
		{[]string{first, end, `{"at`}, "line 3 of the record: it is below the end; want nothing there"},

		{[]string{first, `{"at": -1, "end": true}`}, "line 2 of the record: at is -1; want 0 to 4000000000000000 µs: times go on from those above"},
		{[]string{first, `{"at": 4000000000000001, "end": true}`}, "line 2 of the record: at is 4000000000000001; want 0 to 4000000000000000 µs: times go on from those above"},
		{[]string{first, submit, `{"at": 4, "cancel": 1}`}, "line 3 of the record: at is 4; want 5 to 4000000000000000 µs: times go on from those above"},
		{[]string{first, submit, step, `{"at": 6, "outcome": {}}`}, "line 4 of the record: at is 6; want 7 to 4000000000000000 µs: times go on from those above"},
		{[]string{first, submit, step, `{"at": 4, "cancel": 1}`}, "line 4 of the record: at is 4; want 5 to 4000000000000000 µs: times go on from those above"},
		{[]string{first, submit, step, done, `{"at": 8, "change": {}}`}, "line 5 of the record: at is 8; want 9 to 4000000000000000 µs: times go on from those above"},

		{[]string{first, submit, submit}, "line 3 of the record: submit.ID is 1; want one from 1 that no submit above it has"},
		{[]string{first, `{"submit": {"Prompt": 9}}`}, "line 2 of the record: submit.ID is 0; want one from 1 that no submit above it has"},
		{[]string{first, submit, `{"at": 6, "cancel": 2}`}, "line 3 of the record: cancel is 2; want the ID of a submit above it"},
		{[]string{first, submit, step, step}, "line 4 of the record: it has action before the outcome of the action above it; want the outcome first"},
		{[]string{first, submit, step, `{"at": 8, "change": {}}`}, "line 4 of the record: it has change before the outcome of the action above it; want the outcome first"},
		{[]string{first, done}, "line 2 of the record: it has outcome without an action above it; want the action first"},
		{[]string{first, submit, step, done, done}, "line 5 of the record: it has outcome without an action above it; want the action first"},
		{[]string{first, `{"action": {"Kind": 0}}`}, "line 2 of the record: action.Kind is 0; want 1 to 4: begin, step, pass or round"},
		{[]string{first, `{"action": {"Kind": 5}}`}, "line 2 of the record: action.Kind is 5; want 1 to 4: begin, step, pass or round"},
	} {
		_, err := engine.ReadRecord(strings.NewReader(strings.Join(c.lines, "\n")), taken, taken)
		require.EqualError(t, err, c.want)
	}
}

func taken(*engine.Entry) error { return nil }

// What begin and visit refuse has the number of its line.
func TestRecordFaultsByLine(t *testing.T) {
	record := `{"config": {}}` + "\n" + `{"submit": {"ID": 1}}` + "\n" + `{"end": true}`
	no := func(*engine.Entry) error { return fmt.Errorf("no") }
	_, err := engine.ReadRecord(strings.NewReader(record), no, taken)
	require.EqualError(t, err, "line 1 of the record: no")
	_, err = engine.ReadRecord(strings.NewReader(record), taken, no)
	require.EqualError(t, err, "line 2 of the record: no")
	_, err = engine.Replay(strings.NewReader(record), prices, nil)
	require.EqualError(t, err, "line 1 of the record: core: lanes 0: must be at least 1")
	_, err = engine.Replay(strings.NewReader(record), func(json.RawMessage) (core.Prices, error) { return nil, fmt.Errorf("no table") }, nil)
	require.EqualError(t, err, "line 1 of the record: no table")
}

// What an engine may write is read: inputs that came while the action above
// them was chosen, a cancel of what is over, a loop that stopped in an action.
func TestRecordAccepted(t *testing.T) {
	for _, lines := range [][]string{
		{`{"at": 5, "submit": {"ID": 1}}`, `{"at": 9, "action": {"Kind": 2}}`, `{"at": 6, "submit": {"ID": 2}}`, `{"at": 6, "cancel": 1}`, `{"at": 9, "outcome": {}}`},
		{`{"submit": {"ID": 1}}`, `{"cancel": 1}`, `{"cancel": 1}`},
		{`{"submit": {"ID": 1}}`, `{"action": {"Kind": 1}}`},
	} {
		record := strings.Join(append([]string{`{"config": {}}`}, append(lines, `{"at": 10, "end": true}`)...), "\n")
		to, err := engine.ReadRecord(strings.NewReader(record), taken, taken)
		require.NoError(t, err, record)
		require.Equal(t, engine.Reach{Whole: true, Lines: len(lines) + 2, At: 10}, to)
	}
}

// No figure of a real record may be one that could not be: each is refused in
// its line.
func TestImpossibleFigures(t *testing.T) {
	var file bytes.Buffer
	l := start(t, fake.Open(fake.Options{}), func(o *engine.Options) {
		steps(&o.Config, 32)
		o.Record, o.CacheBytes = &file, 1<<16
	})
	for range 2 { // the second begins from the first's state
		whole(t, l, ask(2, 70, 20))
	}
	require.NoError(t, l.Drain(context.Background()))
	lines := strings.Split(strings.TrimSpace(file.String()), "\n")
	kinds := map[core.Kind]int{}
	var action engine.Entry
	for i, line := range lines[1:] {
		var e engine.Entry
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		refused := func(field string, value any) {
			t.Helper()
			altered, err := json.Marshal(&e)
			require.NoError(t, err)
			record := strings.Join(lines[:i+1], "\n") + "\n" + string(altered)
			_, err = engine.Replay(strings.NewReader(record), prices, nil)
			require.ErrorContains(t, err, fmt.Sprintf("line %d of the record: %s is %d; want ", i+2, field, value))
		}
		at := e.At
		for _, e.At = range []core.Micros{-1, 1 << 60} {
			refused("at", e.At)
		}
		e.At = at
		if e.Action != nil {
			action = e
		}
		if e.Outcome == nil {
			continue
		}
		kinds[action.Action.Kind]++
		o := e.Outcome
		was := *o
		for _, o.Wall = range []core.Micros{-1, at - action.At + 1, 1 << 60} {
			refused("outcome.Wall", o.Wall)
		}
		*o = was
		for _, o.Device = range []core.Micros{-1, 1 << 60} {
			refused("outcome.Device", o.Device)
		}
		*o = was
		for _, o.Rows = range []int{-1, action.Action.Rows + 1, 1 << 60} {
			refused("outcome.Rows", o.Rows)
		}
	}
	require.Len(t, kinds, 4, "begins, steps, passes and rounds")
}
