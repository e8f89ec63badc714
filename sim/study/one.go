package study

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/workload"
)

// one plays one cell with one seed. Of a trace, part is told how much was
// played; it may be nil.
func (p *plan) one(ctx context.Context, c *cell, repeat int, part func(float64)) error {
	world := truth(c)
	world.Seed += uint64(repeat)
	source, err := workload.Open(p.file, c.case_, world.Seed)
	if err != nil {
		return err
	}
	rec := result.NewRecorder(result.Options{
		PerRequest: c.case_.Workload == nil || c.case_.Workload.PerRequest,
		Workload:   c.case_.Workload != nil,
		Lanes:      c.arm.config.Lanes,
		SLO:        slo(c.case_.SLO),
	})
	feed := newFeed(ctx, source, rec, c)
	defer feed.close()
	for i, r := range c.case_.Requests {
		// Declared ahead, results are in the order of the file.
		rec.Expect(core.ID(i+1), result.Meta{Name: r.ID, Sent: r.At, Prompt: r.Prompt, Output: r.Output})
	}
	if feed.trace != nil {
		feed.trace.part = part
	}
	config := c.arm.config
	var out *bufio.Writer
	var lines *result.JSONL
	if p.opts.Events == nil {
		config.Sink = p.watch(c, world.Seed, repeat, feed, rec)
	} else {
		out = bufio.NewWriter(p.opts.Events)
		feed.names = map[core.ID]string{}
		lines = result.NewJSONL(out, feed.name)
		lines.Begin(result.Head{
			Scenario: p.file.Name, Machine: p.table.Machine,
			World: c.world.Name, Case: c.case_.Name, Arm: c.arm.name, Seed: world.Seed,
		})
		config.Sink = p.watch(c, world.Seed, repeat, feed, rec, lines)
	}
	report, err := sim.Run{Table: p.table, World: world, Config: config, CacheGiB: c.arm.cache, Source: feed}.Do()
	if errors.Is(err, errStopped) {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("case %s, arm %s: %w", c.case_.Name, c.arm.name, err)
	}
	c.runs[repeat] = rec.Result(report.End)
	if feed.trace != nil && feed.trace.held {
		c.runs[repeat].Saturated = true
	}
	if repeat == 0 {
		c.notes = append(remarks(report, config.Context), feed.trace.notes(feed.cache)...)
	}
	if out != nil {
		if err := errors.Join(lines.Err(), out.Flush()); err != nil {
			return fmt.Errorf("writing events: %w", err)
		}
	}
	return nil
}

// remarks are what a run says of how far to trust it.
func remarks(r sim.Report, context int) []string {
	var notes []string
	switch r.Worst {
	case costmodel.Estimated:
		notes = append(notes, "some prices are estimated: the machine's table has no measurement of these shapes")
	case costmodel.Extrapolated:
		notes = append(notes, "some prices are extrapolated beyond what the machine's table holds")
	}
	if n := r.TooLong; n > 0 {
		notes = append(notes, fmt.Sprintf("requests refused: %d, longer than the context of %d tokens", n, context))
	}
	if n := r.Refused - r.TooLong; n > 0 {
		notes = append(notes, fmt.Sprintf("requests refused: %d, beyond the queue's bound", n))
	}
	return notes
}

func truth(c *cell) sim.World {
	w := c.world
	heat := w.Heat
	if c.case_.Heat != nil {
		heat = *c.case_.Heat
	}
	return sim.World{
		Seed: w.Seed, Noise: w.Noise, Expected: w.Drafts == scenario.DraftsExpected,
		Rows: w.Rows, Pass: w.Pass, Chunk: w.Chunk, Confidence: w.Confidence, Heat: heat,
	}
}

func slo(s *scenario.SLO) *result.SLO {
	if s == nil {
		return nil
	}
	return &result.SLO{TTFT: core.Micros(s.TTFT*1e6 + 0.5), GapP95: core.Micros(s.GapP95*1e3 + 0.5)}
}
