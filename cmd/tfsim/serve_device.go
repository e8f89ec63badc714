package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
	"github.com/tfsim/tfsim/sim"
)

// served is a device with the scheduler's configuration for it.
type served struct {
	name   string
	device interface {
		device.Device
		device.Tokenizer
	}
	base   core.Config // without settings
	config core.Config
	belief belief
	cache  int64
	notes  []string
	// speed is that of a simulated machine, drafter a model's.
	speed   float64
	drafter string
}

const (
	simulatedContext = 262_144
	modelLanes       = 4
	modelContext     = 8192
)

// device opens the device and configures its scheduler.
func (f *serveFlags) device(ctx context.Context, v settings.Values) (*served, error) {
	var table *costmodel.Table
	if f.machine != "" {
		var err error
		if table, err = costmodel.Open(f.machine); err != nil {
			return nil, err
		}
	}
	switch {
	case f.model != "":
		return f.openModel(ctx, v, table)
	case table != nil:
		return f.openMachine(v, table)
	}
	return nil, errors.New("nothing to serve: give --machine NAME for a simulated machine, or --model FILE")
}

// sizes are the lanes and context that the settings ask for.
func sizes(v settings.Values, lanes, context int) (int, int, error) {
	base := core.DefaultConfig()
	base.Lanes, base.Context = lanes, context
	c, _, err := v.Config(base)
	return c.Lanes, c.Context, err
}

func (f *serveFlags) openMachine(v settings.Values, t *costmodel.Table) (*served, error) {
	lanes, context, err := sizes(v, core.DefaultConfig().Lanes, simulatedContext)
	if err != nil {
		return nil, err
	}
	if !(f.noise >= 0 && f.noise <= 2) {
		return nil, fmt.Errorf("--noise %g: want 0 to 2", f.noise)
	}
	if !(f.speed > 0 && f.speed <= 1e6) {
		return nil, fmt.Errorf("--speed %g: want over 0, at most 1000000", f.speed)
	}
	world := sim.DefaultWorld()
	world.Noise = f.noise
	m, err := sim.OpenLive(t, sim.LiveOptions{Slots: lanes, Context: context, Speed: f.speed, World: world, Load: f.load})
	if err != nil {
		return nil, err
	}
	s := &served{name: t.Machine, device: m, speed: f.speed, belief: belief{Machine: f.machine, Kind: v.CalibKind(), Version: version()}}
	if err := s.belief.hold(t); err != nil {
		return nil, err
	}
	return f.configured(s, v, core.DefaultConfig())
}

func (f *serveFlags) openModel(ctx context.Context, v settings.Values, table *costmodel.Table) (*served, error) {
	lanes, context, err := sizes(v, modelLanes, modelContext)
	if err != nil {
		return nil, err
	}
	d, err := f.modelFlags.open(ctx, f.mac, lanes, context)
	if err != nil {
		return nil, err
	}
	s := &served{name: strings.TrimSuffix(filepath.Base(f.model), ".gguf"), device: d, drafter: filepath.Base(f.drafter)}
	// Prompts run in pieces beside replies, and drafts are asked where what
	// was measured says that they pay.
	base := core.DefaultConfig()
	base.Steps, base.StepRows, base.PromptShare = true, 4*d.Info().Shapes.ChunkRows, 500_000
	base.Rule, base.PlainStreams = core.RuleMeasured, 0
	if err = f.believe(s, v, table); err == nil {
		s, err = f.configured(s, v, base)
	}
	if err != nil {
		_ = d.Close()
	}
	return s, err
}

// believe chooses what to believe of a model's costs: the machine that is named,
// else what was measured of the device, else a formula; a formula in any case
// if that is what the settings say.
func (f *serveFlags) believe(s *served, v settings.Values, named *costmodel.Table) error {
	text, set := v.Get("TF_DSV41_CALIB")
	s.belief = belief{Kind: costmodel.BeliefDefault, Version: version()}
	if i := s.device.Info(); i.DraftSteps {
		s.belief.Steps = i.DraftDepth
	}
	if set && v.CalibKind() == costmodel.BeliefDefault {
		return nil
	}
	table := named
	if table == nil {
		var err error
		if table, err = calibrated(s.device.Info(), f.threads); err != nil {
			return err
		}
		s.belief.Measured = table != nil
	}
	if table == nil {
		if set {
			s.notes = append(s.notes, "TF_DSV41_CALIB="+text+": no costs of this device and model are kept; run tfsim calibrate")
		}
		return nil
	}
	s.belief.Machine, s.belief.Kind, s.belief.Steps = f.machine, costmodel.BeliefMeasured, 0
	return s.belief.hold(table)
}

// configured lays the settings over what the device says of itself.
func (f *serveFlags) configured(s *served, v settings.Values, base core.Config) (*served, error) {
	info := s.device.Info()
	if f.name != "" {
		s.name = f.name
	}
	base.Lanes, base.Context, base.LaunchRows = info.Slots, info.Context, info.Shapes.LaunchRows
	base.Queue = 16 * info.Slots
	var err error
	if base.Prices, err = s.belief.prices(); err != nil {
		return nil, err
	}
	base.Drafts, base.Block = info.DraftDepth > 0, info.DraftDepth
	base.DraftDepth = draftDepth(info, base.DraftDepth) // deeper windows would break a promise
	s.base = base
	s.cache, _ = v.PromptCacheBytes()
	config, notes, err := s.configure(v)
	if err != nil {
		return nil, err
	}
	s.config = config
	for _, n := range notes {
		s.notes = append(s.notes, n.String())
	}
	return s, nil
}

// configure makes a configuration of settings over what the device says.
func (s *served) configure(v settings.Values) (core.Config, []settings.Note, error) {
	c, notes, err := v.Config(s.base)
	if err != nil {
		return c, nil, err
	}
	if s.cache == 0 {
		notes = append(notes, v.UnkeptNotes()...)
	}
	most := s.device.Info().DraftDepth
	c.Block, c.DraftDepth = min(c.Block, most), min(c.DraftDepth, most)
	return c, notes, nil
}

// describe says in words what is served.
func (s *served) describe(live *engine.Live, srv *server.Server) string {
	info := live.Info()
	words := []string{info.Name}
	if s.speed != 0 && s.speed != 1 {
		words[0] += fmt.Sprintf(" at %g times its speed", s.speed)
	}
	c := live.Config()
	lanes := fmt.Sprintf("%d lanes", c.Lanes)
	if c.Lanes == 1 {
		lanes = "1 lane"
	}
	words = append(words, lanes, fmt.Sprintf("context %d", c.Context))
	if c.Steps {
		words = append(words, "prompts in steps")
	} else {
		words = append(words, "whole prompts")
	}
	switch {
	case !c.Drafts:
		words = append(words, "no drafts")
	case s.drafter != "":
		words = append(words, "drafts by "+s.drafter)
	}
	if s.belief.Measured {
		words = append(words, "calibrated costs")
	}
	if info.Promise.Level == device.Exact {
		words = append(words, "exact")
	} else {
		words = append(words, "not exact: "+info.Promise.Reason)
	}
	if s.speed == 0 {
		words = append(words, "chat template "+srv.Template())
	}
	return strings.Join(words, ", ")
}
