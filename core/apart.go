package core

import "slices"

// Where every window of a launch attends over as many rows as the longest of
// them has, one long text makes all beside it slow. Windows that are alike then
// share a launch, and others have one of their own, where that costs less by
// what is believed of both.

// ContextPrices are Prices that tell apart what the rows in caches cost. They
// are pure as well.
type ContextPrices interface {
	// Context is the price of attending over so many rows, summed over the
	// windows of a launch.
	Context(rows int) Nanos
}

const (
	// mostApart is the most windows that are looked at, and apartAhead by how
	// much more launches have to cost less.
	mostApart  = 32
	apartAhead = 0.95
)

// apart cuts the windows into launches of alike ones, if the device and prices
// are such, and says whether it did.
func (s *Scheduler) apart() bool {
	n := len(s.action.Windows)
	prices, ok := s.cfg.Prices.(ContextPrices)
	rows := 0
	for k := range s.action.Windows {
		rows += s.action.Windows[k].Rows()
	}
	if !ok || !s.cfg.Packing.Longest || n < 2 || n > mostApart || rows > s.cfg.LaunchRows {
		return false
	}
	j := &s.joint
	j.windows = append(j.windows[:0], s.action.Windows...)
	slices.SortStableFunc(j.windows, func(a, b Window) int { return a.Position - b.Position })
	s.action.Launches = s.cut(prices, j.windows, s.action.Launches)
	if len(s.action.Launches) == 1 {
		s.action.Launches = s.action.Launches[:0]
		return false
	}
	copy(s.action.Windows, j.windows)
	return true
}

// cut appends the launches of windows by length: all in one, or the two parts of
// the best cut, each cut again.
func (s *Scheduler) cut(prices ContextPrices, windows []Window, launches []int) []int {
	best, at := float64(s.launchPrice(prices, windows))*apartAhead, 0
	for i := 1; i < len(windows); i++ {
		price := float64(s.launchPrice(prices, windows[:i]) + s.launchPrice(prices, windows[i:]))
		if price < best {
			best, at = price, i
		}
	}
	if at == 0 {
		return append(launches, len(windows))
	}
	launches = s.cut(prices, windows[:at], launches)
	return s.cut(prices, windows[at:], launches)
}

// launchPrice is what a launch of windows is believed to cost: its passes over
// the weights, each of as many rows as the first window that is left over and
// its neighbours have in common.
func (s *Scheduler) launchPrice(prices ContextPrices, windows []Window) Nanos {
	j := &s.joint
	j.bySlot = append(j.bySlot[:0], windows...)
	slices.SortFunc(j.bySlot, func(a, b Window) int { return a.Slot - b.Slot })
	j.left = j.left[:0]
	for k := range j.bySlot {
		j.left = append(j.left, s.cfg.Packing.Padded(j.bySlot[k].Rows()))
	}
	price := Nanos(0)
	for first := 0; first < len(j.left); {
		if j.left[first] == 0 {
			first++
			continue
		}
		end, rows, longest := first+1, j.left[first], j.bySlot[first].Position
		for ; end < len(j.left) && j.left[end] > 0 && j.bySlot[end].Slot == j.bySlot[end-1].Slot+1; end++ {
			rows = min(rows, j.left[end])
			longest = max(longest, j.bySlot[end].Position)
		}
		for k := first; k < end; k++ {
			j.left[k] -= rows
		}
		n := end - first
		price += s.cfg.Prices.Round(Shape{n, n * rows}) + prices.Context(n*longest)
	}
	return price
}
