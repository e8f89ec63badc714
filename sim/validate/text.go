package validate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/tfsim/tfsim/sim/result"
)

// WriteJSON prints the report, indented by two.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteText prints a table for each group, worst cells marked.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i := range r.Groups {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.Groups[i].write(&b)
	}
	b.WriteString("\nfitted: the figure helped to choose the table's; the others are predicted\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (g *Group) write(b *strings.Builder) {
	width := len("cell")
	for _, c := range g.Cells {
		width = max(width, len(c.ID))
	}
	fmt.Fprintf(b, "%s\n  %-*s  %9s  %9s  %6s\n", g.Name, width, "cell", "published", "simulated", "error")
	for _, c := range g.Cells {
		remark := c.Note
		if c.Fitted && remark == "" {
			remark = "fitted"
		}
		line := fmt.Sprintf("  %-*s  %9s  %9s  %5.1f%%  %-10s %s", width, c.ID,
			short(c.Published), short(c.Simulated), 100*c.Error, bar(c.Error), remark)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	fmt.Fprintf(b, "  median %.1f%%, four in five within %.1f%%, 90th percentile %.1f%%, worst %.1f%%",
		100*g.Median, 100*g.quantile(0.8), 100*g.P90, 100*g.Worst)
	if g.Unidentified > 0 {
		fmt.Fprintf(b, "; %d of %d cells unidentified and left out", g.Unidentified, len(g.Cells))
	}
	b.WriteByte('\n')
	if p := g.predicted(); len(p.errors()) > 0 && len(p.Cells) < len(g.Cells) {
		fmt.Fprintf(b, "  predicted alone (%d cells): median %.1f%%, four in five within %.1f%%, worst %.1f%%\n",
			len(p.errors()), 100*p.quantile(0.5), 100*p.quantile(0.8), 100*p.quantile(1))
	}
}

// predicted is the group without the cells that helped to choose the table.
func (g *Group) predicted() *Group {
	p := &Group{Name: g.Name}
	for _, c := range g.Cells {
		if !c.Fitted {
			p.Cells = append(p.Cells, c)
		}
	}
	return p
}

// short is a figure in at most four digits after the point.
func short(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return result.Some(v).String()
}

// bar draws an error, a block for each 2%.
func bar(e float64) string { return strings.Repeat("▪", min(int(e*50+0.5), 10)) }
