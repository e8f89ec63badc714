package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

var libraryTables = func() (all []*costmodel.Table) {
	for _, name := range []string{"m3-ultra-512gb", "m5-ultra-512gb", "gb10-x2", "h200-llamacpp-vulkan"} {
		t, err := costmodel.Open(name)
		if err != nil {
			panic(err)
		}
		all = append(all, t)
	}
	return append(all, exact())
}()

// drawRequests are some requests; cancels says whether clients may go away.
func drawRequests(t *rapid.T, cancels bool) []Timed {
	var all []Timed
	for i := range rapid.IntRange(1, 8).Draw(t, "requests") {
		r := Request{
			ID:     core.ID(i + 1),
			Prompt: rapid.OneOf(rapid.IntRange(1, 300), rapid.IntRange(1, 20_000)).Draw(t, "prompt"),
			Output: rapid.IntRange(1, 60).Draw(t, "output"),
			Loads:  [2]string{"chat", "chat"}, CancelAt: core.Never, Text: uint64(i),
			Background: rapid.Bool().Draw(t, "background"),
			NoDraft:    rapid.IntRange(0, 4).Draw(t, "no draft") == 0,
		}
		if rapid.Bool().Draw(t, "sampled") {
			r.Temperature = 1
		}
		if rapid.Bool().Draw(t, "turns") {
			r.TurnAt = rapid.IntRange(1, 40).Draw(t, "turn at")
		}
		if rapid.Bool().Draw(t, "prefix") {
			r.Prefix, r.PrefixTokens = rapid.Uint64Range(1, 2).Draw(t, "key"), rapid.IntRange(1, r.Prompt).Draw(t, "shared")
		}
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "twin") == 0 {
			before := all[i-1].Request
			r.Prompt, r.Loads, r.TurnAt, r.Text, r.Twin = before.Prompt, before.Loads, before.TurnAt, before.Text, true
			r.PrefixTokens = min(r.PrefixTokens, r.Prompt)
			all[i-1].Twin = true
		}
		at := core.Micros(rapid.Int64Range(0, 2e7).Draw(t, "at"))
		if cancels && rapid.Bool().Draw(t, "cancels") {
			r.CancelAt = at + core.Micros(rapid.Int64Range(1, 2e7).Draw(t, "cancel after"))
		}
		all = append(all, Timed{at, r})
	}
	return all
}

func drawConfig(t *rapid.T, table *costmodel.Table) core.Config {
	c := config(t, table)
	c.Lanes = rapid.IntRange(1, 5).Draw(t, "lanes")
	c.Steps = rapid.Bool().Draw(t, "steps")
	c.StepRows = rapid.SampledFrom([]int{64, 512, 4096, 8192}).Draw(t, "step rows")
	c.DecodeShareRows = rapid.SampledFrom([]int{0, 512}).Draw(t, "share rows")
	c.BudgetRows = rapid.SampledFrom([]int{0, 1000}).Draw(t, "budget")
	c.Order = rapid.SampledFrom([]core.Order{core.OrderTurns, core.OrderSRPT, core.OrderFCFS}).Draw(t, "order")
	c.PromptShare = core.PPM(rapid.Int64Range(250_000, int64(core.Whole)).Draw(t, "share"))
	c.Drafts = rapid.Bool().Draw(t, "drafts")
	c.DraftDepth = rapid.IntRange(0, 7).Draw(t, "depth")
	c.PlainStreams = rapid.IntRange(0, 4).Draw(t, "plain streams")
	c.Depth = rapid.SampledFrom([]core.DepthRule{core.DepthCost, core.DepthStatic}).Draw(t, "rule")
	c.Joint = rapid.IntRange(0, 2).Draw(t, "joint")
	c.LaunchEarly = rapid.Bool().Draw(t, "early")
	c.RoundStreams = rapid.IntRange(0, 3).Draw(t, "round streams")
	return c
}

