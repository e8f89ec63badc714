package core

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLayout holds layouts against windows taken one by one.
func TestLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
		p := Packing{Least: n("least", 0, 3), Multiple: n("multiple", 0, 4), Equal: true}
		rows := rapid.SliceOfN(rapid.IntRange(1, maxDepth+1), 1, 9).Draw(t, "rows")
		var l layout
		l.start(len(rows))
		var left []int
		for _, r := range rows {
			for have := 1; have < r; have++ {
				l.widen(have)
			}
			left = append(left, p.Padded(r))
		}
		total, most := 0, slices.Max(left)
		for _, r := range left {
			total += r
		}
		if got := l.total(p); got != (Shape{len(rows), total}) {
			t.Fatalf("%v alone: %+v, want %d rows", rows, got, total)
		}
		if got := l.equal(p); got != (Shape{len(rows), len(rows) * most}) {
			t.Fatalf("%v made equal: %+v, want %d rows each", rows, got, most)
		}
		var want, got []Shape
		for len(left) > 0 {
			least := slices.Min(left)
			want = append(want, Shape{len(left), least * len(left)})
			for i := range left {
				left[i] -= least
			}
			left = slices.DeleteFunc(left, func(n int) bool { return n == 0 })
		}
		l.passes(p, func(s Shape) { got = append(got, s) })
		if !slices.Equal(got, want) {
			t.Fatalf("%v: passes %+v, want %+v", rows, got, want)
		}
		if l.even(p) != (len(want) == 1) {
			t.Fatalf("%v: even is %v with %d passes", rows, l.even(p), len(want))
		}
	})
}

// TestSpread: rows are laid out evenly.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		windows := rapid.IntRange(1, 9).Draw(t, "windows")
		rows := rapid.IntRange(windows, windows*(maxDepth+1)).Draw(t, "rows")
		var l layout
		l.spread(Shape{windows, rows})
		if l.windows != windows || l.rows != rows || l.most != (rows+windows-1)/windows {
			t.Fatalf("%d rows over %d: %d over %d, at most %d", rows, windows, l.rows, l.windows, l.most)
		}
		if got := l.total(Packing{}); got != (Shape{windows, rows}) {
			t.Fatalf("%d rows over %d: %+v", rows, windows, got)
		}
	})
}
