package study

import "sync"

// told tells whoever asked how far the runs of a plan are.
type told struct {
	lock sync.Mutex
	opts *Options
	// parts are how much of each run is done, done the number that are whole.
	parts []float64
	sum   float64
	done  int
}

// part says how much of a run is done.
func (t *told) part(run int, part float64) {
	if t.opts.Part == nil {
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	t.more(run, part)
}

func (t *told) more(run int, part float64) {
	t.sum += part - t.parts[run]
	t.parts[run] = part
	if t.opts.Part != nil {
		t.opts.Part(min(t.sum/float64(len(t.parts)), 1))
	}
}

// ended says that a run is done.
func (t *told) ended(run int) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.more(run, 1)
	t.done++
	if t.opts.Progress != nil {
		t.opts.Progress(t.done, len(t.parts))
	}
}
