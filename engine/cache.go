package engine

import (
	"slices"

	"github.com/tfsim/tfsim/device"
)

// leastKept is the fewest rows worth restoring.
const leastKept = 32

// cache keeps states of whole prompts within a budget, least recently used
// out first. Only the loop uses it.
type cache struct {
	budget, used int64
	entries      []kept // least recently used first
}

type kept struct {
	prompt []device.Token
	state  []byte
}

// newCache keeps states of so many bytes.
func newCache(bytes int64) *cache { return &cache{budget: bytes} }

func (c *cache) on() bool { return c.budget > 0 }

func (c *cache) size() (entries int, bytes int64) { return len(c.entries), c.used }

// found is an entry with the rows that a prompt shares with it.
type found struct{ entry, rows int }

// find looks for the state that shares the most tokens with a prompt. At least
// one row of the prompt is left to run.
func (c *cache) find(prompt []device.Token) found {
	best := found{entry: -1}
	for i := range c.entries {
		if n := shared(c.entries[i].prompt, prompt[:len(prompt)-1]); n >= leastKept && n > best.rows {
			best = found{i, n}
		}
	}
	return best
}

// longest takes that state, and marks it used.
func (c *cache) longest(prompt []device.Token) (rows int, state []byte) {
	best := c.find(prompt)
	if best.entry < 0 {
		return 0, nil
	}
	e := c.entries[best.entry]
	c.entries = append(slices.Delete(c.entries, best.entry, best.entry+1), e)
	return best.rows, e.state
}

func shared(a, b []device.Token) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// fits says that the state of a prompt can be kept, and would be worth it.
func (c *cache) fits(prompt []device.Token, rowBytes int) bool {
	return c.on() && len(prompt) >= leastKept && int64(len(prompt))*int64(rowBytes) <= c.budget
}

// wants says whether the state of a prompt is worth saving: it is long
// enough, would fit, and is not kept yet.
func (c *cache) wants(prompt []device.Token, rowBytes int) bool {
	return c.fits(prompt, rowBytes) && !slices.ContainsFunc(c.entries, func(e kept) bool { return slices.Equal(e.prompt, prompt) })
}

// keep stores a state, making room first.
func (c *cache) keep(prompt []device.Token, state []byte) {
	size := int64(len(state)) + 4*int64(len(prompt))
	if size > c.budget {
		return
	}
	for c.used+size > c.budget {
		c.remove(0)
	}
	c.used += size
	c.entries = append(c.entries, kept{prompt, state})
}

// drop forgets a state that could not be restored.
func (c *cache) drop(state []byte) {
	i := slices.IndexFunc(c.entries, func(e kept) bool { return &e.state[0] == &state[0] })
	if i >= 0 {
		c.remove(i)
	}
}

func (c *cache) remove(i int) {
	e := c.entries[i]
	c.used -= int64(len(e.state)) + 4*int64(len(e.prompt))
	c.entries = slices.Delete(c.entries, i, i+1)
}
