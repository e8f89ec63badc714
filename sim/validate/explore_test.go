package validate

import (
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"testing"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/result"
)

func TestExplore(t *testing.T) {
	if os.Getenv("EXPLORE") == "" {
		t.Skip()
	}
	all, err := cells()
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]*costmodel.Table{}
	open := func(m string) *costmodel.Table {
		tb := tables[m]
		if tb == nil {
			tb, err = costmodel.Open(m)
			if err != nil {
				t.Fatal(err)
			}
			tables[m] = tb
		}
		return tb
	}
	open("m5-ultra-512gb")
	open("m3-ultra-512gb")
	v, err := simulate(all, open, 20)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		k := c.compare(v[i])
		fmt.Printf("%-70s %10.2f %10.2f %+6.1f%%\n", k.ID, k.Published, k.Simulated, 100*(k.Simulated/k.Published-1))
	}
}

func TestFitM5(t *testing.T) {
	if os.Getenv("FIT") == "" {
		t.Skip()
	}
	all, err := cells()
	if err != nil {
		t.Fatal(err)
	}
	start := os.Getenv("FIT_START")
	if start == "" {
		start = "m5-ultra-512gb"
	}
	tb, err := costmodel.Open(start)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("FIT") == "0" {
		os.Exit(0)
	}
	var mine []cell
	for _, c := range all {
		if c.machine == tb.Machine && c.group == GroupDecode && fitted(&c) {
			mine = append(mine, c)
		}
	}
	tokensPerRound := func(r result.Run) result.Num {
		return result.Some(float64(r.Requests[0].OutputTokens-1) / float64(r.Requests[0].Rounds-1))
	}
	for _, k := range []struct {
		load string
		t    float64
		v    float64
	}{{"code", 0, 3.16}, {"code", 1, 3.16}, {"chat", 0, 2.349}, {"chat", 1, 2.393}} {
		mine = append(mine, cell{id: fmt.Sprint("tpr ", k.load, k.t), published: k.v, bench: decode(k.load, 1, 64, k.t), figure: tokensPerRound})
	}
	params := roundParameters()
	if tb.Machine == "m5-ultra-512gb" {
		params = append(params, draftParameters()...)
	} else {
		mine = mine[:len(mine)-4]
	}
	p := &Problem{Table: tb, Parameters: params, Seeds: 10, cells: mine}
	n, _ := strconv.Atoi(os.Getenv("FIT"))
	err = p.Fit(n, func(i int, l float64) {
		fmt.Println(i, l)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range p.Parameters {
		fmt.Printf("%-22s %8.3f\n", q.Name, q.get(tb))
	}
	f, _ := os.Create(os.Getenv("FIT_OUT"))
	_ = tb.WriteJSON(f)
	f.Close()
	p.Seeds = 20
	r, _ := p.residuals(p.point())
	for i, c := range mine {
		fmt.Printf("%-70s %8.2f %+6.1f%%\n", c.id, c.published, 100*r[i])
	}
	var errs []float64
	for _, x := range r {
		errs = append(errs, math.Abs(x))
	}
	sort.Float64s(errs)
	fmt.Println("median", errs[len(errs)/2], "p80", errs[len(errs)*8/10])
}
