package capacity

import (
	"math"
	"strconv"
)

// mostDoublings bounds how far from the file's load the search goes.
const mostDoublings = 12

// scale is the kind of load.
type scale struct {
	// whole says that loads are whole numbers of users; otherwise rates.
	whole bool
	// close is the part by which a load that broke may exceed one that held
	// at the end, for rates.
	close float64
}

// limit is where a load stops to hold.
type limit struct {
	// held is the highest load that held, 0 if none did; broke the lowest that
	// did not, 0 if none was found.
	held, broke float64
	// why is what broke there.
	why string
	// empty says that a lower load has no figure, such as one at which no
	// request arrives.
	empty bool
}

// cause is why a load breaks, "" if it holds. none says that a figure is
// absent, so that the load neither holds nor breaks for what it is.
type cause struct {
	why  string
	none bool
}

// find brackets the limit and bisects. Loads without a figure below one that
// has it are no news of the limit.
func (s scale) find(start float64, judge func(load float64) (cause, error)) (limit, error) {
	var l limit
	try := func(load float64) error {
		c, err := judge(load)
		switch {
		case err != nil:
			return err
		case c.why == "":
			l.held = load
		case c.none && l.held == 0 && l.broke > 0:
			l.empty = true
		default:
			l.broke, l.why = load, c.why
		}
		return nil
	}
	if err := try(start); err != nil {
		return l, err
	}
	for range mostDoublings {
		switch {
		case l.broke == 0:
			start *= 2
		case l.held == 0 && !l.empty && (!s.whole || start > 1):
			start = s.round(start / 2)
		default:
			return l, s.narrow(&l, try)
		}
		if err := try(start); err != nil {
			return l, err
		}
	}
	return l, s.narrow(&l, try)
}

func (s scale) narrow(l *limit, try func(float64) error) error {
	for l.held > 0 && l.broke > 0 {
		middle := s.middle(l.held, l.broke)
		if middle <= l.held || middle >= l.broke {
			return nil
		}
		if err := try(middle); err != nil {
			return err
		}
	}
	return nil
}

// middle is a load between two, or one of them if they are close.
func (s scale) middle(held, broke float64) float64 {
	if s.whole {
		return math.Floor((held + broke) / 2)
	}
	if broke <= float64(held*(1+s.close)) {
		return held
	}
	return s.round(math.Sqrt(float64(held * broke)))
}

// round makes a load one that can be written into a file: whole, or of four
// digits.
func (s scale) round(load float64) float64 {
	if s.whole {
		return max(1, math.Floor(load))
	}
	v, _ := strconv.ParseFloat(strconv.FormatFloat(load, 'g', 4, 64), 64)
	return v
}
