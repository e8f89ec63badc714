package trace

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// mooncake reads the traces of Mooncake: one JSON object a line, times in
// milliseconds, and an id for each 512 tokens of a prompt that tells all of
// the prompt up to there.
type mooncake struct{ *rows }

func newMooncake(r *rows) source { return &mooncake{r} }

func (m *mooncake) next(r *Request) error {
	line, err := m.rows.next()
	if err != nil {
		return err
	}
	var x struct {
		Timestamp *float64 `json:"timestamp"`
		Input     *int     `json:"input_length"`
		Output    *int     `json:"output_length"`
		HashIDs   []int64  `json:"hash_ids"`
	}
	if err := unmarshal(line, &x); err != nil {
		return err
	}
	const needed = "an object has timestamp, input_length, output_length and hash_ids"
	switch {
	case x.Timestamp == nil:
		return wrong("no timestamp", string(line), needed)
	case !(*x.Timestamp >= 0 && *x.Timestamp <= mostSeconds*1e3):
		return wrong("timestamp is no time", strconv.FormatFloat(*x.Timestamp, 'g', -1, 64), "milliseconds, from 0 to %.0f", float64(mostSeconds*1e3))
	case x.Input == nil:
		return wrong("no input_length", string(line), needed)
	case x.Output == nil:
		return wrong("no output_length", string(line), needed)
	}
	for _, l := range []struct {
		name  string
		value int
	}{{"input_length", *x.Input}, {"output_length", *x.Output}} {
		if l.value < 0 || l.value > mostTokens {
			return wrong(l.name+" is no number of tokens", strconv.Itoa(l.value), "a whole number from 0 to %d", mostTokens)
		}
	}
	if most := (*x.Input + BlockTokens - 1) / BlockTokens; len(x.HashIDs) > most {
		return wrong("too many hash_ids", strconv.Itoa(len(x.HashIDs)), "one for each %d tokens: %d tokens have %d", BlockTokens, *x.Input, most)
	}
	r.At = core.Micros(math.Round(*x.Timestamp * 1e3))
	r.Prompt, r.Output = *x.Input, *x.Output
	for _, id := range x.HashIDs {
		r.Blocks = append(r.Blocks, uint64(id))
	}
	return nil
}

func (m *mooncake) place() int { return m.line }

// unmarshal is the library's, with an error of this package.
func unmarshal(line []byte, into any) error {
	err := json.Unmarshal(line, into)
	if err == nil {
		return nil
	}
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return mistyped("", e)
	}
	return wrong("not a JSON object", string(line), "one object a line (%v)", err)
}
