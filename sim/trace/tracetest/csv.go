package tracetest

import (
	"bufio"
	"time"

	"github.com/tfsim/tfsim/sim/random"
)

// azure2023 has times of seven digits and lines as on Windows.
func azure2023(s Shape, w *bufio.Writer) {
	start := time.Date(2023, 11, 16, 18, 15, 46, 680_590_000, time.UTC)
	put(w, "TIMESTAMP,ContextTokens,GeneratedTokens\r\n")
	s.each(func(_ int, r request) {
		at := start.Add(time.Duration(r.at) * time.Microsecond)
		put(w, "%s,%d,%d\r\n", at.Format("2006-01-02 15:04:05.0000000"), r.prompt, r.output)
	})
}

// azure2024 has times with a zone, and no fraction where that is zero.
func azure2024(s Shape, w *bufio.Writer) {
	start := time.Date(2024, 5, 10, 0, 0, 0, 9_930_000, time.UTC)
	put(w, "TIMESTAMP,ContextTokens,GeneratedTokens\n")
	s.each(func(_ int, r request) {
		at := start.Add(time.Duration(r.at) * time.Microsecond)
		layout := "2006-01-02 15:04:05.000000+00:00"
		if at.Nanosecond() == 0 {
			layout = "2006-01-02 15:04:05+00:00"
		}
		put(w, "%s,%d,%d\n", at.Format(layout), r.prompt, r.output)
	})
}

// burst is what the two forms of BurstGPT have in common: whole seconds, and
// some requests that failed.
func burst(s Shape, row func(i int, second int64, model string, r request, log string)) {
	kinds := random.New(s.Seed, "kinds")
	s.each(func(i int, r request) {
		if kinds.Uniform(uint64(2*i)) < 0.05 {
			r.output = 0
		}
		model, log := "ChatGPT", "Conversation log"
		if kinds.Uniform(uint64(2*i+1)) < 0.3 {
			model, log = "GPT-4", "API log"
		}
		row(i, int64(r.at)/1e6, model, r, log)
	})
}

func burstGPT(s Shape, w *bufio.Writer) {
	put(w, "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n")
	burst(s, func(_ int, second int64, model string, r request, log string) {
		put(w, "%d,%s,%d,%d,%d,%s\n", second+5, model, r.prompt, r.output, r.prompt+r.output, log)
	})
}

func burstGPTSessions(s Shape, w *bufio.Writer) {
	ids := random.New(s.Seed, "sessions")
	put(w, "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n")
	burst(s, func(i int, second int64, model string, r request, log string) {
		put(w, "%d.0,%016x,%d,%s,%d,%d,%d,%s\n", second+19_440_110, ids.Bits(uint64(i/3)), 1+r.output/30, model, r.prompt, r.output, r.prompt+r.output, log)
	})
}
