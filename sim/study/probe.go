package study

import (
	"context"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
)

// Probe plays one cell of a file at a time, under settings and with a seed
// that are chosen at that moment. The file is read and checked once, whatever
// is tried. It is safe for several callers at once.
type Probe struct {
	plan  *plan
	cells []*cell // one for each world and case
	arms  []Setup
}

// NewProbe reads a file's settings and machine. Of the options, Set, Arms,
// Cases, Machine, Noise and Seed count.
func NewProbe(f *scenario.File, o Options) (*Probe, error) {
	o = Options{Set: o.Set, Arms: o.Arms, Cases: o.Cases, Machine: o.Machine, Noise: o.Noise, Seed: o.Seed}
	plan, err := newPlan(f, o)
	if err != nil {
		return nil, err
	}
	p := &Probe{plan: plan}
	used, err := Used(f, o)
	if err != nil {
		return nil, err
	}
	for i, c := range plan.cells {
		if i < len(used) {
			p.arms = append(p.arms, Setup{arm: c.arm, Values: used[i].Values})
		}
		if i%len(used) == 0 {
			p.cells = append(p.cells, c)
		}
	}
	return p, nil
}

// File is what is played.
func (p *Probe) File() *scenario.File { return p.plan.file }

// Machine is the table's name.
func (p *Probe) Machine() string { return p.plan.table.Machine }

// Place is a cell of a probe.
type Place struct {
	World scenario.World
	Case  *scenario.Case
}

// Places are the cells: every case in every world, in the file's order.
func (p *Probe) Places() []Place {
	var all []Place
	for _, c := range p.cells {
		all = append(all, Place{c.world, c.case_})
	}
	return all
}

// Setup is what a probe plays under.
type Setup struct {
	// Values are the settings, the file's among them.
	Values settings.Values
	arm    *arm
}

// Arms are the file's arms.
func (p *Probe) Arms() []Setup { return p.arms }

// Setup lays settings over the file's, and the options' over those. The
// file's arms have no part in it.
func (p *Probe) Setup(name string, set []Assignment) (Setup, error) {
	a := &scenario.Arm{Name: name}
	over := append(append([]Assignment{}, set...), p.plan.opts.Set...)
	v, err := layer(p.plan.file, a, over)
	if err != nil {
		return Setup{}, err
	}
	made, err := newArm(p.plan.file, a, over, p.plan.table)
	return Setup{Values: v, arm: made}, err
}

// Name is the arm's, or what Setup was told.
func (s Setup) Name() string { return s.arm.name }

// Notes are what the settings say of themselves.
func (s Setup) Notes() []string { return s.arm.notes }

// Sameness is equal for setups of a probe that play alike: those with the same
// configuration, belief and cache.
type Sameness struct {
	config core.Config
	belief string
	cache  float64
}

// Sameness of a setup.
func (s Setup) Sameness() Sameness {
	same := Sameness{config: s.arm.config, belief: s.Values.CalibKind(), cache: s.arm.cache}
	same.config.Prices, same.config.Truth, same.config.Sink = nil, nil, nil
	return same
}

// Played is one run and how far to trust it.
type Played struct {
	result.Run
	// Notes are as in a document's entry, without those of the settings.
	Notes []string
}

// Trial changes what is played of a cell.
type Trial struct {
	// Seed is added to the world's.
	Seed uint64
	// Case, if not nil, is played in place of the cell's. It must not change
	// during the run.
	Case *scenario.Case
}

// Play plays a cell, given by its place in Places.
func (p *Probe) Play(ctx context.Context, place int, s Setup, t Trial) (Played, error) {
	c := cell{world: p.cells[place].world, case_: p.cells[place].case_, arm: s.arm, runs: make([]result.Run, 1)}
	c.world.Seed += t.Seed
	if t.Case != nil {
		c.case_ = t.Case
	}
	if err := guard(func() error { return p.plan.one(ctx, &c, 0, nil) }); err != nil {
		return Played{}, err
	}
	return Played{c.runs[0], c.notes}, nil
}
