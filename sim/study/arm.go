package study

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/scenario"
)

// arm is an arm's configuration and what its settings say of themselves.
type arm struct {
	name   string
	config core.Config
	cache  float64 // GiB
	notes  []string
}

// mostLanes bounds the memory of a run.
const mostLanes = 1 << 16

// newArm lays settings over each other: the registry's defaults, the server's
// shape, the file's settings, the arm's, and those that win over all.
func newArm(f *scenario.File, a *scenario.Arm, over []Assignment, t *costmodel.Table) (*arm, error) {
	v, err := layer(f, a, over)
	if err != nil {
		return nil, err
	}
	base := core.DefaultConfig()
	base.LaunchRows = t.Limits.Rows
	base.Block, base.Packing = t.Drafts.Block, t.Packing()
	if t.Drafter != nil {
		base.MostBehind = t.Drafter.MostBehind
	}
	base.LaunchEarly = t.Drafter != nil && t.Drafter.OverlapMs > 0
	base.Context = f.Server.Context
	if f.Server.Parallel > 0 {
		base.Lanes = f.Server.Parallel
	}
	if base.Prices, err = t.Belief(v.CalibKind()); err != nil {
		return nil, err
	}
	config, notes, err := v.Config(base)
	if err != nil {
		return nil, fmt.Errorf("arm %s: %w", a.Name, err)
	}
	if config.Lanes > mostLanes {
		return nil, fmt.Errorf("%s: arm %s: %d lanes; at most %d are simulated",
			f.At(f.Server.ParallelPos.Line, f.Server.ParallelPos.Col), a.Name, config.Lanes, mostLanes)
	}
	out := &arm{name: a.Name, config: config, cache: f.Server.PromptCacheGiB}
	if bytes, set := v.PromptCacheBytes(); set {
		out.cache = float64(bytes) / (1 << 30)
	}
	if out.cache == 0 {
		notes = append(notes, v.UnkeptNotes()...)
	}
	for _, n := range notes {
		out.notes = append(out.notes, n.String())
	}
	if config.Drafts && t.Drafter == nil {
		out.notes = append(out.notes, "the machine has no figures of a drafter: passes cost nothing here")
	}
	return out, nil
}
