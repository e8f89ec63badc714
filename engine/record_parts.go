package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// parts are the fields of which a line below the first has one.
var parts = [...]string{"submit", "cancel", "action", "outcome", "change", "end"}

// has says which of them are there.
func (e *Entry) has() [len(parts)]bool {
	return [...]bool{e.Submit != nil, e.Cancel != 0, e.Action != nil, e.Outcome != nil, e.Change != nil, e.End}
}

// names lists those that are there.
func (e *Entry) names() string {
	var names []string
	for i, there := range e.has() {
		if there {
			names = append(names, parts[i])
		}
	}
	return strings.Join(names, " and ")
}

// checkFirst wants the configuration and the note alone.
func (e *Entry) checkFirst() error {
	if has := e.names(); has != "" {
		return fmt.Errorf("it has %s; want config and note alone", has)
	}
	return nil
}

// check wants one part.
func (e *Entry) check() error {
	if e.Config != nil || e.Note != nil {
		return errors.New("it has config or note again; want them in the first line alone")
	}
	n := 0
	for _, there := range e.has() {
		if there {
			n++
		}
	}
	if n == 1 {
		return nil
	}
	return fmt.Errorf("it has %s; want one of %s", cmp.Or(e.names(), "nothing to replay"), strings.Join(parts[:], ", "))
}
