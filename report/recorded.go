package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// ReadStudy makes a study of recorded events alone: each run has the place that
// its head says, or is an arm named by its number, and its figures are those of
// a recorder. title names the study.
func ReadStudy(r io.Reader, title string) (*Study, error) {
	s := &Study{Document: &result.Document{Scenario: title}}
	var recorders []*result.Recorder
	err := Replay(r, func(n int, head *result.Head, name func(core.ID) string) []core.Sink {
		place := Place{Case: "recorded", Arm: fmt.Sprintf("run %d", n+1)}
		if head != nil {
			place = Place{World: head.World, Case: head.Case, Arm: head.Arm}
			s.Document.Machine = head.Machine
			if slices.ContainsFunc(s.Runs, func(r *Run) bool { return r.Place == place }) {
				place.Arm += fmt.Sprintf(", seed %d", head.Seed) // of several
			}
		}
		run := NewRun(place, name)
		s.Runs = append(s.Runs, run)
		rec := result.NewRecorder(result.Options{PerRequest: true})
		recorders = append(recorders, rec)
		return []core.Sink{declarer{run, rec}, rec, run}
	})
	if err != nil {
		return nil, err
	}
	for i, run := range s.Runs {
		s.Document.Results = append(s.Document.Results, result.Entry{
			World: run.Place.World, Case: run.Place.Case, Arm: run.Place.Arm, Run: recorders[i].Result(run.end),
		})
	}
	return s, nil
}

// declarer tells a recorder the names of requests before it sees them.
type declarer struct {
	run *Run
	rec *result.Recorder
}

func (d declarer) Record(e *core.Event) {
	if e.Kind == core.EventSubmitted {
		d.rec.Expect(e.ID, result.Meta{Name: d.run.nameOf(e.ID), Sent: e.At, Prompt: e.Rows, Output: e.Tokens})
	}
}
