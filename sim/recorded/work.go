package recorded

import (
	"slices"

	"github.com/tfsim/tfsim/core"
)

// work tells what actions took: from one to the next, where the next followed
// at once; else, as nobody knows how long there was nothing to do, its wall time
// and what the engine adds as a rule.
type work struct {
	told    func(ms float64) // of the action under way, or nil
	began   core.Micros
	wall    core.Micros
	waits   bool // for the next action, with nothing between
	added   []core.Micros
	pending []paused
}

type paused struct {
	told func(ms float64)
	wall core.Micros
}

func ms(t core.Micros) float64 { return float64(t) / 1000 }

// start says who wants to know what the action took.
func (w *work) start(told func(ms float64)) { w.told = told }

// done notes the outcome of an action.
func (w *work) done(began, wall core.Micros) { w.began, w.wall, w.waits = began, wall, true }

// next notes that an action begins.
func (w *work) next(at core.Micros) {
	if w.waits {
		w.added = append(w.added, max(at-w.began-w.wall, 0))
		if w.told != nil {
			w.told(ms(max(at-w.began, w.wall)))
		}
	}
	w.waits = false
}

// pause notes that something else came before the next action.
func (w *work) pause() {
	if w.waits && w.told != nil {
		w.pending = append(w.pending, paused{w.told, w.wall})
	}
	w.waits = false
}

// close tells what waited.
func (w *work) close() {
	w.pause()
	more := core.Micros(0)
	if len(w.added) > 0 {
		slices.Sort(w.added)
		more = w.added[len(w.added)/2]
	}
	for _, p := range w.pending {
		p.told(ms(p.wall + more))
	}
}
