package tune

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Unit is a piece of work: a point to play with a seed. What it gives depends
// on nothing else, so that it may be played anywhere, and again.
type Unit struct {
	Point Point `json:"point"`
	Seed  int   `json:"seed"`
}

// Runner plays units: on the cores of this process, in other processes, or
// from a journal of those that were played before.
type Runner interface {
	// Run plays units in any order. It tells done what the unit at place i
	// gave, each once and one at a time. If the context ends, units are
	// missing. The error says why none can be played any more.
	Run(ctx context.Context, units []Unit, done func(i int, s Sample, err error)) error
}

// growth is by how many percent the heap grows before it is collected. A run
// needs little memory: by the usual growth the workers would be held up for it
// every few runs.
const growth = 300

// local plays on the cores of this process.
type local struct {
	of      Evaluator
	workers int
}

// NewLocal is a runner that plays so many units at a time in this process; 0
// is one for each core.
func NewLocal(of Evaluator, workers int) Runner {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &local{of, workers}
}

func (l *local) Run(ctx context.Context, units []Unit, done func(int, Sample, error)) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(growth))
	}
	var next atomic.Int64 // a counter keeps no worker waiting for another goroutine
	var wait sync.WaitGroup
	var lock sync.Mutex
	for range min(l.workers, len(units)) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(units) {
					return
				}
				s, err := l.of.Play(ctx, units[i].Point, units[i].Seed)
				if err != nil && ctx.Err() != nil {
					continue // it was cut short, and is missing
				}
				lock.Lock()
				done(i, s, err)
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	return nil
}
