package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// entries are the states, least recently used first.
func (k *keptStates) entries() (all []keptState) {
	for e := k.uses.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(keptState))
	}
	return all
}

// Three states of 1,000 tokens fit 3 GiB.
func TestKeptStates(t *testing.T) {
	k := newKeptStates(3, 1024)
	require.Zero(t, k.find(1))
	k.keep(1, 1000)
	k.keep(2, 1000)
	k.keep(3, 1000)
	require.Equal(t, 1000, k.find(1), "the budget holds all three")
	k.keep(4, 500)
	require.Zero(t, k.find(2), "the least recently used one went")
	require.Equal(t, 1000, k.find(3))
	k.keep(3, 1200)
	require.Equal(t, 1200, k.find(3), "a longer state replaces a shorter")
	k.keep(3, 800)
	require.Equal(t, 1200, k.find(3), "but not the other way round")
	k.keep(5, 3001)
	require.Zero(t, k.find(5), "more than the whole budget is not kept")
	require.Equal(t, 1000, k.find(1), "and pushes nothing out")
	k.keep(6, 3000)
	require.Equal(t, 3000, k.find(6))
	require.Len(t, k.entries(), 1)
	k.keep(0, 10)
	require.Zero(t, k.find(0), "no key, no state")
}

func TestNoCacheKeepsNothing(t *testing.T) {
	k := newKeptStates(0, 64)
	k.keep(1, 1)
	require.Zero(t, k.find(1))
}

// The twin keeps every use and decides anew each time what is still there.
type keptTwin struct {
	budget int
	uses   []keptState // a use of a key, and the tokens it had then
}

func (k *keptTwin) find(key uint64) int {
	for _, e := range k.uses {
		if e.key == key {
			k.uses = append(slices.DeleteFunc(slices.Clone(k.uses), func(x keptState) bool { return x.key == key }), e)
			return e.tokens
		}
	}
	return 0
}

func (k *keptTwin) keep(key uint64, tokens int) {
	if key == 0 || tokens > k.budget {
		return
	}
	if k.find(key) >= tokens {
		return
	}
	uses := append(slices.DeleteFunc(slices.Clone(k.uses), func(x keptState) bool { return x.key == key }), keptState{key, tokens})
	// From the newest back, as many as fit.
	sum, first := 0, len(uses)
	for first > 0 && sum+uses[first-1].tokens <= k.budget {
		first--
		sum += uses[first].tokens
	}
	k.uses = uses[first:]
}

func TestKeptStatesTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const perThousand = 0.1 // a size that no binary fraction has
		budget := rapid.IntRange(0, 3000).Draw(t, "budget")
		k := newKeptStates(0, perThousand)
		k.budget = float64(budget) * (perThousand / 1000)
		twin := keptTwin{budget: budget}
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			key := rapid.Uint64Range(0, 6).Draw(t, "key")
			if rapid.Bool().Draw(t, "find") {
				require.Equal(t, twin.find(key), k.find(key))
			} else {
				tokens := rapid.IntRange(1, 1500).Draw(t, "tokens")
				twin.keep(key, tokens)
				k.keep(key, tokens)
			}
			entries := k.entries()
			require.Equal(t, len(twin.uses), len(entries))
			require.Equal(t, len(entries), len(k.byKey))
			for i, e := range twin.uses {
				require.Equal(t, e, entries[i])
			}
			used := 0
			for _, e := range entries {
				used += e.tokens
			}
			require.Equal(t, used, k.used)
			require.True(t, k.fits(used))
		}
	})
}

// Of blocks the first in a row that are kept are restored. When room is
// needed, the last ones of a prompt go before its first.
func TestKeptBlocks(t *testing.T) {
	k := newKeptStates(4, 1000) // 4,096 tokens, 8 blocks
	turn := &Request{Prompt: 1600, Blocks: []uint64{1, 2, 3, 4}}
	require.Zero(t, k.restore(turn))
	k.store(turn)
	require.Equal(t, 1600, k.used)
	require.Equal(t, 1600, k.restore(turn), "the whole prompt, its last part included")
	require.Equal(t, 1536, k.restore(&Request{Prompt: 2560, Blocks: []uint64{1, 2, 3, 5, 6}}))
	require.Equal(t, 512, k.restore(&Request{Prompt: 2560, Blocks: []uint64{1, 9, 3, 4, 6}}), "up to the first that differs")
	k.store(&Request{Prompt: 2560, Blocks: []uint64{11, 12, 13, 14, 15}})
	require.Equal(t, 1536, k.restore(turn), "the last, of least use, went first")
	long := &Request{Prompt: 10 * 512, Blocks: []uint64{21, 22, 23, 24, 25, 26, 27, 28, 29, 30}}
	k.store(long)
	require.Equal(t, 8*512, k.restore(long), "as much as fits, from the beginning")
	require.Zero(t, k.restore(turn))
}