func drawWorld(t *rapid.T) World {
	factor := rapid.Float64Range(0.5, 2)
	return World{
		Seed:  rapid.Uint64Range(0, 3).Draw(t, "seed"),
		Noise: rapid.SampledFrom([]float64{0, 0.05, 0.5}).Draw(t, "noise"),
		Rows:  factor.Draw(t, "rows"), Pass: factor.Draw(t, "pass"), Chunk: factor.Draw(t, "chunk"),
		Confidence: factor.Draw(t, "confidence"), Heat: rapid.Float64Range(-0.5, 0.5).Draw(t, "heat"),
		Expected: rapid.Bool().Draw(t, "expected"),
	}
}

// Schedules change when, never what: under any settings and in any world every
// request gets its whole output, and each round keeps exactly the drafts that
// its text guessed at that place.
func TestSchedulesNeverChangeWhat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := rapid.SampledFrom(libraryTables).Draw(t, "table")
		requests := drawRequests(t, false)
		w := drawWorld(t)
		p, report := play(t, table, w, drawConfig(t, table), rapid.SampledFrom([]float64{0, 1, 100}).Draw(t, "cache"), requests)
		require.Zero(t, report.Refused)
		texts, tokens := map[core.ID]*text{}, map[core.ID]int{}
		for _, r := range requests {
			x := r.text(table, w.Seed)
			texts[r.ID] = &x
		}
		for _, e := range p.events {
			switch e.Kind {
			case core.EventTokens:
				if !w.Expected {
					guessed := 0
					for guessed < e.Drafts && texts[e.ID].guessed(tokens[e.ID]+guessed, guessed) {
						guessed++
					}
					require.Equal(t, guessed, e.Kept)
				}
				tokens[e.ID] += e.Tokens
				require.Equal(t, tokens[e.ID], e.Total)
			case core.EventFinished:
				require.Equal(t, "length", e.Reason)
			}
		}
		for _, r := range requests {
			require.Equal(t, r.Output, tokens[r.ID], "request %d", r.ID)
		}
	})
}

// A reply is the same alone and in company: wherever both verify a draft at
// the same place and depth, both keep it or both do not.
func TestAloneAndConcurrent(t *testing.T) {
	type place struct{ token, draft int }
	outcomes := func(p *tape, id core.ID) map[place]bool {
		all, token := map[place]bool{}, 0
		for _, e := range p.events {
			if e.Kind != core.EventTokens || e.ID != id {
				continue
			}
			for j := range min(e.Drafts, e.Kept+1) {
				all[place{token + j, j}] = j < e.Kept
			}
			token += e.Tokens
		}
		return all
	}
	both := 0
	rapid.Check(t, func(t *rapid.T) {
		table := libraryTables[0]
		requests := drawRequests(t, true)
		w := drawWorld(t)
		w.Expected = false
		c := drawConfig(t, table)
		c.Drafts, c.Depth, c.DraftDepth = true, core.DepthStatic, 4
		company, _ := play(t, table, w, c, 0, requests)
		of := rapid.SampledFrom(requests).Draw(t, "one")
		of.CancelAt = core.Never
		alone, _ := play(t, table, w, c, 0, []Timed{of})
		mine := outcomes(alone, of.ID)
		for at, kept := range outcomes(company, of.ID) {
			if want, ok := mine[at]; ok {
				both++
				require.Equal(t, want, kept, at)
			}
		}
	})
	require.Positive(t, both)
}

// Time never runs backwards, the device is never busier than the clock, and
// the same seed gives the same bytes.
func TestTimeAndBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := rapid.SampledFrom(libraryTables).Draw(t, "table")
		requests := drawRequests(t, true)
		w, c := drawWorld(t), drawConfig(t, table)
		c.Queue = rapid.IntRange(0, 3).Draw(t, "queue")
		p, report := play(t, table, w, c, 1, requests)
		var now, busy core.Micros
		ended := 0
		for _, e := range p.events {
			require.GreaterOrEqual(t, e.At, now)
			require.GreaterOrEqual(t, e.Wall, core.Micros(0))
			now = e.At
			switch e.Kind {
			case core.EventStep, core.EventPass, core.EventRound, core.EventBegin:
				busy += e.Device
			case core.EventFinished, core.EventCancelled, core.EventFailed:
				ended++
			}
		}
		require.Equal(t, len(requests), ended)
		require.LessOrEqual(t, now, report.End)
		tail := core.Micros(4 * 450_000) // of a last step that nobody waited for, at most
		require.LessOrEqual(t, busy, report.End+tail)

		again, _ := play(t, table, w, c, 1, requests)
		require.Equal(t, p.bytes.String(), again.bytes.String())
	})
}

