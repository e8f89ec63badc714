package sim

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

var _ core.Truth = (*Device)(nil)

// Round is what a shape of the requests in the slots costs now, noise left
// out: an oracle knows the world, not its dice.
func (d *Device) Round(shape core.Shape) core.Nanos {
	l := costmodel.Load{Windows: shape.Windows, Rows: shape.Rows}
	var context, longest int64
	live, sampled, twins := 0, 0, 0
	var first *Request
	for k := range d.slots {
		r := d.slots[k].request
		if r == nil {
			continue
		}
		live++
		context += int64(r.Prompt + r.emitted)
		longest = max(longest, int64(r.Prompt+r.emitted))
		switch {
		case r.Temperature > 0:
			sampled++
		case first == nil:
			first = r
		case d.twins && r.Text == first.Text && r.emitted == first.emitted:
			twins++
		}
	}
	if live > 0 {
		l.Context = context * int64(shape.Windows) / int64(live)
		l.Longest = longest
		l.Sampled = shape.Rows * sampled / live
		l.Twins = min(twins, shape.Windows-1)
		l.Duplicate = shape.Rows * l.Twins / shape.Windows
	}
	price, _ := d.truth.table.Round([]costmodel.Load{l})
	return d.truth.now(price, d.truth.world.Rows)
}

// Pass is what a pass costs now, launched early or not.
func (d *Device) Pass(a core.Asked, early bool) core.Nanos {
	asked := costmodel.Asked{Asked: a}
	live := int64(0)
	for k := range d.slots {
		if r := d.slots[k].request; r != nil {
			live++
			asked.Context += int64(r.Prompt + r.emitted)
			asked.Longest = max(asked.Longest, int64(r.Prompt+r.emitted))
		}
	}
	if live > 0 {
		asked.Context = asked.Context * int64(a.Asks) / live
	}
	price, _ := d.truth.table.Pass(asked)
	if early {
		price = max(price-d.truth.overlap(), 0)
	}
	return d.truth.now(price, d.truth.world.Pass)
}

// Chance is the true chance of draft j of a slot's coming window.
func (d *Device) Chance(at, j int) float64 {
	s := &d.slots[at]
	return s.text.likely(s.request.emitted+j, j)
}

// now is a price of rounds in the world, with the heat of now.
func (t *truth) now(price core.Nanos, factor float64) core.Nanos {
	return core.Nanos(float64(price) * factor * t.heat.factor(t.heat.rounds()))
}
