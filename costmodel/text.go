package costmodel

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// narrowest is the least width that WriteText lays out for.
const narrowest = 40

// WriteText writes the table for a terminal of so many columns, at least 40:
// every figure with its unit and provenance, and a drawing of what a launch
// costs by its rows. It is plain text without colour.
func (t *Table) WriteText(w io.Writer, width int) error {
	p := &page{width: max(width, narrowest)}
	p.prose("", t.Machine+": "+t.Device)
	p.prose("", "weights: "+t.Weights)
	if t.About != "" {
		p.blank()
		p.prose("", t.About)
	}
	t.writeLaunch(p)
	t.writePass(p)
	t.writeChunk(p)
	t.writeRest(p)
	t.writeDrafts(p)
	_, err := w.Write(p.Bytes())
	return err
}

func (t *Table) writeLaunch(p *page) {
	p.section("launch", t.Provenance.Launch)
	p.prose("  ", fmt.Sprintf("up to %d rows in %d windows; each further launch of a round adds %s ms",
		t.Limits.Rows, t.Limits.Windows, number(t.Limits.FurtherMs)))
	if l := t.Limits; l.Least > 1 || l.Multiple > 1 {
		p.prose("  ", fmt.Sprintf("a window takes at least %d rows, a multiple of %d", max(l.Least, 1), max(l.Multiple, 1)))
	}
	if r := t.Rows; r != nil {
		p.section("rows of a launch", t.Provenance.Rows)
		p.curve("rows", r.MS)
		if len(r.SequencesMs) > 0 {
			p.prose("  ", "added for so many sequences:")
			p.curve("sequences", r.SequencesMs)
		} else {
			p.prose("  ", number(r.PerSequenceMs)+" ms for each sequence after the first")
		}
		p.prose("  ", fmt.Sprintf("%s ms for each duplicate row, %s ms for each further row beside other texts", number(r.DuplicateMs), number(r.MixedRowMs)))
	}
	if g := t.Windows; g != nil {
		p.section("windows of a launch, rows per sequence by sequences", t.Provenance.Windows)
		p.grid("rows", "seq", turned(g.MS))
		if g.Jump > 0 {
			p.prose("  ", "no interpolation between neighbours further apart than "+number(g.Jump)+" times")
		}
	}
	p.blank()
	t.draw(p)
	if t.ContextMsPer1K > 0 {
		p.section("context", t.Provenance.Context)
		p.prose("  ", number(t.ContextMsPer1K)+" ms for each 1,000 tokens in the caches"+t.counted())
	}
	if t.Sampling != nil {
		p.section("sampling", t.Provenance.Sampling)
		p.prose("  ", number(t.Sampling.RowMs)+" ms for each row drawn at a temperature")
	}
}

// counted says how caches are, if not each by its own length.
func (t *Table) counted() string {
	if t.Caches == StreamCaches {
		return ", all counted as long as the longest of a launch"
	}
	return ""
}

func (t *Table) writePass(p *page) {
	d := t.Drafter
	if d == nil {
		p.section("drafter pass", Provenance{})
		p.prose("  ", "no figures")
		return
	}
	p.section("drafter pass", t.Provenance.Pass)
	p.prose("  ", fmt.Sprintf("%s ms with one ask, %s ms for each further ask, %s ms for each catch-up; %s ms hidden when launched early",
		number(d.Ms), number(d.AskMs), number(d.IngestMs), number(d.OverlapMs)))
	if d.ContextMsPer1K > 0 {
		p.prose("  ", number(d.ContextMsPer1K)+" ms for each 1,000 tokens in the caches"+t.counted())
	}
	if d.IngestRoundMs > 0 {
		most := ""
		if d.MostBehind > 0 {
			most = fmt.Sprintf(", of %d at most", d.MostBehind)
		}
		p.prose("  ", number(d.IngestRoundMs)+" ms for each round caught up on"+most)
	}
	if d.UnreadMs > 0 {
		p.prose("  ", number(d.UnreadMs)+" ms for each ask whose last drafts were all kept")
	}
	if d.ByDepth > 0 {
		p.prose("  ", fmt.Sprintf("of %d drafts for each ask; %s%% of it goes by their number", t.Drafts.Block, rounded(100*d.ByDepth)))
	}
}

func (t *Table) writeChunk(p *page) {
	c := t.Prompt
	if c == nil {
		return
	}
	p.section("prompt chunk, rows by start", t.Provenance.Chunk)
	p.grid("rows", "from", c.MS)
	for _, extra := range []struct {
		text string
		ms   Curve
	}{
		{"added beside a decoder when not staged:", c.UnstagedMs},
		{"not waited for before the prompt's end:", c.TailMs},
		{"added beside a decoder:", c.BesideMs},
		{"to finish a prompt:", c.FinishMs},
	} {
		if len(extra.ms) > 0 {
			p.prose("  ", extra.text)
			p.curve("rows", extra.ms)
		}
	}
	p.prose("  ", number(c.BeginMs)+" ms to begin a prompt")
	if c.IdleMs > 0 {
		p.prose("  ", number(c.IdleMs)+" ms that a step costs more when the machine was idle")
	}
	if len(c.AfterMs) > 0 {
		p.prose("  ", "added to the first rounds after a step:")
		p.curve("round", c.AfterMs)
	}
}

