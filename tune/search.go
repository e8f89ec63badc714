package tune

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Options of a search.
type Options struct {
	// Budget is the number of runs, at least 1.
	Budget int
	// Runner plays the samples; nil is all cores of this process.
	Runner Runner
	// Starts are points to try first, such as the scenarios' arms.
	Starts []Point
	// Least is the part of the smaller figure that a difference must have to
	// matter; 0 is DefaultLeast.
	Least float64
	// Progress, if not nil, is told of runs done and of the budget.
	Progress func(done, total int)
}

// ErrStopped says that a search was interrupted with nothing to show.
var ErrStopped = errors.New("interrupted before any candidate was compared")

// DefaultLeast is half a percent.
const DefaultLeast = 0.005

// How a search ended.
const (
	EndClear       = "clear"       // the leader's interval clears the rest, or finds it as good
	EndSeeds       = "seeds"       // the rest is within the noise of all seeds
	EndSettled     = "settled"     // nothing near a front adds to it
	EndBudget      = "budget"      // the search's part of the budget ended
	EndInterrupted = "interrupted" // the context ended
)

const (
	// mostSeeds is the number that the last candidates of a race play.
	mostSeeds = 64
	// roundSeeds is that of a generation before the last race.
	roundSeeds = 8
	// confirmSeeds is the number of fresh seeds for the answer.
	confirmSeeds = 64
	// elites is the number of leaders whose neighbours are tried.
	elites = 4
	// generations bounds the rounds of neighbours.
	generations = 30
)

// search is one at work.
type search struct {
	*pool
	*book
	opts   Options
	winner *trial
	left   []*trial // of the last race, the leader first
	whole  bool
	end    string
}

// newSearch checks what is asked.
func newSearch(ctx context.Context, of Evaluator, space *Space, o Options) (*search, error) {
	if o.Budget < 1 {
		return nil, fmt.Errorf("a budget of %d runs; want at least 1", o.Budget)
	}
	if o.Least == 0 {
		o.Least = DefaultLeast
	}
	return &search{pool: newPool(ctx, of, o), book: newBook(space, of), opts: o}, nil
}

// Search looks for the point of the least cost whose constraints hold.
func Search(ctx context.Context, of Evaluator, space *Space, o Options) (*Found, error) {
	s, err := newSearch(ctx, of, space, o)
	if err != nil {
		return nil, err
	}
	// A part of the budget is kept for the answer.
	s.limit = s.budget * 6 / 10
	left, cleared := s.race(s.first(), s.rung())
	if !s.whole {
		left, cleared = s.climb(left)
	}
	if len(left) == 0 {
		return nil, s.nothing()
	}
	s.end = s.reason(cleared)
	s.left, s.winner = left, left[0]
	s.limit = s.budget * 8 / 10
	s.prune()
	s.limit = s.budget * 85 / 100
	// A winner that is new by then has to be compared like the others.
	if len(s.extend([]*trial{s.winner}, roundSeeds, searching)) == 0 && len(s.winner.samples) < firstRung {
		s.winner = left[0]
	}
	s.refine()
	s.limit = s.budget
	return s.found(), s.pool.err
}

// rung is the most seeds of the first race: all if there is no other.
func (s *search) rung() int {
	if s.whole {
		return mostSeeds
	}
	return roundSeeds
}

// first enters the candidates to begin with, the default first.
func (s *search) first() []*trial {
	trials := s.addAll(s.space.Default())
	trials = append(trials, s.addAll(s.opts.Starts...)...)
	room := s.room() / firstRung
	if s.space.Size(mostListed) < mostListed {
		points := s.space.whole()
		all := slices.Concat(trials, s.addAll(points...))
		if len(all) <= room {
			s.whole = true
			return all
		}
		// Too many to try: they are forgotten again.
		s.book = newBook(s.space, s.pool.of)
		trials = append(s.addAll(s.space.Default()), s.addAll(s.opts.Starts...)...)
	}
	trials = append(trials, s.addAll(s.space.neighbours(s.space.Default())...)...)
	// A third of the budget's room goes into the first generation.
	return append(trials, s.addAll(s.space.mixtures(max(0, min(room/3-len(trials), 400)))...)...)
}

// climb tries the neighbours and crosses of the leaders until a generation
// brings no new leader, then races the best of all.
func (s *search) climb(left []*trial) (_ []*trial, cleared bool) {
	for turn := range generations {
		if len(left) == 0 || s.room() == 0 {
			break
		}
		leader := left[0]
		top := left[:min(elites, len(left))]
		var points []Point
		for i, t := range top {
			points = append(points, s.space.neighbours(t.point)...)
			for _, other := range top[:i] {
				points = append(points, s.space.crosses(t.point, other.point, uint64(turn))...)
			}
		}
		fresh := s.addAll(points...)
		if len(fresh) == 0 {
			break
		}
		// The leaders come first, so that a budget that ends keeps them.
		next, _ := s.race(slices.Concat(left[:min(keepLeast, len(left))], fresh), roundSeeds)
		if len(next) == 0 {
			break
		}
		left = next
		if left[0] == leader {
			break
		}
	}
	return s.race(left, mostSeeds)
}

// nothing says why no candidate could be compared.
func (s *search) nothing() error {
	switch {
	case s.err != nil:
		return s.err
	case s.stopped:
		return ErrStopped
	case s.refused != nil:
		return s.refused
	}
	return fmt.Errorf("a budget of %d runs is too small; one candidate takes %d", s.budget, firstRung*s.pool.of.Runs()*2)
}

func (s *search) reason(cleared bool) string {
	switch {
	case s.stopped:
		return EndInterrupted
	case cleared:
		return EndClear
	case s.room() == 0:
		return EndBudget
	}
	return EndSeeds
}
