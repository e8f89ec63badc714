package tune

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// sensitiveSeeds is the number of fresh seeds on which the winner's neighbours
// are played.
const sensitiveSeeds = 8

// flat is the part by which a figure may differ and still be called flat.
const flat = 0.02

// Sensitivity is what becomes of the winner with other values of one setting.
type Sensitivity struct {
	Name string
	// At is the winner's value.
	At string
	// Values are in order: "" first, then numbers by size.
	Values []Moved
}

// Moved is the winner with one other value.
type Moved struct {
	Text string
	// Cost is the mean, Ratio what it is of the winner's cost, taken so that
	// over 1 is worse; 0 if there is no such ratio.
	Cost, Ratio float64
	// Broken says that a constraint that the winner keeps does not hold.
	Broken bool
	// Same says that the setting's value makes no difference at all.
	Same bool
}

// sensitivity plays the winner's neighbours in each of its settings.
func (s *search) sensitivity() []Sensitivity {
	type move struct {
		text  string
		trial *trial
	}
	n := min(sensitiveSeeds, len(s.winner.fresh))
	var out []Sensitivity
	for i, at := range s.winner.point {
		if at == "" {
			continue
		}
		var moves []move
		var trials []*trial
		for _, text := range s.space.Dims[i].around(at) {
			if t := s.get(s.winner.point.With(i, text)); t != nil && !slices.Contains(trials, t) {
				moves = append(moves, move{text, t})
				trials = append(trials, t)
			}
		}
		s.extend(trials, n, answering)
		one := Sensitivity{Name: s.space.Dims[i].Name, At: at}
		for _, m := range moves {
			if len(m.trial.fresh) >= n && n > 0 {
				one.Values = append(one.Values, moved(m.text, m.trial.fresh[:n], s.winner.fresh[:n]))
			}
		}
		out = append(out, one)
	}
	return out
}

// around are the values to show beside one: those of the space, and the bounds
// of a number.
func (d *Dim) around(at string) []string {
	values := slices.Clone(d.Values)
	more := []string{at}
	if d.Refinable() {
		more = append(more, d.text(max(d.Min, d.Grain), d.Grain), d.text(d.Max, d.Grain))
	}
	for _, text := range more {
		if !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	slices.SortStableFunc(values, byNumber)
	return values
}

func moved(text string, samples, winner []Sample) Moved {
	is, was := stand(samples), stand(winner)
	m := Moved{Text: text, Cost: is.cost, Broken: is.broken > 0 && was.broken == 0}
	switch {
	case math.IsInf(is.cost, 0) || is.cost*was.cost <= 0:
	case was.cost < 0: // to be made large
		m.Ratio = was.cost / is.cost
	default:
		m.Ratio = is.cost / was.cost
	}
	d := sure.difference(samples, winner)
	m.Same = d.Low == 0 && d.High == 0
	return m
}

// byNumber orders values: unset, then numbers by size, then words as they are.
func byNumber(a, b string) int {
	x, okX := number(a)
	y, okY := number(b)
	switch {
	case a == "" || b == "":
		return len(a) - len(b)
	case okX && okY && x < y:
		return -1
	case okX && okY && x > y:
		return 1
	}
	return 0
}

// String is a line for a person: what is flat around the winner, and what
// other values do.
func (s Sensitivity) String() string {
	at := slices.IndexFunc(s.Values, func(m Moved) bool { return m.Text == s.At })
	if at < 0 || len(s.Values) < 2 {
		return s.Name + ": not played, the budget ended"
	}
	isFlat := func(i int) bool {
		m := s.Values[i]
		return m.Text != "" && !m.Broken && (m.Same || m.Ratio != 0 && math.Abs(m.Ratio-1) <= flat)
	}
	low, high := at, at
	for low > 0 && isFlat(low-1) {
		low--
	}
	for high+1 < len(s.Values) && isFlat(high+1) {
		high++
	}
	var b strings.Builder
	switch _, num := number(s.At); {
	case low == high:
		fmt.Fprintf(&b, "%s: %s is best", s.Name, s.At)
	case num:
		fmt.Fprintf(&b, "%s: %s to %s is flat", s.Name, s.Values[low].Text, s.Values[high].Text)
	default:
		fmt.Fprintf(&b, "%s: %s is like %s", s.Name, s.At, s.others(low, high))
	}
	sep := "; "
	for i, m := range s.Values {
		if i >= low && i <= high {
			continue
		}
		fmt.Fprintf(&b, "%s%s %s", sep, valueName(m.Text), m.what())
		sep = ", "
	}
	return b.String()
}

func (s Sensitivity) others(low, high int) string {
	var names []string
	for i := low; i <= high; i++ {
		if s.Values[i].Text != s.At {
			names = append(names, s.Values[i].Text)
		}
	}
	return strings.Join(names, ", ")
}

func valueName(text string) string {
	if text == "" {
		return "unset"
	}
	return text
}

func (m Moved) what() string {
	text := ""
	switch {
	case math.IsInf(m.Cost, 0):
		text = "has no figure"
	case m.Same || m.Ratio != 0 && math.Abs(m.Ratio-1) <= flat:
		text = "as good"
	case m.Ratio == 0:
		text = "differs"
	case m.Ratio < 1:
		text = percent(m.Ratio) + " better"
	case m.Ratio >= 2:
		text = short(m.Ratio) + "× worse"
	default:
		text = percent(m.Ratio) + " worse"
	}
	if m.Broken {
		text += " and breaks a constraint"
	}
	return text
}

func percent(ratio float64) string {
	return strconv.FormatFloat(math.Abs(ratio-1)*100, 'f', 0, 64) + "%"
}
