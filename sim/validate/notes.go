package validate

import "strings"

// startHeat is the slowdown at the start of a case by machine: on the M3
// Ultra the fill bench's cells follow each other, and each starts as hot as
// the one before it left the machine.
var startHeat = map[string]map[string]float64{
	"m3-ultra-512gb": {"reply first": 0.02, "long first": 0.28},
}

// unidentified is the note of a cell that the model does not explain; such
// cells are shown, and left out of the group's figures.
const unidentified = "unidentified"

// notes mark those cells; docs/fidelity.md says what was tried.
var notes = map[string]string{
	"m5-ultra-512gb/fill/base/long first/reply.gap_max_ms": unidentified + ": one delivery of the reply comes a round late",
	"m3-ultra-512gb/fill/base/long first/reply.gap_max_ms": unidentified + ": one delivery of the reply comes a round late",
	"m5-ultra-512gb/fill/pieces/long first/reply.done_s":   unidentified + ": one more step than the share rule gives",
	"m5-ultra-512gb/fill/fcfs/reply first/reply.done_s":    unidentified + ": three steps where the share rule gives one",
	"m5-ultra-512gb/fill/fcfs/long first/reply.done_s":     unidentified + ": four steps where the share rule gives two",
}

// fittedFill are the parts of ids in the fill and cold groups that helped to
// choose the tables' prompt costs and heat: by figures taken from them, or by
// having decided between two shapes of the model. The rest is predicted.
var fittedFill = []string{
	"/pieces/reply first/reply.gap_max_ms",
	"/decode-share/reply first/reply.gap_max_ms",
	"/fcfs/reply first/reply.gap_max_ms",
	"/fill/base/reply first/long.ttft_s",
	"/fill/base/long first/long.ttft_s",
	"/cold/base/",
	// The 64-row prompt's cost.
	"m5-ultra-512gb/fill/pieces/reply first/reply.done_s",
	"m5-ultra-512gb/fill/decode-share/reply first/reply.done_s",
	// What a prompt pays at its end rather than at its first row.
	"m5-ultra-512gb/fill/decode-share/long first/reply.done_s",
	"m5-ultra-512gb/fill/pieces/long first/reply.done_s",
	// The tail of a 2,048-row step.
	"m5-ultra-512gb/fill/fcfs/reply first/reply.done_s",
	"m5-ultra-512gb/fill/fcfs/long first/reply.done_s",
	// The heat that the long-first cells start with.
	"m3-ultra-512gb/fill/pieces/long first/reply.gap_max_ms",
	"m3-ultra-512gb/fill/decode-share/long first/reply.gap_max_ms",
}

// fitted says that a cell helped to choose the figures of its table. The
// decode cells with 128 tokens on the M5 Ultra, and those with 3 streams on
// the M3 Ultra, were kept for checking.
func fitted(c *cell) bool {
	if c.group != GroupDecode {
		for _, part := range fittedFill {
			if strings.Contains(c.id, part) {
				return true
			}
		}
		return false
	}
	if c.machine == "m3-ultra-512gb" {
		return !strings.Contains(c.id, "/3 ")
	}
	return !strings.HasSuffix(c.id, " 128/decode_tok_s")
}
