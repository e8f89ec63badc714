package sim

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/random"
)

// heat is a machine's temperature, in units of the slowdown it causes: below
// zero is headroom, which costs nothing until it is used up. Under load it
// rises towards the machine's limit with its time constant; idle it falls
// back to the whole headroom.
type heat struct {
	of    *costmodel.Heat
	level float64
}

func newHeat(of *costmodel.Heat, start float64) heat {
	if of == nil {
		return heat{level: start}
	}
	if start == 0 {
		start = -of.Headroom
	}
	return heat{of: of, level: start}
}

// factor is the slowdown of work with the given sensitivity to heat.
func (h *heat) factor(sensitivity float64) float64 {
	return 1 + float64(max(h.level, 0)*sensitivity)
}

// rounds is how sensitive decoding rounds are: they wait for memory, which
// throttles less than the arithmetic of a prompt.
func (h *heat) rounds() float64 {
	if h.of == nil {
		return 1
	}
	return h.of.Rounds
}

func (h *heat) work(t core.Micros) {
	if h.of != nil {
		h.drift(h.of.Limit, h.of.TauS, t)
	}
}

func (h *heat) rest(t core.Micros) {
	if h.of != nil {
		h.drift(-h.of.Headroom, h.of.CoolS, t)
	}
}

func (h *heat) drift(to, seconds float64, t core.Micros) {
	if seconds <= 0 || t <= 0 {
		return
	}
	left := random.Exp(-float64(t) / float64(seconds*1e6))
	h.level = to + float64((h.level-to)*left)
}
