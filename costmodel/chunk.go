package costmodel

import "github.com/tfsim/tfsim/core"

// Chunk prices the chunks that a prompt runs in. Lookups by rows are linear
// between entries, proportional to the rows below the first entry, and go on
// with the slope of the last two beyond the last.
type Chunk struct {
	// MS is the ms of a staged chunk by rows, then by the position where it
	// starts.
	MS Grid `json:"ms"`
	// UnstagedMs is what a chunk beside a decoder adds that the one before it
	// did not stage, in ms by rows.
	UnstagedMs Curve `json:"unstaged_ms,omitempty"`
	// TailMs is the part of a step's time, in ms by rows, that the host does
	// not wait for unless the step ends the prompt; it lands in the next
	// action. It is part of the chunk's price.
	TailMs Curve `json:"tail_ms,omitempty"`
	// BeginMs is paid once per prompt, in ms. FinishMs is paid once at its last
	// row, in ms by the prompt's rows.
	BeginMs  float64 `json:"begin_ms,omitempty"`
	FinishMs Curve   `json:"finish_ms,omitempty"`
	// BesideMs is what a step taken beside a decoder adds, in ms by rows.
	BesideMs Curve `json:"beside_ms,omitempty"`
	// AfterMs is what the first rounds after a step cost more, in ms by their
	// place, from 1: prompt rows took the place of the weights in the processor's
	// caches. Places beyond the last cost nothing more.
	AfterMs Curve `json:"after_ms,omitempty"`
	// IdleMs is what a step costs more that comes when the machine was idle, in
	// ms: its clocks are low and other work has its caches.
	IdleMs float64 `json:"idle_ms,omitempty"`
}

// leastShare bounds from below what a chunk under the smallest listed costs,
// as a share of the smallest.
const leastShare = 0.4

// Chunk is the price of prompt rows [start, start+rows), in a chunk that the
// one before it staged or not. What begins or finishes a prompt and what a
// decoder beside it adds are not in it.
//
// The figures are linear in rows and in start. Beyond the largest listed chunk
// or start the slope of the last two goes on, graded Extrapolated. Below the
// smallest listed chunk the line through the two smallest goes down to no less
// than two fifths of the smallest; a lone entry is scaled by its rows, to no
// less than that. A chunk that lists one start costs the same at every start.
func (t *Table) Chunk(rows, start int, staged bool) (core.Nanos, Grade) {
	c := t.Prompt
	if rows < 1 {
		return 0, Measured
	}
	if c == nil || len(c.MS) == 0 {
		return 0, Extrapolated
	}
	ms, how := c.staged(float64(rows), float64(max(start, 0)))
	if !staged {
		more, howMore := c.UnstagedMs.share(rows)
		ms += more
		how = max(how, howMore)
	}
	return nanos(ms), max(how, t.Provenance.Chunk.Grade)
}

// staged is the ms of a staged chunk and how it was come by.
func (c *Chunk) staged(rows, start float64) (float64, Grade) {
	g := c.MS
	i := 0
	for i < len(g) && float64(g[i].At) < rows {
		i++
	}
	if i < len(g) && float64(g[i].At) == rows {
		return startsAt(g[i].Ms, start)
	}
	if len(g) == 1 {
		ms, _ := startsAt(g[0].Ms, start)
		return max(float64(ms*float64(rows/float64(g[0].At))), float64(ms*leastShare)), Extrapolated
	}
	below := i == 0
	past := i == len(g)
	switch {
	case below:
		i = 1
	case past:
		i--
	}
	a, howA := startsAt(g[i-1].Ms, start)
	b, howB := startsAt(g[i].Ms, start)
	x0, x1 := float64(g[i-1].At), float64(g[i].At)
	switch {
	case below:
		return min(a, max(between(rows, x0, a, x1, b), float64(a*leastShare))), Extrapolated
	case past:
		return beyond(rows, x0, a, x1, b), Extrapolated
	}
	return between(rows, x0, a, x1, b), max(howA, howB, Estimated)
}

// startsAt is a chunk's ms at a start. A lone entry holds for every start, and
// the first for every start before it.
func startsAt(c Curve, start float64) (float64, Grade) {
	ms, how := c.at(start, 0)
	if len(c) == 1 || len(c) > 1 && start < float64(c[0].At) {
		how = min(how, Estimated)
	}
	return ms, how
}

// Unstaged is what a chunk of so many rows adds that was not staged.
func (c *Chunk) Unstaged(rows int) core.Nanos { return share(c.UnstagedMs, rows) }

// Tail is the part of a step of so many rows, before the end of its prompt,
// that the host does not wait for.
func (c *Chunk) Tail(rows int) core.Nanos { return share(c.TailMs, rows) }

// Beside is what a step of so many rows adds when taken beside a decoder.
func (c *Chunk) Beside(rows int) core.Nanos { return share(c.BesideMs, rows) }

// Begin is paid once per prompt, at its first row.
func (c *Chunk) Begin() core.Nanos { return nanos(c.BeginMs) }

// Finish is paid once per prompt, at its last row, by its rows.
func (c *Chunk) Finish(rows int) core.Nanos { return share(c.FinishMs, rows) }

// After is what a round in a place after a step, from 1, costs more.
func (c *Chunk) After(place int) core.Nanos {
	if n := len(c.AfterMs); place < 1 || n == 0 || place > c.AfterMs[n-1].At {
		return 0
	}
	ms, _ := c.AfterMs.at(float64(place), 0)
	return nanos(ms)
}

// Idle is what a step of some price costs more when the machine was idle before
// it: no more than the price, since a short one is over before a long one's
// extra could be.
func (c *Chunk) Idle(price core.Nanos) core.Nanos { return min(nanos(c.IdleMs), price) }

// IdleLeast is how long a machine has to be without work to be idle.
const IdleLeast core.Micros = 20_000

func share(c Curve, rows int) core.Nanos {
	ms, _ := c.share(rows)
	return nanos(ms)
}
