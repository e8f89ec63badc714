package validate

import (
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// held is the share of its prior width from which a parameter counts as not
// identifiable: the cells then say little about it.
const held = 0.7

// Fitted is what a fit found.
type Fitted struct {
	Values []Value
	Cells  []Cell
	Loss   float64
}

// Value is one fitted figure.
type Value struct {
	Name  string
	Value float64
	// Width is how much of the prior's width the cells leave: 1 is all of it.
	Width float64
}

// Identifiable says that the cells determine the figure.
func (v Value) Identifiable() bool { return v.Width < held }

// Result describes the table as it is now.
func (p *Problem) Result() (*Fitted, error) {
	x := p.point()
	r, err := p.residuals(x)
	if err != nil {
		return nil, err
	}
	j, err := p.jacobian(x, r)
	if err != nil {
		return nil, err
	}
	p.set(x)
	f := &Fitted{Loss: loss(r)}
	for i, c := range p.cells {
		f.Cells = append(f.Cells, c.compare(c.published*(1+r[i])))
	}
	widths, err := posterior(j)
	if err != nil {
		return nil, err
	}
	for i, q := range p.Parameters {
		f.Values = append(f.Values, Value{q.Name, round(q.get(p.Table)), round(widths[i])})
	}
	return f, nil
}

// posterior is the standard deviation that is left of each parameter, in
// units of its prior's: √diag((JᵀJ/knee² + I)⁻¹).
func posterior(j *mat.Dense) ([]float64, error) {
	_, n := j.Dims()
	var information mat.SymDense
	information.SymOuterK(1/(knee*knee), j.T())
	for i := range n {
		information.SetSym(i, i, information.At(i, i)+prior)
	}
	var chol mat.Cholesky
	if !chol.Factorize(&information) {
		return nil, fmt.Errorf("fit: the cells contradict the prior numerically")
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	widths := make([]float64, n)
	for i := range n {
		widths[i] = math.Sqrt(inverse.At(i, i) * prior)
	}
	return widths, nil
}

// WriteText prints the figures, then the residuals.
func (f *Fitted) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %9s  left of prior\n", "figure", "value")
	for _, v := range f.Values {
		remark := ""
		if !v.Identifiable() {
			remark = "  not identifiable"
		}
		fmt.Fprintf(&b, "%-24s %9.3f  %5.0f%%%s\n", v.Name, v.Value, 100*v.Width, remark)
	}
	b.WriteByte('\n')
	g := Group{Name: "residuals", Cells: f.Cells}
	g.sum()
	g.write(&b)
	_, err := io.WriteString(w, b.String())
	return err
}
