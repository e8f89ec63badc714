package tune

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	// frontSeeds is the number of seeds that decides a front, and of fresh
	// seeds that its figures are from.
	frontSeeds = 8
	freshFront = 16
	// mostFront bounds the points of a front.
	mostFront = 24
)

// Front is what a search of two objectives found.
type Front struct {
	Space *Space
	// Points are those that no other beats in both objectives, from the best
	// in the first to the best in the second. Default sets nothing.
	Points  []*Candidate
	Default *Candidate
	// Others are the means of every other candidate whose constraints hold, to
	// draw.
	Others [][2]float64

	Confirmed, Whole         bool
	End                      string
	Candidates, Runs, Budget int
	Least                    float64
}

// SearchFront looks for the points that no other beats in both objectives.
func SearchFront(ctx context.Context, of Evaluator, space *Space, o Options) (*Front, error) {
	s, err := newSearch(ctx, of, space, o)
	if err != nil {
		return nil, err
	}
	s.limit = s.budget * 8 / 10
	played := s.extend(untwinned(s.extend(s.first(), screen, searching)), firstRung, searching)
	front := s.frontOf(played)
	for turn := 0; !s.whole && turn < generations && len(front) > 0 && s.room() > 0; turn++ {
		// Its members need more seeds than the crowd that they lead.
		front = s.frontOf(s.extend(front, frontSeeds, searching))
		var points []Point
		for i, t := range front {
			points = append(points, s.space.neighbours(t.point)...)
			if i > 0 {
				points = append(points, s.space.crosses(t.point, front[i-1].point, uint64(turn))...)
			}
		}
		fresh := s.extend(s.addAll(points...), screen, searching)
		fresh = s.extend(untwinned(slices.Concat(front, fresh)), firstRung, searching)
		if len(fresh) == 0 {
			break
		}
		next := s.frontOf(fresh)
		same := slices.Equal(next, front)
		if front = next; same {
			break
		}
	}
	if len(front) == 0 {
		if len(played) > 0 {
			return s.front(nil), s.pool.err
		}
		return nil, s.nothing()
	}
	if s.end = s.reason(true); s.end == EndClear {
		s.end = EndSettled
	}
	s.limit = s.budget * 9 / 10
	front = s.plain(front)
	s.limit = s.budget
	return s.front(front), s.pool.err
}

// mean2 is a trial's place: the means of both costs on its first n seeds.
func mean2(samples []Sample) [2]float64 { return [2]float64{cost(samples, 0), cost(samples, 1)} }

// frontOf gives the trials that no other beats in both objectives by what
// matters, in the order of the first.
func (s *search) frontOf(trials []*trial) []*trial {
	n := fewest(trials)
	if n == 0 {
		return nil
	}
	var front []*trial
	ordered := slices.DeleteFunc(slices.Clone(trials), func(t *trial) bool {
		at := mean2(t.samples[:n])
		return violation(t.samples[:n]) > 0 || math.IsInf(at[0], 0) || math.IsInf(at[1], 0)
	})
	slices.SortStableFunc(ordered, func(a, b *trial) int {
		x, y := mean2(a.samples[:n]), mean2(b.samples[:n])
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]), a.point.Set()-b.point.Set(), a.place-b.place)
	})
	for _, t := range ordered {
		if len(front) == 0 {
			front = append(front, t)
			continue
		}
		last, at := mean2(front[len(front)-1].samples[:n]), mean2(t.samples[:n])
		if at[1] < last[1]-s.matters(at[1], last[1]) {
			front = append(front, t)
		}
	}
	return thinned(front, mostFront)
}

// plain takes back what a front's points do not need, as prune does.
func (s *search) plain(front []*trial) []*trial {
	var out []*trial
	for _, origin := range front {
		t := origin
		for i := 0; i < len(t.point); i++ {
			if t.point[i] == "" {
				continue
			}
			next := s.get(t.point.With(i, ""))
			if next == nil || len(s.extend([]*trial{origin, next}, frontSeeds, searching)) < 2 {
				continue
			}
			if next != t && next != origin && s.asGood(next.samples[:frontSeeds], origin.samples[:frontSeeds]) {
				t, i = next, -1
			}
		}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// thinned leaves so many, evenly, with both ends.
func thinned(front []*trial, most int) []*trial {
	if len(front) <= most {
		return front
	}
	var out []*trial
	for i := range most {
		out = append(out, front[i*(len(front)-1)/(most-1)])
	}
	return out
}

// front plays a front's points with fresh seeds.
func (s *search) front(front []*trial) *Front {
	base := s.get(s.space.Default())
	all := front
	if base != nil && !slices.Contains(all, base) {
		all = append(slices.Clone(front), base)
	}
	f := &Front{Space: s.space, Whole: s.whole, End: s.end, Budget: s.budget, Least: s.opts.Least}
	n := min(freshFront, s.room()/max(1, len(all)))
	f.Confirmed = n >= firstRung && len(s.extend(all, n, answering)) == len(all)
	give := func(t *trial) *Candidate {
		if t == nil || len(t.samples) == 0 && !f.Confirmed {
			return nil
		}
		if f.Confirmed {
			return &Candidate{t.point, t.fresh}
		}
		return &Candidate{t.point, t.samples}
	}
	for _, t := range front {
		f.Points = append(f.Points, give(t))
	}
	f.Default = give(base)
	for _, t := range s.trials {
		if len(t.samples) >= screen && violation(t.samples) == 0 && !slices.Contains(front, t) {
			f.Others = append(f.Others, mean2(t.samples))
		}
		if len(t.samples) >= screen {
			f.Candidates++
		}
	}
	f.Runs = s.runs
	if s.stopped {
		f.End = EndInterrupted
	}
	return f
}
