package engine

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/core"
)

// above is what the lines of a record tell of those that may be below them.
type above struct {
	// seen is the time up to which the loop had taken its inputs.
	seen core.Micros
	// action waits for its outcome, or is nil; chose is the last one's time.
	action    *core.Action
	chose     core.Micros
	submitted map[core.ID]struct{}
}

// latest is the latest time in a record: some 127 years after its start.
const latest core.Micros = 4e15

// take refuses a line that an engine would not have written here.
func (b *above) take(e *Entry) error {
	if err := e.check(); err != nil {
		return err
	}
	from := max(b.seen, b.chose)
	if e.Submit != nil || e.Cancel != 0 {
		from = b.seen // it may have come while the action above it was chosen
	}
	if err := within("at", int64(e.At), int64(from), int64(latest), " µs: times go on from those above"); err != nil {
		return err
	}
	if e.Action == nil {
		b.seen = e.At
	}
	switch {
	case e.Submit != nil:
		return b.submit(e.Submit.ID)
	case e.Cancel != 0:
		if _, ok := b.submitted[e.Cancel]; !ok {
			return fmt.Errorf("cancel is %d; want the ID of a submit above it", e.Cancel)
		}
	case e.Action != nil:
		return b.act(e)
	case e.Outcome != nil:
		return b.done(e)
	case e.Change != nil && b.action != nil:
		return errors.New("it has change before the outcome of the action above it; want the outcome first")
	}
	return nil
}

// submit notes a request.
func (b *above) submit(id core.ID) error {
	if _, ok := b.submitted[id]; ok || id == 0 {
		return fmt.Errorf("submit.ID is %d; want one from 1 that no submit above it has", id)
	}
	b.submitted[id] = struct{}{}
	return nil
}

// act notes an action.
func (b *above) act(e *Entry) error {
	if b.action != nil {
		return errors.New("it has action before the outcome of the action above it; want the outcome first")
	}
	b.action, b.chose = e.Action, e.At
	return within("action.Kind", int64(e.Action.Kind), int64(core.Begin), int64(core.Round), ": begin, step, pass or round")
}

// done notes an outcome. What else it must be for its action, the scheduler says.
func (b *above) done(e *Entry) error {
	a, o := b.action, e.Outcome
	if a == nil {
		return errors.New("it has outcome without an action above it; want the action first")
	}
	b.action = nil
	rows := 0
	switch a.Kind {
	case core.Begin:
		rows = max(a.Rows-1, 0) // one is always left to run
	case core.Step:
		rows = a.Rows
	}
	return cmp.Or(
		within("outcome.Wall", int64(o.Wall), 0, int64(e.At-b.chose), " µs, the time since its action"),
		within("outcome.Device", int64(o.Device), 0, int64(latest), " µs"),
		within("outcome.Rows", int64(o.Rows), 0, int64(rows), ", the rows that its action can bring"),
	)
}

// within refuses a field that is out of range; why says what the range is.
func within(field string, has, least, most int64, why string) error {
	if has >= least && has <= most {
		return nil
	}
	return fmt.Errorf("%s is %d; want %d to %d%s", field, has, least, most, why)
}
