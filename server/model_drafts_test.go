package server_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/engine"
)

// cell is one way of using the pair.
type cell struct {
	kind, begins string
	temperature  float64
	streams      int
}

func cells() (all []cell) {
	for _, text := range [][2]string{{"code", "func main() {\n\tx :="}, {"prose", "The following section describes"}} {
		for _, temperature := range []float64{0, 0.8} {
			for _, streams := range []int{1, 2, 4} {
				all = append(all, cell{text[0], text[1], temperature, streams})
			}
		}
	}
	return all
}

// rate plays a cell's streams at once, and gives tokens per second.
func (c cell) rate(t *testing.T, client openai.Client, turn int, draft bool) float64 {
	const tokens = 250
	var all sync.WaitGroup
	started := time.Now()
	for k := range c.streams {
		p := openai.CompletionNewParams{
			Model: "pair", MaxTokens: openai.Int(tokens), Temperature: openai.Float(c.temperature), Seed: openai.Int(int64(100*turn + k)),
			Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(fmt.Sprintf("%s %d", c.begins, 10*turn+k))},
		}
		p.SetExtraFields(map[string]any{"draft": draft, "ignore_eos": true})
		all.Go(func() {
			_, err := client.Completions.New(context.Background(), p)
			require.NoError(t, err)
		})
	}
	all.Wait()
	return float64(c.streams*tokens) / time.Since(started).Seconds()
}

func middle(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

// Tokens per second of 1, 2 and 4 streams, drafted against undrafted, by the
// rule that a server of a model has and by the earlier one: arms take turns,
// each turn in another order, and a ratio is the median of the turns'.
func TestModelDrafts(t *testing.T) {
	if !*demo {
		t.Skip("prints ratios and takes minutes: make live-demo plays it, with -demo")
	}
	const turns = 5
	rules := []struct {
		name   string
		change func(*engine.Options)
	}{
		{"measured", nil},
		{"earlier", func(o *engine.Options) { o.Config.Rule = core.RuleEarlier }},
	}
	for _, rule := range rules {
		client, _, _ := pair(t, rule.change)
		t.Logf("%-22s %10s %10s %8s   rule %s", "tokens/s", "undrafted", "drafted", "ratio", rule.name)
		for _, c := range cells() {
			var plain, drafted, ratios []float64
			c.rate(t, client, turns, true) // the rule gets to know the cell
			for turn := range turns {
				var got [2]float64
				for k := range got {
					draft := (k + turn) % 2
					got[draft] = c.rate(t, client, turn, draft == 1)
				}
				plain, drafted, ratios = append(plain, got[0]), append(drafted, got[1]), append(ratios, got[1]/got[0])
			}
			t.Logf("%-5s %d × temperature %.1f %10.0f %10.0f %8.2f", c.kind, c.streams, c.temperature, middle(plain), middle(drafted), middle(ratios))
		}
	}
}
