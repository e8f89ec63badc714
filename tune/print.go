package tune

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tfsim/tfsim/sim/result"
)

// WriteJSON writes a document, indented by two.
func WriteJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document)
}

// Write prints the answer for a person.
func (a *Answer) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", a.Objective)
	for i, c := range a.SubjectTo {
		fmt.Fprintf(&b, "%s %s", [...]string{",", " subject to"}[btoi(i == 0)], c)
	}
	b.WriteByte('\n')
	for _, s := range a.Scenarios {
		fmt.Fprintf(&b, "%s on %s: %s in %s; base is arm %s\n", s.Name, s.Machine,
			count(len(s.Cases), "case"), count(s.Worlds, "world"), s.Base)
	}
	fmt.Fprintf(&b, "%s\n\n%s\n", a.Search, a.Advice)
	for _, line := range a.Lines {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	for _, line := range a.Flags {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	b.WriteByte('\n')
	a.table(&b)
	for _, x := range a.Against {
		fmt.Fprintf(&b, "against the %s: %s\n", x.Name, x)
	}
	if len(a.Sensitivity) > 0 {
		b.WriteString("\naround the winner\n")
		for _, s := range a.Sensitivity {
			fmt.Fprintf(&b, "  %s\n", s.Text)
		}
	}
	if len(a.Warnings) > 0 {
		b.WriteByte('\n')
	}
	for _, text := range a.Warnings {
		fmt.Fprintf(&b, "note: %s\n", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func (e Effort) String() string {
	how := "a part of the space"
	if e.Whole {
		how = "the whole space"
	}
	end := map[string]string{
		EndClear: "the leader is clear of the rest or level with it", EndSeeds: "the rest is within the noise",
		EndSettled: "nothing near the front adds to it", EndBudget: "its part of the budget ended", EndInterrupted: "interrupted",
	}[e.End]
	return fmt.Sprintf("%s, %s: %s (%d play like others) in %d of %d runs; %s",
		count(e.Settings, "setting"), how, count(e.Candidates, "candidate"), e.Twins, e.Runs, e.Budget, end)
}

func (x Against) String() string {
	switch {
	case x.Better:
		return ratioText(x)
	case x.behind:
		return "a little behind (" + ratioText(x) + ")"
	}
	return "no difference (" + ratioText(x) + ")"
}

func ratioText(x Against) string {
	if !x.Difference.Valid {
		return "it has no figure"
	}
	text := fmt.Sprintf("%s, 95%% %s to %s", signed(x.Difference), signed(x.CI95[0]), signed(x.CI95[1]))
	if x.Ratio.Valid {
		text = short(x.Ratio.Value) + "×, " + text
	}
	return text
}

func signed(n result.Num) string {
	if !n.Valid {
		return "–"
	}
	if n.Value > 0 {
		return "+" + short(n.Value)
	}
	return short(n.Value)
}

// Figure is a figure for a person, a dash where absent.
func Figure(n result.Num) string {
	if !n.Valid {
		return "–"
	}
	return short(n.Value)
}

// table prints the candidates: figure, interval and constraints.
func (a *Answer) table(b *strings.Builder) {
	_, metric, _ := strings.Cut(a.Objective, " ")
	cells := [][]string{{"", metric, "95% interval"}}
	for i := range a.kept() {
		cells[0] = append(cells[0], a.kept()[i].title(len(a.Scenarios) > 1 || len(a.Scenarios[0].Cases) > 1))
	}
	cells[0] = append(cells[0], "settings")
	for _, r := range a.Candidates {
		row := []string{r.Name, Figure(r.Value), Figure(r.CI95[0]) + " to " + Figure(r.CI95[1])}
		for _, k := range r.Constraints {
			mark := ""
			if !k.Holds {
				mark = " broken"
			}
			row = append(row, Figure(k.Value)+" of "+Figure(k.Bound)+mark)
		}
		var set []string
		for _, s := range r.Settings {
			set = append(set, s.Name+"="+s.Value)
		}
		cells = append(cells, append(row, strings.Join(set, " ")))
	}
	WriteColumns(b, cells)
}

func (a *Answer) kept() []Kept {
	if len(a.Candidates) == 0 {
		return nil
	}
	return a.Candidates[0].Constraints
}

func (k Kept) title(cases bool) string {
	metric, _, _ := strings.Cut(k.Text, " ")
	if cases {
		return metric + ", " + k.Case
	}
	return metric
}

// WriteColumns aligns cells: the first and the last to the left, the others to
// the right.
func WriteColumns(b *strings.Builder, cells [][]string) {
	widths := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, row := range cells {
		var line strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if i == 0 || i == len(row)-1 {
				line.WriteString(c + pad + "  ")
			} else {
				line.WriteString(pad + c + "  ")
			}
		}
		b.WriteString(strings.TrimRight("  "+line.String(), " ") + "\n")
	}
}
