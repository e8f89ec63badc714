package tune

import (
	"github.com/tfsim/tfsim/sim/random"
)

// mostListed bounds the points of a space that is tried whole.
const mostListed = 20_000

// book holds every candidate that came up, each once.
type book struct {
	space  *Space
	of     Evaluator
	seen   map[string]bool
	known  map[any]*trial
	trials []*trial
	// refused is the first reason for which a point was refused.
	refused error
}

func newBook(s *Space, of Evaluator) *book {
	return &book{space: s, of: of, seen: map[string]bool{}, known: map[any]*trial{}}
}

// add enters a point; nil if it, or one that cannot differ, is there already.
// Of points that cannot differ the plainest stands for all.
func (b *book) add(p Point) *trial {
	if b.seen[p.key()] {
		return nil
	}
	b.seen[p.key()] = true
	key, err := b.of.Same(p)
	if err != nil {
		if b.refused == nil {
			b.refused = err
		}
		return nil
	}
	if t := b.known[key]; t != nil {
		if p.Set() < t.point.Set() {
			t.point = p
		}
		return nil
	}
	t := &trial{point: p, place: len(b.trials)}
	b.known[key] = t
	b.trials = append(b.trials, t)
	return t
}

// get is the trial of a point, entered if need be; nil if it was refused.
func (b *book) get(p Point) *trial {
	if t := b.add(p); t != nil {
		return t
	}
	key, err := b.of.Same(p)
	if err != nil {
		return nil
	}
	return b.known[key]
}

// addAll enters points and gives the new ones.
func (b *book) addAll(points ...Point) []*trial {
	var fresh []*trial
	for _, p := range points {
		if t := b.add(p); t != nil {
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// whole gives every point of the space, plain values first.
func (s *Space) whole() []Point {
	all := []Point{s.Default()}
	for i, d := range s.Dims {
		for _, p := range all[:len(all):len(all)] {
			for _, text := range d.Values[1:] {
				all = append(all, p.With(i, text))
			}
		}
	}
	return all
}

// neighbours are the points that differ in one value.
func (s *Space) neighbours(p Point) []Point {
	var all []Point
	for i, d := range s.Dims {
		for _, text := range d.Values {
			if text != p[i] {
				all = append(all, p.With(i, text))
			}
		}
	}
	return all
}

// mixtures draws n random points. Each leaves about half of the settings at
// their default.
func (s *Space) mixtures(n int) []Point {
	draw := random.New(1, "tune mixtures").Sequence()
	var all []Point
	for range n {
		p := s.Default()
		for i, d := range s.Dims {
			if draw.Below(2) == 1 {
				p[i] = d.Values[draw.Below(uint64(len(d.Values)))]
			}
		}
		all = append(all, p)
	}
	return all
}

// crosses are the points that take what differs between two: all of one's
// changes over the other, and each half at random.
func (s *Space) crosses(a, b Point, turn uint64) []Point {
	draw := random.New(turn, "tune crosses").Sequence()
	var all []Point
	over := func(take func(i int) bool) {
		p := s.Default()
		for i := range p {
			if p[i] = a[i]; take(i) {
				p[i] = b[i]
			}
		}
		all = append(all, p)
	}
	over(func(i int) bool { return a[i] == "" })
	over(func(i int) bool { return b[i] != "" })
	for range 4 {
		over(func(int) bool { return draw.Below(2) == 1 })
	}
	return all
}
