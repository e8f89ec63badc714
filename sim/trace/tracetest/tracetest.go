// Package tracetest makes traces in every format, for tests, benchmarks and
// the shipped samples. The same shape and seed give the same bytes.
package tracetest

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
)

// Shape says what the traffic is like.
type Shape struct {
	Seed     uint64
	Requests int
	// Rate is requests a second, whose gaps are exponential.
	Rate float64
	// Prompt and Output are lengths in tokens, lognormal.
	Prompt, Output Lengths
}

// Lengths are those of prompts or replies.
type Lengths struct{ Median, P95 float64 }

// request is one of the traffic.
type request struct {
	at             core.Micros
	prompt, output int
}

// each makes the requests in order of time.
func (s Shape) each(do func(i int, r request)) {
	gaps := random.New(s.Seed, "gaps").Sequence()
	draws := random.New(s.Seed, "lengths").Sequence()
	at := 0.0
	for i := range s.Requests {
		at += gaps.Exp() / s.Rate
		do(i, request{core.Micros(at * 1e6), s.Prompt.draw(&draws), s.Output.draw(&draws)})
	}
}

func (l Lengths) draw(s *random.Sequence) int {
	const z95 = 1.6448536269514722
	mu := random.Log(l.Median)
	sigma := (random.Log(l.P95) - mu) / z95
	return max(1, int(random.Exp(mu+float64(sigma*s.Norm()))+0.5))
}

// writers are the kinds of trace.
var writers = map[string]func(Shape, *bufio.Writer){
	"azure-2023":        azure2023,
	"azure-2024":        azure2024,
	"burstgpt":          burstGPT,
	"burstgpt-sessions": burstGPTSessions,
	"mooncake":          mooncake,
	"sharegpt":          shareGPT,
	"events":            events,
	"record":            record,
}

// Samples are the shipped samples: a file's name and the kind of trace.
var Samples = []struct{ File, Kind string }{
	{"azure-2023.csv", "azure-2023"}, {"azure-2024.csv", "azure-2024"},
	{"burstgpt.csv", "burstgpt"}, {"burstgpt-sessions.csv", "burstgpt-sessions"},
	{"mooncake.jsonl", "mooncake"}, {"sharegpt.json", "sharegpt"},
	{"events.jsonl", "events"}, {"server.record", "record"},
}

// Sample is the shape of the shipped samples.
var Sample = Shape{Seed: 1, Requests: 120, Rate: 0.2, Prompt: Lengths{600, 4000}, Output: Lengths{80, 400}}

// Write writes a trace. It panics on an unknown kind.
func (s Shape) Write(w io.Writer, kind string) error {
	out := bufio.NewWriterSize(w, 1<<16)
	writers[kind](s, out)
	return out.Flush()
}

func put(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }
