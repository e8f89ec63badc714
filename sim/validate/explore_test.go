package validate

import (
	"fmt"
	"os"
	"testing"

	"github.com/tfsim/tfsim/costmodel"
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
	for _, c := range all {
		tb := tables[c.machine]
		if tb == nil {
			tb, err = costmodel.Open(c.machine)
			if err != nil {
				t.Fatal(err)
			}
			tables[c.machine] = tb
		}
		v, err := c.simulate(tb, 5)
		if err != nil {
			t.Fatal(c.id, err)
		}
		k := c.compare(v)
		fmt.Printf("%-70s %10.2f %10.2f %+6.1f%%\n", k.ID, k.Published, k.Simulated, 100*(k.Simulated/k.Published-1))
	}
}
