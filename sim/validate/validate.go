package validate

import (
	"math"
	"slices"
	"strings"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/result"
)

// Seeds is how many draws of the draft outcomes a figure is averaged over.
const Seeds = 20

// Report is every published figure beside the simulated one.
type Report struct {
	Groups []Group `json:"groups"`
}

// Group is the cells of one bench. Its figures are errors over the cells
// without a note of kind "unidentified".
type Group struct {
	Name   string  `json:"name"`
	Median float64 `json:"median"`
	P90    float64 `json:"p90"`
	Worst  float64 `json:"worst"`
	// Unidentified is the number of cells left out.
	Unidentified int    `json:"unidentified"`
	Cells        []Cell `json:"cells"`
}

// Cell is one published figure: the mean of the repeated runs of one arm.
type Cell struct {
	ID        string  `json:"id"`
	Published float64 `json:"published"`
	Simulated float64 `json:"simulated"`
	// Error is |simulated − published| / published.
	Error float64 `json:"error"`
	// Fitted says that the figure helped to choose the table's.
	Fitted bool   `json:"fitted"`
	Note   string `json:"note"`
}

func (c Cell) unidentified() bool { return strings.HasPrefix(c.Note, unidentified) }

// Run simulates every receipt on the library's tables, at noise 0.
func Run() (*Report, error) {
	shipped, err := Shipped()
	if err != nil {
		return nil, err
	}
	all, err := cells(shipped)
	if err != nil {
		return nil, err
	}
	tables := map[string]*costmodel.Table{}
	for _, c := range all {
		if tables[c.machine] == nil {
			if tables[c.machine], err = costmodel.Open(c.machine); err != nil {
				return nil, err
			}
		}
	}
	values, err := simulate(all, func(m string) *costmodel.Table { return tables[m] }, Seeds)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	for _, name := range []string{GroupFill, GroupDecode, GroupCold} {
		g := Group{Name: name}
		for i, c := range all {
			if c.group == name {
				g.Cells = append(g.Cells, c.compare(values[i]))
			}
		}
		g.sum()
		r.Groups = append(r.Groups, g)
	}
	return r, nil
}

func (c *cell) compare(simulated float64) Cell {
	return Cell{
		ID: c.id, Published: round(c.published), Simulated: round(simulated),
		Error: round(math.Abs(simulated-c.published) / c.published), Fitted: c.fitted, Note: c.note,
	}
}

func (g *Group) sum() {
	g.Unidentified = len(g.Cells) - len(g.errors())
	g.Median, g.P90, g.Worst = g.quantile(0.5), g.quantile(0.9), g.quantile(1)
}

// errors are those of the cells that count, sorted.
func (g *Group) errors() []float64 {
	var errs []float64
	for _, c := range g.Cells {
		if !c.unidentified() {
			errs = append(errs, c.Error)
		}
	}
	slices.Sort(errs)
	return errs
}

// quantile is of the errors that count, by linear interpolation between the
// nearest two as everywhere in results; 0 where none counts.
func (g *Group) quantile(p float64) float64 {
	errs := g.errors()
	if len(errs) == 0 {
		return 0
	}
	at := p * float64(len(errs)-1)
	low := int(at)
	high := min(low+1, len(errs)-1)
	return round(errs[low] + (at-float64(low))*(errs[high]-errs[low]))
}

// round keeps the digits that results are printed with.
func round(v float64) float64 { return result.Some(v).Rounded().Value }
