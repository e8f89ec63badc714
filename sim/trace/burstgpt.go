package trace

import (
	"math"
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// burstGPT reads BurstGPT, in the form of six columns and in that of eight
// with sessions. Times are seconds from the first day; a request that failed
// has a reply of 0 tokens.
type burstGPT struct{ table }

func newBurstGPT(r *rows) source {
	return &burstGPT{table{rows: r, format: BurstGPT, columns: []string{"Timestamp", "Request tokens", "Response tokens"}}}
}

func (b *burstGPT) next(r *Request) error {
	row, err := b.table.next()
	if err != nil {
		return err
	}
	v, err := strconv.ParseFloat(row[0], 64)
	if err != nil || !(v >= 0 && v <= mostSeconds) {
		return wrong("Timestamp is no time", blank(row[0]), "seconds, from 0 to %.0f", float64(mostSeconds))
	}
	r.At = core.Micros(math.Round(v * 1e6))
	if r.Prompt, err = tokens("Request tokens", row[1]); err != nil {
		return err
	}
	r.Output, err = tokens("Response tokens", row[2])
	return err
}

func (b *burstGPT) place() int { return b.line }

// mostSeconds bounds a time: its microseconds are whole numbers of a float.
const mostSeconds = 4e9
