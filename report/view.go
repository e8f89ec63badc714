package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/result"
)

// studyView is a study as the page shows it.
type studyView struct {
	ID, Title, Machine string
	About              []string
	Arms               []armName
	Cases              []*caseView
	Expect             []result.ExpectResult
	Held, Missed, Left int // expectations
	Streams            *chart
	Settings           *settingsView
	Worlds             []World
	Server             []Fact
	Table              *costmodel.Table
	Sources            []source
}

type armName struct {
	Index int
	Name  string
}

// caseView is one case in one world.
type caseView struct {
	ID, Title, World string
	Seeds            int
	Groups           []result.Group
	Rows             []rowView
	Timelines        []*timeline
	Closer           []*timeline
	CloserText       string
	Marks            []path // of the legend: class and words
	Columned         bool
	Charts           []*chart
	Spreads          []spreadView
	Rates            []rateView
	Notes            []noteView
}

type rowView struct {
	Arm       armName
	Saturated bool
	Cells     []figure
	First     []bool // of a group
}

// spreadView is the numbers of an arm's distributions.
type spreadView struct {
	Arm       armName
	What      string
	Count     int64
	Quantiles []string
}

// rateView is an arm's bar of throughput.
type rateView struct {
	Arm   armName
	Width string
	Text  figure
}

// noteView is a note and the arms that have it.
type noteView struct{ Arms, Text string }

type source struct {
	Section string
	costmodel.Provenance
}

func newStudyView(s *Study, index int) *studyView {
	d := s.Document
	v := &studyView{
		ID: fmt.Sprintf("s%d", index), Title: d.Scenario, Machine: d.Machine, About: paragraphs(s.About),
		Expect: d.Expect, Worlds: s.Worlds, Server: s.Server, Table: s.Machine,
	}
	names := s.arms()
	for i, n := range names {
		v.Arms = append(v.Arms, armName{i, n})
	}
	for _, e := range d.Expect {
		switch {
		case e.Skipped:
			v.Left++
		case e.OK:
			v.Held++
		default:
			v.Missed++
		}
	}
	for i, entries := range s.cases() {
		v.Cases = append(v.Cases, newCaseView(s, names, entries, fmt.Sprintf("%sc%d", v.ID, i)))
	}
	v.Streams = byStreams(names, s.Runs)
	v.Settings = newSettingsView(s.Arms)
	if s.Machine != nil {
		v.Sources = sourcesOf(s.Machine.Provenance)
	}
	return v
}

