package core

import "testing"

// gb10 is the reference's table of two DGX Spark: milliseconds of a round by
// rows, linear between those measured.
type gb10 struct{}

var gb10Rows = []struct {
	rows int
	ms   float64
}{
	{1, 22.32}, {2, 26.80}, {3, 31.50}, {4, 36.07}, {5, 40.66}, {6, 45.00}, {7, 47.80}, {8, 51.33},
	{9, 57.00}, {10, 59.88}, {11, 60.79}, {12, 62.12}, {13, 68.00}, {14, 70.00}, {15, 70.50}, {16, 72.25},
	{24, 101.04}, {32, 116.07}, {48, 148.66}, {64, 198.12},
}

func (gb10) Round(s Shape) Nanos {
	k := 0
	for gb10Rows[k+1].rows < s.Rows {
		k++
	}
	a, b := gb10Rows[k], gb10Rows[k+1]
	ms := a.ms + (b.ms-a.ms)*float64(s.Rows-a.rows)/float64(b.rows-a.rows) + 0.8305*float64(s.Windows-1)
	return Nanos(ms * 1e6)
}

func (gb10) Pass(Asked) Nanos       { return 3_614_000 }
func (gb10) Cheapest(s Shape) Shape { return s }

func TestLoneDepthOfReference(t *testing.T) {
	same := func(c float64) []float64 { return []float64{c, c, c, c, c} }
	for _, k := range []struct {
		name   string
		prices Prices
		scores []float64
		alone  bool // and its first draft is known
		want   int
	}{
		{"gb10 first unknown", gb10{}, []float64{0.544, 0.658, 0.241, 0.2, 0.2}, false, 2},
		{"gb10 doubtful", gb10{}, []float64{0.222, 0.001}, true, 0},
		{"gb10 sure second", gb10{}, []float64{0.407, 0.995}, true, 2},
		{"doubtful alone", unitPrices, same(0.05), true, 0},
		{"doubtful shared", unitPrices, same(0.05), false, 1},
		{"sure alone", unitPrices, same(0.99), true, 5},
		{"sure shared", unitPrices, same(0.99), false, 5},
	} {
		cfg := DefaultConfig()
		cfg.Prices = k.prices
		s, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		st := &stream{}
		st.held = copy(st.score[:], k.scores)
		if got := s.loneDepth(st, k.alone); got != k.want {
			t.Errorf("%s: depth %d, want %d", k.name, got, k.want)
		}
	}
}

// TestJointDepthOfReference: with the unit table, doubtful windows verify one
// draft each and sure ones all five, as far as the rows go.
func TestJointDepthOfReference(t *testing.T) {
	for _, k := range []struct {
		score float64
		rows  int
		want  [2]int
	}{
		{0.05, 64, [2]int{1, 1}},
		{0.99, 64, [2]int{5, 5}},
		{0.99, 9, [2]int{4, 3}},
	} {
		cfg := DefaultConfig()
		cfg.Prices, cfg.DepthRows, cfg.PlainStreams, cfg.Lanes = unitPrices, k.rows, 0, 2
		s, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for id := range ID(2) {
			if err := s.Submit(0, Request{ID: id, Prompt: 1, Output: 100}); err != nil {
				t.Fatal(err)
			}
		}
		step := &Outcome{Rows: 1}
		for range 2 {
			s.Next(0)
			if err := s.Done(0, step); err != nil {
				t.Fatal(err)
			}
		}
		pass := &Outcome{}
		for range 10 {
			pass.Confidences = append(pass.Confidences, k.score)
		}
		s.Next(0)
		if err := s.Done(0, pass); err != nil {
			t.Fatal(err)
		}
		w := s.Next(0).Windows
		if got := [2]int{w[0].Drafts, w[1].Drafts}; got != k.want {
			t.Errorf("score %g, %d rows: depths %v, want %v", k.score, k.rows, got, k.want)
		}
	}
}
