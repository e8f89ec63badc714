package core

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// play is a scheduler under a transcript.
type play struct {
	s     *Scheduler
	now   Micros
	told  strings.Builder
	names []string // of requests, by ID
	quiet bool     // events of tokens and work are not told
}

// newPlay reads the settings of a new command. Those not given are two lanes,
// steps and drafts off, and one launch of 16 rows.
func newPlay(t *testing.T, d *datadriven.TestData) (*play, error) {
	p := &play{}
	cfg := DefaultConfig()
	cfg.Lanes, cfg.Drafts, cfg.PlainStreams, cfg.Joint = 2, false, 0, 0
	cfg.Prices = unitPrices
	cfg.Sink = p
	ints := map[string]*int{
		"lanes": &cfg.Lanes, "context": &cfg.Context, "queue": &cfg.Queue,
		"step-rows": &cfg.StepRows, "policy": &cfg.PolicyRows, "decode-share": &cfg.DecodeShareRows,
		"budget": &cfg.BudgetRows, "passed-over": &cfg.PassedOver,
		"launch": &cfg.LaunchRows, "streams": &cfg.RoundStreams, "rows": &cfg.RoundRows,
		"block": &cfg.Block, "depth": &cfg.DraftDepth, "plain": &cfg.PlainStreams,
		"joint": &cfg.Joint, "depth-rows": &cfg.DepthRows,
	}
	bools := map[string]*bool{
		"steps": &cfg.Steps, "drafts": &cfg.Drafts, "skip": &cfg.Skip,
		"early": &cfg.LaunchEarly, "carry": &cfg.CarryOverrun,
	}
	for _, a := range d.CmdArgs {
		if at, ok := ints[a.Key]; ok {
			a.Scan(t, 0, at)
			continue
		}
		if at, ok := bools[a.Key]; ok {
			*at = one(t, d, a, map[string]bool{"on": true, "off": false})
			continue
		}
		switch a.Key {
		case "share":
			var f float64
			a.Scan(t, 0, &f)
			cfg.PromptShare = PPM(f*1e6 + 0.5)
		case "order":
			cfg.Order = one(t, d, a, map[string]Order{"turns": OrderTurns, "srpt": OrderSRPT, "fcfs": OrderFCFS})
		case "draft-rule":
			cfg.Rule = one(t, d, a, map[string]DraftRule{
				"earlier": RuleEarlier, "plain": RulePlain, "priced-1": RulePriced1, "priced-2": RulePriced2, "measured": RuleMeasured,
			})
		case "rule":
			cfg.Depth = one(t, d, a, map[string]DepthRule{"cost": DepthCost, "static": DepthStatic})
		default:
			d.Fatalf(t, "unknown setting %s", a.Key)
		}
	}
	var err error
	p.s, err = New(cfg)
	return p, err
}

func one[V any](t *testing.T, d *datadriven.TestData, a datadriven.CmdArg, of map[string]V) V {
	v, ok := of[strings.Join(a.Vals, ",")]
	if !ok {
		d.Fatalf(t, "setting %s: unknown value %v", a.Key, a.Vals)
	}
	return v
}

func parseSpan(t *testing.T, d *datadriven.TestData, text string) Micros {
	v, err := time.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return Micros(v.Microseconds())
}

func (p *play) id(name string) ID {
	for k, n := range p.names {
		if n == name {
			return ID(k)
		}
	}
	p.names = append(p.names, name)
	return ID(len(p.names) - 1)
}

func (p *play) name(id ID) string { return p.names[id] }

// Record tells an event. Work is told by its action, unless something is
// owed after it.
func (p *play) Record(e *Event) {
	switch e.Kind {
	case EventAdmitted:
		p.tell("  %s takes slot %d", p.name(e.ID), e.Slot)
	case EventBegin:
		p.tell("  %s restores %d rows", p.name(e.ID), e.Rows)
	case EventFinished, EventCancelled, EventFailed:
		why := ""
		if e.Reason != e.Kind.String() {
			why = " (" + e.Reason + ")"
		}
		p.tell("  %s %s%s, tokens %d", p.name(e.ID), e.Kind, why, e.Total)
	case EventLost:
		p.tell("  %s lost its slot: %d rows to fill again", p.name(e.ID), e.Rows)
	case EventTokens:
		if !p.quiet {
			p.tell("  %s +%d = %d", p.name(e.ID), e.Tokens, e.Total)
		}
	case EventStep, EventPass, EventRound:
		if !p.quiet && e.Owed > 0 {
			p.tell("  owed %s", span(e.Owed))
		}
	}
}

// action is an action in words.
func (p *play) action(a *Action) string {
	var b strings.Builder
	b.WriteString(a.Kind.String())
	switch a.Kind {
	case Begin:
		fmt.Fprintf(&b, " %s", p.name(a.ID))
	case Step:
		fmt.Fprintf(&b, " %s rows %d-%d", p.name(a.ID), a.From, a.From+a.Rows)
		if a.Last {
			b.WriteString(" last")
		}
	case Pass:
		for _, k := range a.Asks {
			fmt.Fprintf(&b, " %s:%d", p.name(k.ID), k.Depth)
			if k.CatchUp > 0 {
				fmt.Fprintf(&b, "(catches up %d)", k.CatchUp)
			}
		}
		if a.Early {
			b.WriteString(" early")
		}
	case Round:
		for _, w := range a.Windows {
			fmt.Fprintf(&b, " %s", p.name(w.ID))
			if w.Held > 0 {
				fmt.Fprintf(&b, ":%d/%d", w.Drafts, w.Held)
			}
		}
		if len(a.Launches) > 1 {
			fmt.Fprintf(&b, " in launches %v", a.Launches)
		}
		if a.LaunchEarly {
			b.WriteString(" launches the pass early")
		}
	}
	if a.Beside && a.Kind <= Step {
		b.WriteString(" beside")
	}
	if len(a.Release) > 0 {
		fmt.Fprintf(&b, " releasing %v", a.Release)
	}
	return b.String()
}
