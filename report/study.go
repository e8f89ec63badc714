package report

import (
	"sync"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/result"
)

// Study is the results of one scenario with what is drawn of them.
type Study struct {
	Document *result.Document
	// About is what the scenario shows and how to read it.
	About string
	// Runs are drawn, one for each place; a place without one has tables
	// alone.
	Runs []*Run
	// Arms are the settings of each arm, in the order of the document.
	Arms []Arm
	// Worlds say what holds in each world, and the seed that was drawn.
	Worlds []World
	// Machine is the cost table, nil if unknown.
	Machine *costmodel.Table
	// Server says how the modelled server is shaped.
	Server []Fact

	lock sync.Mutex // of Runs, while they begin
}

// Arm is an arm's settings, each with its origin.
type Arm struct {
	Name   string
	Values settings.Values
}

// World is what holds in a world.
type World struct {
	Name  string
	Facts []Fact
}

// Fact is a name and its value, as printed.
type Fact struct{ Name, Value string }

// arms are the names of the document's arms, in order.
func (s *Study) arms() []string {
	var names []string
	seen := make(map[string]bool)
	for i := range s.Document.Results {
		if a := s.Document.Results[i].Arm; !seen[a] {
			seen[a] = true
			names = append(names, a)
		}
	}
	return names
}

// cases gathers the entries of each case in each world, in order.
func (s *Study) cases() [][]*result.Entry {
	type cell struct{ world, name string }
	index := make(map[cell]int)
	var out [][]*result.Entry
	for i := range s.Document.Results {
		e := &s.Document.Results[i]
		at, ok := index[cell{e.World, e.Case}]
		if !ok {
			at = len(out)
			index[cell{e.World, e.Case}] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], e)
	}
	return out
}

// run is the one of an entry, nil if none is drawn.
func (s *Study) run(e *result.Entry) *Run {
	for _, r := range s.Runs {
		if r.Place == (Place{e.World, e.Case, e.Arm}) {
			return r
		}
	}
	return nil
}

func indexOf(list []string, name string) int {
	for i, s := range list {
		if s == name {
			return i
		}
	}
	return 0
}