func (t *Table) writeRest(p *page) {
	if t.RestoreMs > 0 || t.RestoreMsPer1K > 0 {
		p.section("restore", t.Provenance.Restore)
		more := ""
		if t.RestoreMsPer1K > 0 {
			more = ", " + number(t.RestoreMsPer1K) + " ms more for each 1,000 rows of it"
		}
		p.prose("  ", fmt.Sprintf("%s ms for a kept prompt state%s, which holds %s MiB for each 1,000 tokens", number(t.RestoreMs), more, number(t.KeptMiBPer1K)))
	}
	if t.Noise > 0 {
		p.section("noise", t.Provenance.Windows)
		p.prose("  ", "sigma "+number(t.Noise)+" of a factor on what one shape takes")
	}
	if h := t.Heat; h != nil {
		p.section("heat", t.Provenance.Heat)
		cools := "never cools"
		if h.CoolS > 0 {
			cools = "cools in " + number(h.CoolS) + " s"
		}
		p.prose("  ", fmt.Sprintf("slows by up to %s%%, time constant %s s, headroom %s, %s; rounds feel %s%% of it",
			rounded(100*h.Limit), number(h.TauS), number(h.Headroom), cools, rounded(100*h.Rounds)))
	}
}

func (t *Table) writeDrafts(p *page) {
	p.section(fmt.Sprintf("drafts, %d for each ask", t.Drafts.Block), t.Provenance.Drafts)
	lines := [][]string{{"", "logit", "deeper", "spread", "memory", "start", "settle", "score"}}
	for _, load := range slices.Sorted(maps.Keys(t.Drafts.Loads)) {
		l := t.Drafts.Loads[load]
		lines = append(lines, l.Greedy.cells(load+" greedy"), l.Sampled.cells(load+" sampled"))
	}
	p.table(lines)
}

func (d DraftText) cells(label string) []string {
	return []string{
		label, number(d.Logit), number(d.Deeper), number(d.Spread), number(d.Memory), number(d.Start), number(d.Settle),
		fmt.Sprintf("%s/%s/%s", number(d.Score.Scale), number(d.Score.Shift), number(d.Score.Noise)),
	}
}

// number is the shortest text of a figure.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// rounded is the text of a figure to six digits.
func rounded(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// turned swaps the rows and columns of a grid.
func turned(g Grid) Grid {
	var out Grid
	for _, at := range columns(g) {
		l := Line{At: at}
		for _, from := range g {
			if i, ok := from.Ms.find(float64(at)); ok {
				l.Ms = append(l.Ms, Point{from.At, from.Ms[i].Ms})
			}
		}
		out = append(out, l)
	}
	return out
}

// columns are the entries that any curve of a grid has, ascending.
func columns(g Grid) []int {
	var all []int
	for _, l := range g {
		for _, p := range l.Ms {
			all = append(all, p.At)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// page collects text laid out for a width.
type page struct {
	bytes.Buffer
	width int
}

func (p *page) blank() { p.WriteByte('\n') }

// prose writes words wrapped to the width, each line indented.
func (p *page) prose(indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		switch {
		case len(line) == len(indent):
			line += word
		case cells(line)+1+cells(word) > p.width:
			p.WriteString(line + "\n")
			line = indent + word
		default:
			line += " " + word
		}
	}
	p.WriteString(line + "\n")
}

func cells(s string) int { return len([]rune(s)) }

// section writes a heading and where its figures come from.
func (p *page) section(title string, from Provenance) {
	p.blank()
	if from.Source == "" {
		p.prose("", title)
		return
	}
	p.prose("", title+" ("+from.Grade.String()+")")
	text := "source: " + from.Source
	if from.Method != "" {
		text += "; method: " + from.Method
	}
	if from.Date != "" {
		text += "; date: " + from.Date
	}
	p.prose("  ", text)
}

// curve writes a curve as two lines, in as many blocks as the width needs.
func (p *page) curve(of string, c Curve) {
	head, ms := []string{of}, []string{"ms"}
	for _, point := range c {
		head = append(head, strconv.Itoa(point.At))
		ms = append(ms, number(point.Ms))
	}
	p.table([][]string{head, ms})
}

// grid writes a grid, its own entries downwards, those of its curves across.
func (p *page) grid(down, across string, g Grid) {
	all := columns(g)
	lines := [][]string{{down + "\\" + across}}
	for _, at := range all {
		lines[0] = append(lines[0], strconv.Itoa(at))
	}
	for _, l := range g {
		line := []string{strconv.Itoa(l.At)}
		for _, at := range all {
			text := "-"
			if i, ok := l.Ms.find(float64(at)); ok {
				text = number(l.Ms[i].Ms)
			}
			line = append(line, text)
		}
		lines = append(lines, line)
	}
	p.table(lines)
}

// table writes cells right-aligned under each other. Columns that do not fit
// follow in further blocks, each with the first column.
func (p *page) table(lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], cells(text))
		}
	}
	for from := 1; from < len(widths); {
		room := p.width - 2 - widths[0]
		to := from
		for to < len(widths) && (to == from || room >= widths[to]+2) {
			room -= widths[to] + 2
			to++
		}
		for _, line := range lines {
			fmt.Fprintf(p, "  %-*s", widths[0], line[0])
			for i := from; i < to; i++ {
				fmt.Fprintf(p, "  %*s", widths[i], line[i])
			}
			p.blank()
		}
		from = to
	}
}
