package validate

import (
	"fmt"

	"github.com/tfsim/tfsim/costmodel"
)

// parameters are those that a table has. Drafts are the weights' and not the
// machine's: they are fitted on the machine with the most receipts, and others
// of the same weights take them over.
func parameters(t *costmodel.Table) ([]Parameter, error) {
	if t.Rows == nil || t.Drafter == nil || t.Sampling == nil {
		return nil, fmt.Errorf("%s: a fit needs a table with rows, sampling and pass", t.Machine)
	}
	all := roundParameters()
	if t.Machine == machines[0] {
		all = append(all, draftParameters()...)
	}
	for _, p := range all {
		if err := possible(p, t); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// possible says whether a table lists what a parameter changes.
func possible(p Parameter, t *costmodel.Table) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: no figure for %s: %v", t.Machine, p.Name, r)
		}
	}()
	p.get(t)
	return nil
}

// figure is a parameter that is one field of the table.
func figure(name string, low, high float64, at func(*costmodel.Table) *float64) Parameter {
	return Parameter{name, low, high,
		func(t *costmodel.Table) float64 { return *at(t) },
		func(t *costmodel.Table, v float64) { *at(t) = v }}
}

// entry is the figure of a curve at a place that it lists.
func entry(c costmodel.Curve, at int) *float64 {
	for i := range c {
		if c[i].At == at {
			return &c[i].Ms
		}
	}
	panic("the curve has no such entry")
}

// roundParameters shape what a round costs: the first row, the second, each
// further one of the same text, and what several texts add.
func roundParameters() []Parameter {
	rows := func(t *costmodel.Table) costmodel.Curve { return t.Rows.MS }
	seq := func(t *costmodel.Table) costmodel.Curve { return t.Rows.SequencesMs }
	all := []Parameter{
		{"rows.first", 15, 40,
			func(t *costmodel.Table) float64 { return *entry(rows(t), 1) },
			func(t *costmodel.Table, v float64) { *entry(rows(t), 1) = v }},
		{"rows.second", 1, 12,
			func(t *costmodel.Table) float64 { return *entry(rows(t), 2) - *entry(rows(t), 1) },
			func(t *costmodel.Table, v float64) { *entry(rows(t), 2) = *entry(rows(t), 1) + v }},
		{"rows.further", 1, 12,
			func(t *costmodel.Table) float64 { return *entry(rows(t), 4)/2 - *entry(rows(t), 2)/2 },
			func(t *costmodel.Table, v float64) {
				second := *entry(rows(t), 2)
				for i, k := range rows(t) {
					if k.At > 2 {
						rows(t)[i].Ms = second + v*float64(k.At-2)
					}
				}
			}},
	}
	for n := 2; n <= 4; n++ {
		all = append(all, figure("sequences."+string(rune('0'+n)), 0, 30, func(t *costmodel.Table) *float64 { return entry(seq(t), n) }))
	}
	return append(all,
		figure("rows.duplicate", 0, 8, func(t *costmodel.Table) *float64 { return &t.Rows.DuplicateMs }),
		figure("rows.mixed", 0, 8, func(t *costmodel.Table) *float64 { return &t.Rows.MixedRowMs }),
		figure("sampling.row", 0, 1, func(t *costmodel.Table) *float64 { return &t.Sampling.RowMs }),
		figure("pass", 1, 20, func(t *costmodel.Table) *float64 { return &t.Drafter.Ms }),
		figure("pass.ask", 0, 15, func(t *costmodel.Table) *float64 { return &t.Drafter.AskMs }),
	)
}

// draftParameters shape how the drafts of chat and code fare.
func draftParameters() []Parameter {
	var all []Parameter
	for _, load := range []string{"chat", "code"} {
		for _, sampled := range []bool{false, true} {
			name := load + map[bool]string{false: ".greedy", true: ".sampled"}[sampled]
			add := func(what string, low, high float64, at func(*costmodel.DraftText) *float64) {
				edit := func(t *costmodel.Table, f func(*float64)) {
					l := t.Drafts.Loads[load]
					d := &l.Greedy
					if sampled {
						d = &l.Sampled
					}
					f(at(d))
					t.Drafts.Loads[load] = l
				}
				all = append(all, Parameter{name + "." + what, low, high,
					func(t *costmodel.Table) (v float64) { edit(t, func(p *float64) { v = *p }); return v },
					func(t *costmodel.Table, v float64) { edit(t, func(p *float64) { *p = v }) }})
			}
			add("logit", -1.5, 4, func(d *costmodel.DraftText) *float64 { return &d.Logit })
			add("start", -2, 2, func(d *costmodel.DraftText) *float64 { return &d.Start })
			add("deeper", -0.5, 0.6, func(d *costmodel.DraftText) *float64 { return &d.Deeper })
			add("spread", 0.1, 3, func(d *costmodel.DraftText) *float64 { return &d.Spread })
			add("score", 0.7, 1.5, func(d *costmodel.DraftText) *float64 { return &d.Score.Scale })
		}
	}
	return all
}