// Requests that cannot be served fail, and the others go on.
func TestRefused(t *testing.T) {
	table := exact()
	c := config(t, table)
	c.Lanes, c.Context, c.Queue = 1, 200, 1
	r := func(id core.ID, prompt int) Timed {
		return Timed{Request: *request(id, func(r *Request) { r.Prompt, r.Output = prompt, 2 })}
	}
	first := r(1, 64)
	first.At = 0
	later := func(x Timed) Timed { x.At = ms(1); return x }
	p, report := play(t, table, DefaultWorld(), c, 0,
		[]Timed{first, later(r(2, 64)), later(r(3, 64)), later(r(4, 199))})
	ends := map[core.ID]string{}
	for _, e := range p.events {
		switch e.Kind {
		case core.EventFinished, core.EventFailed, core.EventCancelled:
			ends[e.ID] += e.Kind.String() + " " + e.Reason
		}
	}
	require.Equal(t, map[core.ID]string{
		1: "finished length", 2: "finished length",
		3: "failed refused", // the queue holds one
		4: "failed refused", // prompt and reply exceed the context
	}, ends)
	require.Equal(t, 2, report.Refused)
}

func TestBadRequestEndsTheRun(t *testing.T) {
	table := exact()
	_, err := Run{Table: table, World: DefaultWorld(), Config: config(t, table),
		Source: NewFixed([]Timed{{Request: *request(1)}, {Request: *request(1)}})}.Do()
	require.ErrorIs(t, err, core.ErrRequest)
	c := config(t, table)
	c.Lanes = 0
	_, err = Run{Table: table, World: DefaultWorld(), Config: c, Source: NewFixed(nil)}.Do()
	require.ErrorContains(t, err, "lanes")
}

func TestFixedIsInTheOrderOfArrival(t *testing.T) {
	f := NewFixed([]Timed{{At: 5, Request: Request{ID: 1}}, {At: 3, Request: Request{ID: 2}}, {At: 5, Request: Request{ID: 3}}})
	var ids []core.ID
	for f.Peek() != core.Never {
		var r Request
		require.NoError(t, f.Next(&r))
		ids = append(ids, r.ID)
	}
	require.Equal(t, []core.ID{2, 1, 3}, ids)
}

// One noisy drafted run to the byte, for every platform to compare with.
func TestBytesOnEveryPlatform(t *testing.T) {
	table := exact()
	table.Heat = &hot
	c := config(t, table)
	c.Lanes, c.Steps, c.PromptShare, c.LaunchEarly, c.Joint = 3, true, 750_000, true, 2
	w := World{Seed: 42, Noise: 0.1, Rows: 1.1, Pass: 0.9, Chunk: 1.3, Confidence: 0.8, Heat: 0.05}
	var requests []Timed
	for i := range 12 {
		requests = append(requests, Timed{core.Micros(i) * 700_000, Request{
			ID: core.ID(i + 1), Prompt: 50 + 977*i, Output: 30 + 11*i, Loads: [2]string{"chat", "fair"}, TurnAt: 20,
			Temperature: float64(i % 2), CancelAt: core.Never, Text: uint64(i * i),
		}})
	}
	p, _ := play(t, table, w, c, 0, requests)
	sum := sha256.Sum256(p.bytes.Bytes())
	const want = "5bbd2991ba2f6894bc56de5f5c85fdc2e781ecfa41667d1bbd2cdfbf75a0ef3d"
	require.Equal(t, want, hex.EncodeToString(sum[:]), fmt.Sprint(len(p.events), " events"))
}
