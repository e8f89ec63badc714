package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/random"
)

// A guess depends on the seed, the text and the place alone: not on the order
// of asking nor on what else was asked.
func TestGuessesDoNotDependOnTheOrder(t *testing.T) {
	table := exact()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := request(1, func(r *Request) {
			r.Loads = [2]string{"chat", "fair"}
			r.TurnAt = rapid.IntRange(0, 40).Draw(t, "turn")
		})
		at, depth := rapid.IntRange(1, 60).Draw(t, "token"), rapid.IntRange(0, 14).Draw(t, "draft")
		straight := r.text(table, seed)
		want := straight.guessed(at, depth)
		confidence := straight.confidence(at, depth, 1)

		winding := r.text(table, seed)
		for token := 1; token < at; {
			for j := range rapid.IntRange(0, 15).Draw(t, "asked") {
				if token+j < at+15 {
					winding.confidence(token+j, j, 1)
					winding.guessed(token+j, j)
				}
			}
			token += rapid.IntRange(1, 16).Draw(t, "kept")
		}
		require.Equal(t, want, winding.guessed(at, depth))
		require.Equal(t, confidence, winding.confidence(at, depth, 1))
	})
}

func TestTextsDiffer(t *testing.T) {
	table := exact()
	guesses := func(seed, text uint64) (all []bool) {
		x := request(1, func(r *Request) { r.Loads[0], r.Text = "fair", text }).text(table, seed)
		for token := range 64 {
			all = append(all, x.guessed(token, 0))
		}
		return all
	}
	require.Equal(t, guesses(1, 1), guesses(1, 1))
	require.NotEqual(t, guesses(1, 1), guesses(1, 2))
	require.NotEqual(t, guesses(1, 1), guesses(2, 1))
}

// Neighbouring tokens are alike as much as the memory says.
func TestEasiness(t *testing.T) {
	kind := costmodel.DraftText{Spread: 1.5, Memory: 0.8}
	x := newText([2]costmodel.DraftText{kind, kind}, 0, random.New(1, "text"))
	const n = 50_000
	var sum, square, product, before float64
	for token := range n {
		z := x.easiness(token).easy
		sum += z
		square += z * z
		product += z * before
		before = z
	}
	require.InDelta(t, 0, sum/n, 0.1)
	require.InDelta(t, 1.5*1.5, square/n, 0.1)
	require.InDelta(t, 0.8, product/square, 0.01)
}

// A turn changes the odds from its token on.
func TestTurn(t *testing.T) {
	x := request(1, func(r *Request) { r.Loads = [2]string{"sure", "vain"}; r.TurnAt = 20 }).text(exact(), 1)
	for token := range 40 {
		require.Equal(t, token < 20, x.guessed(token, 0), token)
	}
}

// Expected drafts are carried as a remainder: over any number of rounds the
// drafts kept are the sum of the expectations, less a part of one.
func TestExpectedDraftsKeepTheExpectation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := DefaultWorld()
		w.Expected = true
		w.Seed = rapid.Uint64().Draw(t, "seed")
		r := request(1, func(r *Request) { r.Output, r.Loads[0] = 1<<20, "chat" })
		d := server(w, r)
		do(t, d, whole(0, r))
		x := r.text(d.truth.table, w.Seed)
		kept, expected := 0, 0.0
		for range rapid.IntRange(1, 300).Draw(t, "rounds") {
			drafts, chain := rapid.IntRange(0, 7).Draw(t, "drafts"), 1.0
			for j := range drafts {
				chain *= random.Sigmoid(x.odds(r.emitted+j, j))
				expected += chain
			}
			o := do(t, d, round(window(0, 64, drafts)))
			require.LessOrEqual(t, o.Slots[0].Kept, drafts)
			kept += o.Slots[0].Kept
			require.InDelta(t, expected-0.5, float64(kept), 0.5+1e-6)
		}
	})
}

// Drawn drafts keep the expectation on average.
func TestDrawnDraftsKeepTheExpectation(t *testing.T) {
	kept, expected := 0, 0.0
	const rounds = 20_000
	w := DefaultWorld()
	r := request(1, func(r *Request) { r.Output, r.Loads[0] = 1<<20, "chat" })
	d := server(w, r)
	do(t, d, whole(0, r))
	x := r.text(d.truth.table, w.Seed)
	for range rounds {
		chain := 1.0
		for j := range 3 {
			chain *= random.Sigmoid(x.odds(r.emitted+j, j))
			expected += chain
		}
		kept += do(t, d, round(window(0, 64, 3))).Slots[0].Kept
	}
	require.InEpsilon(t, expected, kept, 0.02)
}

// A window that verifies nothing still tells whether its first draft was right.
func TestMatched(t *testing.T) {
	for load, want := range map[string]bool{"sure": true, "vain": false} {
		r := request(1, func(r *Request) { r.Loads[0] = load })
		d := server(DefaultWorld(), r)
		do(t, d, whole(0, r))
		held := core.Window{ID: 1, Position: 64, Held: 2}
		require.Equal(t, want, do(t, d, round(held)).Slots[0].Matched, load)
		held.Held = 0
		require.False(t, do(t, d, round(held)).Slots[0].Matched, load)
	}
}
