package workload

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
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
	stream random.Sequence
}

func newMaker(f *scenario.File, w *scenario.Workload, seed uint64) (*maker, error) {
	g := newKinds(w.Mix, seed)
	var err error
	if g.prompt, err = openLengths(f, &w.Prompt); err != nil {
		return nil, err
	}
	if g.output, err = openLengths(f, &w.Output); err != nil {
		return nil, err
	}
	return g, nil
}

// newKinds draws kinds of requests alone, no lengths.
func newKinds(mix []scenario.Mix, seed uint64) *maker {
	g := &maker{seed: seed, mix: mix}
	sum := 0.0
	for _, m := range mix {
		sum += m.Weight
		g.upto = append(g.upto, sum)
	}
	return g
}

// request draws the request with a key, all but its time and names.
func (g *maker) request(key uint64) Arrival {
	a := g.plain(key)
	g.stream = random.New(g.seed, "prompt").Sub(key).Sequence()
	a.Prompt = g.prompt.draw(&g.stream)
	g.stream = random.New(g.seed, "output").Sub(key).Sequence()
	a.Output = g.output.draw(&g.stream)
	a.traits(&g.mix[g.kind(key)].Traits)
	return a
}

// plain is a request of no kind or length yet, with the text of its key.
func (g *maker) plain(key uint64) Arrival {
	return Arrival{CancelAt: core.Never, Text: uint64(random.New(g.seed, "text").Sub(key))}
}

// kind draws an entry of the mix.
func (g *maker) kind(key uint64) int {
	last := len(g.upto) - 1
	if last == 0 {
		return 0
	}
	s := random.New(g.seed, "mix").Sub(key).Sequence()
	x := float64(s.Float() * g.upto[last])
	for i, sum := range g.upto[:last] {
		if x < sum {
			return i
		}
	}
	return last
}
