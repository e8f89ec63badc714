package recorded

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim"
	"github.com/tfsim/tfsim/sim/result"
)

// loadName is the kind of text that all requests have in a table of their own.
const loadName = "recorded"

// mostRows is the most rows of a launch that a table has.
const mostRows = 1024

// ErrNoDrafts says that a configuration drafts where nothing recorded tells
// what drafts would be worth.
var ErrNoDrafts = errors.New("the record has no drafts: nothing tells what drafts would have done")

// Table is the costs of the record itself.
func (r *Recording) Table() (*costmodel.Table, error) {
	from := costmodel.Provenance{Grade: costmodel.Fitted, Source: "a server's record"}
	text := costmodel.DraftText{Settle: 1, Score: costmodel.Score{Scale: 1}}
	t := &costmodel.Table{
		Machine: "recorded", Device: "the server's device", Weights: "the server's model",
		Limits:     costmodel.Limits{Rows: min(max(r.Config.LaunchRows, r.Config.Lanes), mostRows), Windows: min(r.Config.Lanes, mostRows)},
		Provenance: costmodel.Sections{Drafts: from},
		Drafts: costmodel.Drafts{Block: max(r.Config.Block, 1), Loads: map[string]costmodel.DraftLoad{
			loadName: {Greedy: text, Sampled: text},
		}},
	}
	p := r.Config.Packing
	if t.Limits.Least, t.Limits.Multiple = p.Least, p.Multiple; p.Longest {
		t.Caches = costmodel.StreamCaches
	}
	err := r.Timed.Costs(t, from)
	if err != nil && !r.Reach.Whole {
		err = fmt.Errorf("%s: %w", r.Reach.Short(), err)
	}
	return t, err
}

// keepGiB is room for every prompt state of a record.
const keepGiB = 1 << 20

// Simulate plays the requests on a table, with the noise of its rounds, under a configuration.
func (r *Recording) Simulate(t *costmodel.Table, c core.Config) (result.Run, error) {
	if c.Drafts && c.Rule != core.RulePlain && len(r.Timed.Passes) == 0 {
		if r.Config.Drafts {
			c.Drafts = false // the rule never asked, and does not here
		} else {
			return result.Run{}, ErrNoDrafts
		}
	}
	figures := result.NewRecorder(result.Options{PerRequest: true, Lanes: c.Lanes})
	for i := range r.Requests {
		q := &r.Requests[i]
		figures.Expect(q.ID, result.Meta{Name: strconv.FormatUint(uint64(q.ID), 10), Sent: r.At[i], Prompt: q.Prompt, Output: q.Output})
	}
	c.Sink = figures
	world := sim.DefaultWorld()
	world.RoundNoise = t.Noise
	report, err := sim.Run{
		Table: t, World: world, Config: c, CacheGiB: keepGiB, Source: &source{of: r},
	}.Do()
	if err != nil {
		return result.Run{}, err
	}
	return figures.Result(report.End), nil
}

// source gives the requests at their times.
type source struct {
	of   *Recording
	next int
}

func (s *source) Peek() core.Micros {
	if s.next == len(s.of.At) {
		return core.Never
	}
	return s.of.At[s.next]
}

func (s *source) Next(r *sim.Request) error {
	*r = s.of.Requests[s.next]
	s.next++
	return nil
}

func (s *source) Ended(core.ID, core.Micros) {}