// paragraphs splits a text at its blank lines.
func paragraphs(text string) []string {
	var out []string
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func newCaseView(s *Study, names []string, entries []*result.Entry, id string) *caseView {
	c := &caseView{ID: id, Title: entries[0].Case, World: entries[0].World, Seeds: entries[0].Seeds, Groups: result.Groups(entries)}
	var runs []*Run
	for _, e := range entries {
		name := armName{indexOf(names, e.Arm), e.Arm}
		row := rowView{Arm: name, Saturated: e.Saturated}
		for _, g := range c.Groups {
			for i, col := range g.Columns {
				row.Cells = append(row.Cells, figure{col.Cell(e, entries[0])})
				row.First = append(row.First, i == 0)
			}
		}
		c.Rows = append(c.Rows, row)
		if r := s.run(e); r != nil {
			runs = append(runs, r)
		}
	}
	c.notes(entries)
	c.rates(names, entries)
	c.draw(names, runs)
	return c
}

// notes gathers equal notes of several arms.
func (c *caseView) notes(entries []*result.Entry) {
	for _, e := range entries {
		for _, text := range e.Notes {
			at := slices.IndexFunc(c.Notes, func(n noteView) bool { return n.Text == text })
			if at < 0 {
				c.Notes = append(c.Notes, noteView{e.Arm, text})
			} else {
				c.Notes[at].Arms += ", " + e.Arm
			}
		}
	}
	for i, n := range c.Notes {
		if len(entries) > 1 && strings.Count(n.Arms, ", ") == len(entries)-1 {
			c.Notes[i].Arms = "all arms"
		}
	}
}

func (c *caseView) rates(names []string, entries []*result.Entry) {
	col := result.Rate()
	most := 0.0
	for _, e := range entries {
		most = max(most, col.Figure(e).Value)
	}
	if most <= 0 {
		return
	}
	for _, e := range entries {
		v := col.Figure(e)
		c.Rates = append(c.Rates, rateView{
			Arm: armName{indexOf(names, e.Arm), e.Arm}, Width: percent(int(v.Value/most*10_000 + 0.5)), Text: figure{col.Cell(e, entries[0])},
		})
	}
}

// draw makes the case's drawings of its runs.
func (c *caseView) draw(names []string, runs []*Run) {
	if len(runs) == 0 {
		return
	}
	whole := wholeOf(runs)
	closer, close := closerOf(runs, whole)
	if close {
		c.CloserText = microsText(closer.from) + " to " + microsText(closer.to)
	}
	var gaps, first []series
	var seen [marks]bool
	for _, r := range runs {
		i := indexOf(names, r.Place.Arm)
		t := newTimeline(r, i, whole)
		t.Summary = r.summary()
		c.Timelines = append(c.Timelines, t)
		c.Columned = c.Columned || t.Columned
		if close {
			c.Closer = append(c.Closer, newTimeline(r, i, closer))
		}
		gaps = append(gaps, series{i, r.Place.Arm, &r.gaps})
		first = append(first, series{i, r.Place.Arm, &r.ttft})
		for m := range marks {
			seen[m] = seen[m] || r.used[m] > 0
		}
		seen[markStall] = seen[markStall] || r.stalled > 0
		c.spreads(i, r)
	}
	for m := range marks {
		if seen[m] {
			c.Marks = append(c.Marks, path{markNames[m].class, markNames[m].text})
		}
	}
	for _, ch := range []*chart{
		cumulative("Gaps between deliveries", "gap", gaps),
		cumulative("Time to the first token", "from sending to the first token", first),
	} {
		if ch != nil {
			c.Charts = append(c.Charts, ch)
		}
	}
}

func (c *caseView) spreads(index int, r *Run) {
	for _, k := range []struct {
		what string
		of   *spread
	}{{"gap", &r.gaps}, {"first token", &r.ttft}} {
		if k.of.n == 0 {
			continue
		}
		v := spreadView{Arm: armName{index, r.Place.Arm}, What: k.what, Count: k.of.n}
		for _, p := range []int64{50, 90, 95, 99} {
			v.Quantiles = append(v.Quantiles, microsText(k.of.percentile(p)))
		}
		v.Quantiles = append(v.Quantiles, microsText(k.of.most))
		c.Spreads = append(c.Spreads, v)
	}
}

// settingsView is a table of what the arms set.
type settingsView struct {
	Arms  []string
	Rows  []settingRow
	Lines []settingLines
}

type settingRow struct {
	Name, Doc string
	Cells     []settingCell
}

type settingCell struct {
	Text, Origin string
	Set          bool
}

// settingLines are an arm's variables and flags to paste.
type settingLines struct{ Arm, Text string }

func newSettingsView(arms []Arm) *settingsView {
	if len(arms) == 0 {
		return nil
	}
	v := &settingsView{}
	lines := make([][]settings.Line, len(arms))
	for i, a := range arms {
		v.Arms = append(v.Arms, a.Name)
		lines[i] = a.Values.Explain()
		text := strings.Join(append(a.Values.Environment(), a.Values.Flags()...), " ")
		v.Lines = append(v.Lines, settingLines{a.Name, text})
	}
	for k := range lines[0] {
		row := settingRow{Name: lines[0][k].Setting.Name, Doc: lines[0][k].Setting.Doc}
		any := false
		for i := range arms {
			l := lines[i][k]
			set := l.Origin != settings.OriginDefault
			any = any || set
			row.Cells = append(row.Cells, settingCell{l.Text, l.Origin, set})
		}
		if any {
			v.Rows = append(v.Rows, row)
		}
	}
	return v
}

func sourcesOf(p costmodel.Sections) []source {
	var out []source
	for _, s := range []source{
		{"launch", p.Launch}, {"rows", p.Rows}, {"windows", p.Windows}, {"context", p.Context}, {"sampling", p.Sampling},
		{"pass", p.Pass}, {"chunk", p.Chunk}, {"restore", p.Restore}, {"heat", p.Heat}, {"drafts", p.Drafts},
	} {
		if s.Source != "" {
			out = append(out, s)
		}
	}
	return out
}
