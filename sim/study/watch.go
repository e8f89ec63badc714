package study

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// Watched is a run as told to somebody who watches it.
type Watched struct {
	World, Case, Arm string
	// Seed is the run's own: that of its world and the repeats before it.
	Seed uint64
	// Repeat counts the runs of one cell, from 0.
	Repeat int
	// Name gives the name of a request in flight. It is only valid while the
	// sink records.
	Name func(core.ID) string
}

// watch gives the sink of one cell's run: the recorder, and whoever watches.
func (p *plan) watch(c *cell, seed uint64, repeat int, f *feed, rec *result.Recorder, more ...core.Sink) core.Sink {
	all := append(sinks{rec}, more...)
	if p.opts.Watch != nil {
		w := Watched{
			World: c.world.Name, Case: c.case_.Name, Arm: c.arm.name,
			Seed: seed, Repeat: repeat, Name: f.name,
		}
		if s := p.opts.Watch(w); s != nil {
			f.names = map[core.ID]string{}
			all = append(all, s)
		}
	}
	if len(all) == 1 {
		return rec
	}
	return all
}

// name of a request in flight, for events.
func (f *feed) name(id core.ID) string { return f.names[id] }

// sinks hand each event on in order.
type sinks []core.Sink

func (all sinks) Record(e *core.Event) {
	for _, s := range all {
		s.Record(e)
	}
}
