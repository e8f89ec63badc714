package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

// NewStudy gathers what is told of a scenario file besides its results.
func NewStudy(file *scenario.File, opts study.Options) (*Study, error) {
	table, err := study.Table(file, opts)
	if err != nil {
		return nil, err
	}
	used, err := study.Used(file, opts)
	if err != nil {
		return nil, err
	}
	s := &Study{About: file.About, Machine: table, Server: serverFacts(file.Server)}
	for _, a := range used {
		s.Arms = append(s.Arms, Arm{Name: a.Arm, Values: a.Values})
	}
	for _, w := range file.Worlds {
		s.Worlds = append(s.Worlds, World{Name: w.Name, Facts: worldFacts(w, opts)})
	}
	return s, nil
}

// Watch gives the sink of a run that is drawn. Runs may begin at the same
// time.
func (s *Study) Watch(w study.Watched) core.Sink {
	run := NewRun(Place{World: w.World, Case: w.Case, Arm: w.Arm}, w.Name)
	s.lock.Lock()
	defer s.lock.Unlock()
	s.Runs = append(s.Runs, run)
	return run
}

// Played takes the results and puts the runs in their order.
func (s *Study) Played(d *result.Document) {
	s.Document = d
	order := make(map[Place]int)
	for i, e := range d.Results {
		order[Place{World: e.World, Case: e.Case, Arm: e.Arm}] = i
	}
	slices.SortFunc(s.Runs, func(a, b *Run) int { return order[a.Place] - order[b.Place] })
}

func serverFacts(s scenario.Server) []Fact {
	var facts []Fact
	if s.Parallel > 0 {
		facts = append(facts, Fact{"lanes", strconv.Itoa(s.Parallel)})
	}
	if s.Context > 0 {
		facts = append(facts, Fact{"context", strconv.Itoa(s.Context) + " tokens"})
	}
	cache := "off"
	if s.PromptCacheGiB > 0 {
		cache = plainNumber(s.PromptCacheGiB) + " GiB"
	}
	return append(facts, Fact{"kept prompts", cache})
}

func worldFacts(w scenario.World, opts study.Options) []Fact {
	seed, noise := w.Seed, w.Noise
	if opts.Seed != nil {
		seed = *opts.Seed
	}
	if opts.Noise != nil {
		noise = *opts.Noise
	}
	seeds := strconv.FormatUint(seed, 10)
	if opts.Repeat > 1 {
		seeds += " to " + strconv.FormatUint(seed+uint64(opts.Repeat)-1, 10) + ", of which the first is drawn"
	}
	var off []string
	for _, f := range []struct {
		name  string
		v     float64
		usual float64
	}{{"rows × ", w.Rows, 1}, {"pass × ", w.Pass, 1}, {"chunk × ", w.Chunk, 1}, {"confidence ^ ", w.Confidence, 1}, {"heat ", w.Heat, 0}} {
		if f.v != f.usual {
			off = append(off, f.name+plainNumber(f.v))
		}
	}
	if off == nil {
		off = []string{"none"}
	}
	return []Fact{
		{"seed", seeds},
		{"noise", plainNumber(noise)},
		{"draft outcomes", string(w.Drafts)},
		{"truth off the belief", strings.Join(off, ", ")},
	}
}

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
