package workload

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/scenario"
)

// maker draws what a workload's requests are, by key: a request's position
// in the workload, whatever the order of asking.
type maker struct {
	seed           uint64
	prompt, output lengths
	mix            []scenario.Mix
	// upto are the running sums of the mix's weights.
	upto []float64
	// stream is the one in use, kept here so that draws do not allocate.
	stream Stream
}

func newMaker(f *scenario.File, w *scenario.Workload, seed uint64) (*maker, error) {
	g := &maker{seed: seed, mix: w.Mix}
	var err error
	if g.prompt, err = openLengths(f, &w.Prompt); err != nil {
		return nil, err
	}
	if g.output, err = openLengths(f, &w.Output); err != nil {
		return nil, err
	}
	sum := 0.0
	for _, m := range w.Mix {
		sum += m.Weight
		g.upto = append(g.upto, sum)
	}
	return g, nil
}

// request draws the request with a key, all but its time and names.
func (g *maker) request(key uint64) Arrival {
	a := Arrival{CancelAt: core.Never, Text: Seed(g.seed, "text", key)}
	g.stream = NewStream(g.seed, "prompt", key)
	a.Prompt = g.prompt.draw(&g.stream)
	g.stream = NewStream(g.seed, "output", key)
	a.Output = g.output.draw(&g.stream)
	a.traits(&g.mix[g.kind(key)].Traits)
	return a
}

// kind draws an entry of the mix.
func (g *maker) kind(key uint64) int {
	last := len(g.upto) - 1
	if last == 0 {
		return 0
	}
	s := NewStream(g.seed, "mix", key)
	x := float64(s.Float() * g.upto[last])
	for i, sum := range g.upto[:last] {
		if x < sum {
			return i
		}
	}
	return last
}
