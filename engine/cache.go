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

// longest finds the state that shares the most tokens with a prompt. At least
// one row of the prompt is left to run.
func (c *cache) longest(prompt []device.Token) (rows int, state []byte) {
	best := -1
	for i := range c.entries {
		if n := shared(c.entries[i].prompt, prompt[:len(prompt)-1]); n >= leastKept && n > rows {
			rows, best = n, i
		}
	}
	if best < 0 {
		return 0, nil
	}
	e := c.entries[best]
	c.entries = append(slices.Delete(c.entries, best, best+1), e)
	return rows, e.state
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

// wants says whether the state of a prompt is worth saving: it is long
// enough, would fit, and is not kept yet.
func (c *cache) wants(prompt []device.Token, rowBytes int) bool {
	if len(prompt) < leastKept || int64(len(prompt))*int64(rowBytes) > c.budget || c.budget == 0 {
		return false
	}
	return !slices.ContainsFunc(c.entries, func(e kept) bool { return slices.Equal(e.prompt, prompt) })
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
