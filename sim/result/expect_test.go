package result

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func to(v float64) *float64 { return &v }

func TestEvaluate(t *testing.T) {
	doc := sample2arms()
	for _, c := range []struct {
		check Check
		want  ExpectResult
	}{
		{
			Check{Case: "reply first", Arm: "share", Request: "reply", Metric: "done_s", Below: to(5)},
			ExpectResult{OK: true, Value: Some(3.29), Text: "reply first / share / reply: done_s 3.29, expected below 5"},
		},
		{
			Check{Case: "reply first", Arm: "base", Request: "reply", Metric: "done_s", Below: to(5)},
			ExpectResult{Value: Some(140.4), Text: "reply first / base / reply: done_s 140.4, expected below 5"},
		},
		{
			Check{Case: "reply first", Arm: "share", Metric: "decode_tok_s", Above: to(0.9), Of: "base"},
			ExpectResult{OK: true, Value: Some(0.963222), Text: "reply first / share: decode_tok_s 0.963222 of base, expected above 0.9"},
		},
		{
			Check{Case: "reply first", Arm: "share", Metric: "gap_ms.p95", Within: &[2]float64{600, 700}},
			ExpectResult{OK: true, Value: Some(687.9), Text: "reply first / share: gap_ms.p95 687.9, expected within 600 to 700"},
		},
		{
			Check{Case: "reply first", Arm: "base", Metric: "share", Below: to(0.5), Above: to(0.1)},
			ExpectResult{Text: "reply first / base: share no figure, expected below 0.5 and above 0.1"},
		},
		{
			Check{Case: "reply first", Arm: "share", Metric: "share", Below: to(1), Of: "base"},
			ExpectResult{Text: "reply first / share: share no figure of base, expected below 1"},
		},
		{
			Check{Case: "reply first", Request: "reply", Metric: "done_s", Below: to(5)},
			ExpectResult{Value: Some(140.4), Text: "reply first / base / reply: done_s 140.4, expected below 5"},
		},
		{
			Check{Case: "reply first", Arm: "gone", Metric: "wall_s", Below: to(5)},
			ExpectResult{Text: "reply first / gone: no such result"},
		},
		{
			Check{Case: "reply first", Arm: "base", Request: "who", Metric: "done_s", Below: to(5)},
			ExpectResult{Text: "reply first / base / who: no such request"},
		},
		{
			Check{Case: "reply first", Arm: "base", Metric: "tokens", Below: to(5)},
			ExpectResult{Text: `reply first / base: totals have no metric "tokens"`},
		},
		{
			Check{Case: "reply first", Arm: "base", Metric: "wall_s", Below: to(5), Of: "gone"},
			ExpectResult{Text: `reply first / base: no arm "gone" to compare with`},
		},
		{
			Check{Case: "reply first", Arm: "base", Metric: "rounds"},
			ExpectResult{Value: Some(27), Text: "reply first / base: rounds 27, expected a bound, but none is given"},
		},
	} {
		assert.Equal(t, c.want, Evaluate(doc, c.check))
	}
}

func TestSkip(t *testing.T) {
	r := Skip(Check{Case: "reply first", Arm: "share", Metric: "wall_s"}, "the arm is left out")
	assert.Equal(t, ExpectResult{OK: true, Skipped: true, Text: "reply first / share: wall_s skipped: the arm is left out"}, r)
}
