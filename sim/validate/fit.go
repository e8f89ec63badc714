package validate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/tfsim/tfsim/costmodel"
)

// Parameter is one figure of a table that a fit may change.
type Parameter struct {
	Name string
	// Low and High bound it.
	Low, High float64
	get       func(*costmodel.Table) float64
	set       func(*costmodel.Table, float64)
}

// Problem is a fit: a table's parameters against the cells of its machine.
type Problem struct {
	Table      *costmodel.Table
	Parameters []Parameter
	// Seeds of draft outcomes that each figure is averaged over.
	Seeds int
	cells []cell
	start []float64
}

// NewProblem is the fit of a machine's rounds, passes and drafts to the decode
// cells of receipts; those kept for checking are left out. It changes the
// table in place.
func NewProblem(t *costmodel.Table, from []Receipt) (*Problem, error) {
	all, err := cells(from)
	if err != nil {
		return nil, err
	}
	p := &Problem{Table: t, Seeds: 10}
	for _, c := range all {
		if c.machine == t.Machine && c.group == GroupDecode && c.fitted {
			p.cells = append(p.cells, c)
		}
	}
	if len(p.cells) == 0 {
		return nil, fmt.Errorf("the receipts have no decode figures of %s", t.Machine)
	}
	if p.Parameters, err = parameters(t); err != nil {
		return nil, err
	}
	p.start = p.point()
	return p, nil
}

// knee is the relative error from which a cell counts linearly, so that one
// that no model explains does not bend the others.
const knee = 0.03

// difference is the step of the finite differences, in the search's own
// coordinate: large enough that schedules, which change by whole rounds,
// average out over the seeds.
const difference = 0.04

// prior is how hard the search is held to where it starts: it decides what the
// cells do not.
const prior = 1.0

// set writes a point into the table. A sine keeps the search inside the
// bounds without walls.
func (p *Problem) set(x []float64) {
	for i, q := range p.Parameters {
		q.set(p.Table, q.Low+(q.High-q.Low)*(math.Sin(x[i])+1)/2)
	}
}

func (p *Problem) point() []float64 {
	x := make([]float64, len(p.Parameters))
	for i, q := range p.Parameters {
		u := (q.get(p.Table) - q.Low) / (q.High - q.Low)
		x[i] = math.Asin(min(max(2*u-1, -0.98), 0.98))
	}
	return x
}

// residuals are the relative errors of the cells at a point.
func (p *Problem) residuals(x []float64) ([]float64, error) {
	p.set(x)
	values, err := simulate(p.cells, func(string) *costmodel.Table { return p.Table }, p.Seeds)
	for i := range values {
		values[i] = values[i]/p.cells[i].published - 1
	}
	return values, err
}

// loss is quadratic near 0 and linear beyond the knee.
func loss(residuals []float64) float64 {
	sum := 0.0
	for _, r := range residuals {
		sum += math.Sqrt(1+r*r/(knee*knee)) - 1
	}
	return sum
}

// jacobian is the change of each residual by each parameter.
func (p *Problem) jacobian(x, at []float64) (*mat.Dense, error) {
	j := mat.NewDense(len(at), len(x), nil)
	for k := range x {
		moved := slices.Clone(x)
		moved[k] += difference
		r, err := p.residuals(moved)
		if err != nil {
			return nil, err
		}
		for i := range r {
			j.Set(i, k, (r[i]-at[i])/difference)
		}
	}
	return j, nil
}

// Fit searches the parameters by Newton's method with the Hessian of Gauss
// and Newton, reweighted for the loss.
func (p *Problem) Fit(iterations int, progress func(iteration int, loss float64)) error {
	var failed error
	note := func(err error) {
		if err != nil && failed == nil {
			failed = err
		}
	}
	start := p.start
	best, bestLoss := slices.Clone(start), math.Inf(1)
	var gradient []float64
	var hessian *mat.SymDense
	steps := 0
	// Both derivatives come from one Jacobian; they are asked for in turn.
	derive := func(x []float64) {
		r, err := p.residuals(x)
		note(err)
		if failed != nil {
			return
		}
		j, err := p.jacobian(x, r)
		note(err)
		if failed != nil {
			return
		}
		n := len(x)
		gradient = make([]float64, n)
		hessian = mat.NewSymDense(n, nil)
		for i, v := range r {
			w := 1 / (knee * knee * math.Sqrt(1+v*v/(knee*knee)))
			for a := range n {
				gradient[a] += w * v * j.At(i, a)
				for b := a; b < n; b++ {
					hessian.SetSym(a, b, hessian.At(a, b)+w*j.At(i, a)*j.At(i, b))
				}
			}
		}
		for a := range n {
			gradient[a] += prior * (x[a] - start[a])
			hessian.SetSym(a, a, hessian.At(a, a)*1.05+prior)
		}
		steps++
		if progress != nil {
			progress(steps, bestLoss)
		}
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			r, err := p.residuals(x)
			note(err)
			if failed != nil {
				return math.Inf(1)
			}
			v := loss(r)
			for i := range x {
				v += prior / 2 * (x[i] - start[i]) * (x[i] - start[i])
			}
			if v < bestLoss {
				bestLoss = v
				copy(best, x)
			}
			return v
		},
		Grad: func(g, x []float64) { derive(x); copy(g, gradient) },
		Hess: func(h *mat.SymDense, _ []float64) { h.CopySym(hessian) },
		Status: func() (optimize.Status, error) {
			if failed != nil {
				return optimize.Failure, failed
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{MajorIterations: iterations, GradientThreshold: 1e-3}
	_, err := optimize.Minimize(problem, start, settings, &optimize.Newton{})
	if failed != nil {
		return failed
	}
	// A line search that finds nothing better ends the search; that is where
	// a function of whole rounds stops being smooth, not a fault.
	if err != nil && math.IsInf(bestLoss, 1) {
		return fmt.Errorf("fit: %w", err)
	}
	p.set(best)
	return nil
}
