package validate

import (
	"runtime"
	"sync"

	"github.com/tfsim/tfsim/costmodel"
)

// simulate gives each cell's figure as the mean over seeds, on all cores;
// cells of one bench share its runs.
func simulate(cells []cell, table func(machine string) *costmodel.Table, seeds int) ([]float64, error) {
	values := make([]float64, len(cells))
	errs := make([]error, len(cells))
	next := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				group := cells[i:sameBench(cells, i)]
				errs[i] = average(group, table(group[0].machine), seeds, values[i:])
			}
		})
	}
	for i := 0; i < len(cells); i = sameBench(cells, i) {
		next <- i
	}
	close(next)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// sameBench is the end of the cells from i on that share its bench.
func sameBench(cells []cell, i int) int {
	end := i + 1
	for end < len(cells) && cells[end].bench == cells[i].bench {
		end++
	}
	return end
}

func average(group []cell, t *costmodel.Table, seeds int, out []float64) error {
	for seed := range seeds {
		run, err := group[0].bench.run(t, uint64(seed+1))
		if err != nil {
			return err
		}
		for i, c := range group {
			out[i] += c.figure(run).Value / float64(seeds)
		}
	}
	return nil
}
