package workload

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/scenario"
)

// lengths is a distribution of lengths in tokens; draws are at least 1.
type lengths interface{ draw(*random.Sequence) int }

// openLengths makes a distribution. The error is about its file.
func openLengths(f *scenario.File, l *scenario.Lengths) (lengths, error) {
	switch l.Dist {
	case scenario.Fixed:
		return fixed(l.Value), nil
	case scenario.Uniform:
		return uniform{l.Min, l.Max}, nil
	case scenario.Lognormal:
		return newLognormal(l), nil
	case scenario.FromFile:
		return readLengths(f, l)
	}
	return nil, fmt.Errorf("%s: unknown dist (%s); a file that was parsed has a known one", f.At(l.Line, l.Col), l.Dist)
}

type fixed int

func (v fixed) draw(*random.Sequence) int { return int(v) }

// uniform has both ends included.
type uniform struct{ min, max int }

func (u uniform) draw(s *random.Sequence) int { return u.min + int(s.Below(uint64(u.max-u.min)+1)) }

// lognormal is exp(mu + sigma z), rounded, within 1 and max.
type lognormal struct {
	mu, sigma float64
	max       int
}

// z95 is the standard normal's 95th percentile.
const z95 = 1.6448536269514722

func newLognormal(l *scenario.Lengths) lognormal {
	mu := random.Log(l.Median)
	return lognormal{mu: mu, sigma: (random.Log(l.P95) - mu) / z95, max: l.Max}
}

func (l lognormal) draw(s *random.Sequence) int {
	v := random.Exp(l.mu + float64(l.sigma*s.Norm()))
	if v >= float64(l.max) {
		return l.max
	}
	return max(1, int(v+0.5))
}

// empirical draws from given lengths with equal chance.
type empirical []int

func (e empirical) draw(s *random.Sequence) int { return e[s.Below(uint64(len(e)))] }

// readLengths reads one length a line. Blank lines and what follows a # are
// left out.
func readLengths(f *scenario.File, l *scenario.Lengths) (empirical, error) {
	data, err := scenario.ReadFile(l.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: the file of lengths cannot be read (%w)", f.At(l.PathPos.Line, l.PathPos.Col), err)
	}
	var out empirical
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		text, _, _ = strings.Cut(text, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		v, err := strconv.Atoi(text)
		if err != nil || v < 1 || v > mostTokens {
			return nil, fmt.Errorf("%s:%d:1: not a length (%.40q); one whole number a line from 1 to %d", l.Path, line, text, mostTokens)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s:1:1: no lengths (empty); one whole number a line from 1 to %d", l.Path, mostTokens)
	}
	return out, nil
}

// mostTokens bounds a length of a file.
const mostTokens = 1 << 30
