package validate

import (
	"fmt"

	"github.com/tfsim/tfsim/costmodel"
)

// Pattern is one cell of the published attempt to price drafts: the ratios of
// its rates to rounds without drafts and to the earlier rule.
type Pattern struct {
	Cell string
	// Published and Simulated are priced/no_drafts, then priced/earlier.
	Published, Simulated [2]float64
}

// Within says that both ratios are within so much of the published ones.
func (p Pattern) Within(points float64) [2]bool {
	var in [2]bool
	for i := range in {
		d := p.Simulated[i] - p.Published[i]
		in[i] = d <= points && d >= -points
	}
	return in
}

// Patterns simulates the cells of the concurrent receipt under the second
// priced rule.
func Patterns() ([]Pattern, error) {
	shipped, err := Shipped()
	if err != nil {
		return nil, err
	}
	var c concurrentReceipt
	for _, r := range shipped {
		if r.Name == "concurrent-m5-ultra.yaml" {
			if err := r.into(&c); err != nil {
				return nil, err
			}
		}
	}
	table, err := costmodel.Open(c.Device)
	if err != nil {
		return nil, err
	}
	// The priced branch timed its table at start.
	priced := []pair{{"TFSIM_DRAFT_RULE", "priced-2"}, {"TF_DSV41_CALIB", "measure"}}
	var all []Pattern
	for _, k := range c.Cells {
		var rates [3]float64
		for i, set := range [][]pair{priced, {noDrafts}, nil} {
			group := []cell{{bench: decode(k.Load, k.Streams, 256, k.T, set...), figure: rate}}
			if err := average(group, table, Seeds, rates[i:]); err != nil {
				return nil, err
			}
		}
		p := mean(k.Priced)
		all = append(all, Pattern{
			Cell:      fmt.Sprintf("%d %s T%g", k.Streams, k.Load, k.T),
			Published: [2]float64{p / mean(k.NoDrafts), p / mean(k.Earlier)},
			Simulated: [2]float64{rates[0] / rates[1], rates[0] / rates[2]},
		})
	}
	return all, nil
}
