package sim

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/random"
)

// World is the truth of a run.
type World struct {
	// Seed gives every random stream of the run, each by its purpose.
	Seed uint64
	// Noise is the sigma of a lognormal factor on each action's time.
	Noise float64
	// RoundNoise is the least Noise of rounds and passes: prompt steps are long,
	// and spread less.
	RoundNoise float64
	// Expected makes each round keep its expected drafts, carried as a
	// remainder, instead of drawing them.
	Expected bool
	// Rows, Pass and Chunk are factors of truth over the table.
	Rows, Pass, Chunk float64
	// Confidence is an exponent on the odds of the confidences core sees.
	Confidence float64
	// Heat is the slowdown at the start, as a factor less 1; 0 is a cold
	// machine with its whole headroom.
	Heat float64
}

// DefaultWorld is the table as it is, without noise.
func DefaultWorld() World {
	return World{Seed: 1, Rows: 1, Pass: 1, Chunk: 1, Confidence: 1}
}

// truth prices actions in a world and keeps its temperature.
type truth struct {
	table *costmodel.Table
	world World
	noise random.Stream
	drawn uint64
	heat  heat
	worst costmodel.Grade
	// place is that of the next round after the last prompt step, from 1.
	place int
	// idle says that the machine had nothing to do since.
	idle bool
}

func newTruth(t *costmodel.Table, w World) truth {
	return truth{table: t, world: w, noise: random.New(w.Seed, "noise"), heat: newHeat(t.Heat, w.Heat)}
}

// prompts are the costs of prompt chunks; a table without any charges none.
func (t *truth) prompts() *costmodel.Chunk {
	if t.table.Prompt == nil {
		return &costmodel.Chunk{}
	}
	return t.table.Prompt
}

// overlap is what an early launch hides of a pass.
func (t *truth) overlap() core.Nanos {
	if t.table.Drafter == nil {
		return 0
	}
	return t.table.Drafter.Overlap()
}

// scaled is a price as time, with the world's factor and the heat of now.
func (t *truth) scaled(price core.Nanos, factor, sensitivity float64) core.Micros {
	x := float64(float64(price)*factor) / 1000
	return spent(float64(x * t.heat.factor(sensitivity)))
}

// spend is the time that work takes: scaled, with noise. It warms the machine.
func (t *truth) spend(price core.Nanos, factor, sensitivity float64) core.Micros {
	return t.noisy(price, factor, sensitivity, t.world.Noise)
}

// spendRound is the time of a round or a pass.
func (t *truth) spendRound(price core.Nanos, factor float64) core.Micros {
	return t.noisy(price, factor, t.heat.rounds(), max(t.world.Noise, t.world.RoundNoise))
}

func (t *truth) noisy(price core.Nanos, factor, sensitivity, sigma float64) core.Micros {
	micros := t.scaled(price, factor, sensitivity)
	if sigma > 0 {
		noise := random.Exp(float64(sigma * t.noise.Normal(t.drawn)))
		micros = spent(float64(float64(micros) * noise))
		t.drawn++
	}
	t.heat.work(micros)
	return micros
}

// stepped notes a prompt step.
func (t *truth) stepped() { t.place = 1 }

// afterStep is what the next round costs more for a step before it.
func (t *truth) afterStep() core.Nanos {
	if t.place == 0 {
		return 0
	}
	t.place++
	return t.prompts().After(t.place - 1)
}

// wakes is what a chunk of some price costs more, if the machine was idle.
func (t *truth) wakes(price core.Nanos) core.Nanos {
	if !t.idle {
		return 0
	}
	t.idle = false
	return t.prompts().Idle(price)
}

func (t *truth) grade(g costmodel.Grade) { t.worst = max(t.worst, g) }
