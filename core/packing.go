package core

// Packing is how a device lays the windows of a launch out. The zero value
// lays them out as they are.
type Packing struct {
	// Least is the least rows of a window, and Multiple what its rows are a
	// multiple of: the device pads to them. 0 is 1.
	Least, Multiple int
	// Equal says that a launch takes one pass over the weights for every
	// different number of rows that its windows have: a first with the least
	// of them for all windows, a second with what the others have left, ….
	Equal bool
	// Longest says that each window of such a pass attends over as many rows as
	// the longest of them has in its cache, and that only neighbouring slots
	// share one.
	Longest bool
}

// Padded is the rows that a window of so many takes.
func (p Packing) Padded(rows int) int {
	rows = max(rows, p.Least)
	if m := p.Multiple; m > 1 {
		rows = (rows + m - 1) / m * m
	}
	return rows
}

// layout is how many windows of a round have how many rows.
type layout struct {
	windows, rows int
	// by counts the windows by their rows, which are at most most.
	by   [maxDepth + 2]int32
	most int
}

// start lays out so many windows of one row.
func (l *layout) start(windows int) {
	*l = layout{windows: windows, rows: windows, most: 1}
	l.by[1] = int32(windows)
}

// widen gives one window of so many rows one more.
func (l *layout) widen(rows int) {
	l.by[rows]--
	l.by[rows+1]++
	l.rows++
	l.most = max(l.most, rows+1)
}

// spread lays rows out over the windows as evenly as can be; beyond what
// windows hold, they are left out.
func (l *layout) spread(s Shape) {
	l.start(s.Windows)
	if s.Windows < 1 {
		return
	}
	each, more := s.Rows/s.Windows, s.Rows%s.Windows
	if each > maxDepth {
		each, more = maxDepth+1, 0
	}
	l.by[1] = 0
	l.by[each] = int32(s.Windows - more)
	l.rows, l.most = s.Windows*each+more, each
	if more > 0 {
		l.by[each+1] = int32(more)
		l.most++
	}
}

// even says that all windows take the same rows once they are padded.
func (l *layout) even(p Packing) bool {
	for rows := 1; rows <= l.most; rows++ {
		if l.by[rows] > 0 {
			return p.Padded(rows) == p.Padded(l.most)
		}
	}
	return true
}

// equal is the shape of windows that are all padded to the most rows.
func (l *layout) equal(p Packing) Shape {
	return Shape{l.windows, l.windows * p.Padded(l.most)}
}

// total is the shape of windows that are each padded alone.
func (l *layout) total(p Packing) Shape {
	s := Shape{Windows: l.windows}
	for rows := 1; rows <= l.most; rows++ {
		s.Rows += int(l.by[rows]) * p.Padded(rows)
	}
	return s
}

// one is the shape of a layout that takes one pass over the weights as it is.
func (l *layout) one(p Packing) (Shape, bool) {
	switch {
	case p == (Packing{}):
		return Shape{l.windows, l.rows}, true
	case l.even(p):
		return l.equal(p), true
	case !p.Equal:
		return l.total(p), true
	}
	return Shape{}, false
}

// passes calls f with the shape of each pass over the weights that the layout
// takes as it is.
func (l *layout) passes(p Packing, f func(Shape)) {
	left, done := l.windows, 0
	for rows := 1; rows <= l.most; rows++ {
		n := int(l.by[rows])
		if n == 0 {
			continue
		}
		if height := p.Padded(rows); height > done {
			f(Shape{left, left * (height - done)})
			done = height
		}
		left -= n
	}
}
