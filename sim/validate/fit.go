package validate

import (
	"fmt"
	"math"
	"runtime"
	"sync"

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
}

// set writes a point, given in the unit cube, into the table.
func (p *Problem) set(x []float64) {
	for i, q := range p.Parameters {
		// A sine keeps the search inside the bounds without walls.
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

// residuals are the relative errors of the cells, simulated on all cores; the
// order of the cells is kept.
func (p *Problem) residuals() ([]float64, error) {
	out := make([]float64, len(p.cells))
	errs := make([]error, len(p.cells))
	next := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				v, err := p.cells[i].simulate(p.Table, p.Seeds)
				out[i], errs[i] = v/p.cells[i].published-1, err
			}
		})
	}
	for i := range p.cells {
		next <- i
	}
	close(next)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// loss is a robust sum: quadratic near 0, linear beyond 5%, so that a cell
// that no model explains does not bend the others.
func loss(residuals []float64) float64 {
	const knee = 0.03
	sum := 0.0
	for _, r := range residuals {
		sum += math.Sqrt(1+r*r/(knee*knee)) - 1
	}
	return sum
}

// Fit searches the parameters with the simplex method of Nelder and Mead,
// restarted once from where it ended.
func (p *Problem) Fit(evaluations int, progress func(evaluation int, loss float64)) error {
	var failed error
	best, n := math.Inf(1), 0
	start := p.point()
	bestX := append([]float64(nil), start...)
	problem := optimize.Problem{Func: func(x []float64) float64 {
		p.set(x)
		r, err := p.residuals()
		if err != nil {
			failed = err
			return math.Inf(1)
		}
		n++
		value := loss(r)
		if value < best {
			best = value
			copy(bestX, x)
		}
		if progress != nil {
			progress(n, best)
		}
		return value
	}}
	for round := range 3 {
		settings := &optimize.Settings{FuncEvaluations: evaluations / 3}
		simplex := &optimize.NelderMead{SimplexSize: 0.3 / float64(round+1)}
		if _, err := optimize.Minimize(problem, bestX, settings, simplex); err != nil && failed == nil {
			return fmt.Errorf("fit: %w", err)
		}
		if failed != nil {
			return failed
		}
	}
	p.set(bestX)
	return nil
}
