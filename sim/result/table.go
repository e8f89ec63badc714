package result

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
)

// TableOptions say how tables look.
type TableOptions struct {
	// Color uses the terminal's colours: green is better and red worse than
	// the first arm by more than 5%.
	Color bool
	// Width is the most columns of a line: groups of figures that do not fit
	// follow below, each whole however wide it is; sentences are wrapped. 0 is
	// no limit.
	Width int
}

// WriteTable prints, for each case in each world, one table with a row for
// each arm, then what became of the expectations. Ratios are to the case's
// first arm. A case of few requests shows each of them, a workload shows its
// distributions.
func WriteTable(w io.Writer, docs []*Document, o TableOptions) error {
	t := table{paint: paint{on: o.Color}, width: o.Width}
	for i, d := range docs {
		if i > 0 {
			t.line("")
		}
		t.document(d)
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

type table struct {
	paint
	width int
	out   strings.Builder
}

// sentence prints a text behind a head, wrapped between words; its further
// lines are indented.
func (t *table) sentence(head string, style lipgloss.Style, text string, indent int) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case t.width == 0 || indent+lipgloss.Width(line)+1+lipgloss.Width(word) <= t.width:
			line += " " + word
		default:
			t.line(head + t.with(style, line))
			head, line = strings.Repeat(" ", indent), word
		}
	}
	t.line(head + t.with(style, line))
}

// line prints one, without spaces at its end.
func (t *table) line(s string) {
	t.out.WriteString(strings.TrimRight(s, " "))
	t.out.WriteByte('\n')
}

func (t *table) document(d *Document) {
	title := t.with(styleTitle, d.Scenario)
	if d.Machine != "" {
		title += t.with(styleDim, " on "+d.Machine)
	}
	t.line(title)
	for _, arms := range byCase(d.Results) {
		t.line("")
		t.caseOf(arms)
	}
	if len(d.Expect) == 0 {
		return
	}
	t.line("")
	for _, e := range d.Expect {
		switch {
		case e.Skipped:
			t.sentence(t.with(styleDim, "skip  "), styleDim, e.Text, verdict)
		case e.OK:
			t.sentence(t.with(styleBetter, "ok    "), stylePlain, e.Text, verdict)
		default:
			t.sentence(t.with(styleWorse, "FAIL  "), stylePlain, e.Text, verdict)
		}
	}
}

// verdict is the width of what an expectation came to.
const verdict = len("FAIL  ")

// byCase gathers the arms of each case in each world, in order.
func byCase(entries []Entry) [][]*Entry {
	type cell struct{ world, name string }
	index := make(map[cell]int)
	var out [][]*Entry
	for i := range entries {
		e := &entries[i]
		at, ok := index[cell{e.World, e.Case}]
		if !ok {
			at = len(out)
			index[cell{e.World, e.Case}] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], e)
	}
	return out
}

func (t *table) caseOf(arms []*Entry) {
	title := t.with(styleTitle, arms[0].Case)
	var aside []string
	if world := arms[0].World; world != "" {
		aside = append(aside, "world "+world)
	}
	if n := arms[0].Seeds; n > 1 {
		aside = append(aside, fmt.Sprintf("means of %d seeds", n))
	}
	if aside != nil {
		title += t.with(styleDim, "  "+strings.Join(aside, ", "))
	}
	t.line(title)

	names := t.armNames(arms)
	var strips [][]strip
	groups := Groups(arms)
	if len(groups) == 0 {
		t.line(t.with(styleDim, "  nothing was sent"))
	}
	for _, g := range groups {
		strips = append(strips, stripsOf(g, arms))
	}
	for from := 0; from < len(groups); {
		to := t.fit(strips, from, names.width())
		t.block(names, groups[from:to], strips[from:to])
		from = to
	}
	t.notes(arms)
}

// notes prints each note once, with the arms that it is about.
func (t *table) notes(arms []*Entry) {
	about := map[string][]string{}
	var order []string
	for _, e := range arms {
		for _, note := range e.Notes {
			if about[note] == nil {
				order = append(order, note)
			}
			about[note] = append(about[note], e.Arm)
		}
	}
	for _, note := range order {
		who := strings.Join(about[note], ", ")
		if len(about[note]) == len(arms) && len(arms) > 1 {
			who = "all arms"
		}
		t.sentence(margin, styleDim, who+": "+note, 2*len(margin))
	}
}

func (t *table) armNames(arms []*Entry) strip {
	s := strip{title: "arm"}
	for _, e := range arms {
		name := e.Arm
		if e.Saturated {
			name += t.with(styleWarn, " (saturated)")
		}
		s.cells = append(s.cells, Cell{Value: name})
		s.value = max(s.value, lipgloss.Width(name))
	}
	s.widen(len(s.title))
	return s
}

func stripsOf(g Group, arms []*Entry) []strip {
	out := make([]strip, len(g.Columns))
	for i, c := range g.Columns {
		out[i] = newStrip(c, arms)
	}
	out[0].widen(out[0].width() + lipgloss.Width(g.Title) - groupWidth(out))
	return out
}

// space is between two columns, margin before each line.
const (
	space  = "  "
	margin = "  "
)

func groupWidth(strips []strip) int {
	w := -len(space)
	for i := range strips {
		w += len(space) + strips[i].width()
	}
	return w
}

// fit gives the end of the groups, at least one, that fit beside the names.
func (t *table) fit(strips [][]strip, from, names int) int {
	width := len(margin) + names
	for to := from; to < len(strips); to++ {
		width += len(space) + groupWidth(strips[to])
		if t.width > 0 && width > t.width && to > from {
			return to
		}
	}
	return len(strips)
}

// block prints some groups: their titles, the columns' titles, the arms.
func (t *table) block(names strip, groups []Group, strips [][]strip) {
	over := margin + padRight("", names.width())
	under := margin + padRight(names.title, names.width())
	for i, g := range groups {
		over += space + ruled(g.Title, groupWidth(strips[i]))
		for _, s := range strips[i] {
			under += space + padLeft(s.title, s.width())
		}
	}
	t.line(t.with(styleDim, strings.TrimRight(over, " ")))
	t.line(t.with(styleDim, under))
	for arm := range names.cells {
		row := margin + padRight(names.cells[arm].Value, names.width())
		for i := range strips {
			for j := range strips[i] {
				row += space + strips[i][j].print(t.paint, arm)
			}
		}
		t.line(row)
	}
}

// ruled is a title and a rule to the end of its group.
func ruled(title string, width int) string {
	rest := width - lipgloss.Width(title)
	if rest < 2 {
		return padRight(title, width)
	}
	return title + " " + strings.Repeat("─", rest-1)
}
