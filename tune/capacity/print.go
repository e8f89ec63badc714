package capacity

import (
	"fmt"
	"io"
	"strings"

	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/tune"
)

// Write prints the report for a person: a table for each case.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s: the highest load at which %s\n", r.Scenario, r.Machine, strings.Join(r.Targets, " and "))
	for i := 0; i < len(r.Results); {
		first := r.Results[i]
		title := first.Case
		if first.World != "" {
			title += " (world " + first.World + ")"
		}
		fmt.Fprintf(&b, "\n%s, %s\n", title, first.Unit)
		cells := [][]string{{"arm", "capacity", "95% interval", "of " + first.Arm, "95% interval", "what breaks above"}}
		for ; i < len(r.Results) && r.Results[i].Case == first.Case && r.Results[i].World == first.World; i++ {
			cells = append(cells, r.Results[i].cells())
		}
		tune.WriteColumns(&b, cells)
	}
	if len(r.Warnings) > 0 {
		b.WriteByte('\n')
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "note: %s\n", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (e *Entry) cells() []string {
	capacity := tune.Figure(e.Capacity)
	if e.AtLeast {
		capacity = "≥ " + capacity
	}
	var causes []string
	total := 0
	for _, c := range e.LimitedBy {
		total += c.Seeds
	}
	for _, c := range e.LimitedBy {
		text := c.What
		if len(e.LimitedBy) > 1 {
			text += fmt.Sprintf(" (%d of %d)", c.Seeds, total)
		}
		causes = append(causes, text)
	}
	ratio := ""
	if e.Ratio.Valid {
		ratio = tune.Figure(e.Ratio) + "×"
	}
	return []string{e.Arm, capacity, spread(e.CI95), ratio, spread(e.RatioCI95), strings.Join(causes, ", ")}
}

func spread(i *result.Interval) string {
	if i == nil {
		return "–"
	}
	return tune.Figure(i[0]) + " to " + tune.Figure(i[1])
}
