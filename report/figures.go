package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// The page's tables have the figures and the words of result.WriteTable; a
// test compares the two.

// unit is how a figure is printed.
type unit uint8

const (
	unitSeconds unit = iota
	unitMillis
	unitRate
	unitFraction
)

func (u unit) format(v float64) string {
	switch u {
	case unitSeconds:
		return spanText(v * 1e3)
	case unitMillis:
		return spanText(v)
	case unitFraction:
		return strconv.FormatFloat(v*100, 'f', 0, 64) + "%"
	default:
		return short(v)
	}
}

// spanText is a time given in milliseconds, as ms or, from a second on, as s.
func spanText(ms float64) string {
	if short(ms) == "0" || math.Abs(ms) < 999.95 {
		return short(ms) + " ms"
	}
	return short(ms/1e3) + " s"
}

func microsText(t core.Micros) string { return spanText(float64(t) / 1e3) }

// short is a number with as many decimals as a glance needs.
func short(v float64) string {
	places := 2
	switch a := math.Abs(v); {
	case a == 0, a >= 999.95:
		places = 0
	case a >= 9.995:
		places = 1
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// times is a ratio, with enough decimals to tell it from 0.
func times(r float64) string {
	s := short(r)
	if r > 0 && r < 0.005 {
		s = strconv.FormatFloat(r, 'g', 1, 64)
	}
	return s + "×"
}

// group is neighbouring columns under one title.
type group struct {
	Title   string
	Columns []column
}

// column is one figure of every arm.
type column struct {
	Title  string
	unit   unit
	better int // -1 less, 1 more, 0 neither: then there is no ratio
	figure func(*result.Entry) result.Num
	ci     string // the total's name, for its interval
	absent func(*result.Entry) string
}

// mostRequests is the number of requests up to which each has its columns.
const mostRequests = 6

// groupsOf chooses a case's columns and leaves out those without a figure.
func groupsOf(arms []*result.Entry) []group {
	ids := requestIDs(arms)
	var groups []group
	if n := len(ids); n > 0 && n <= mostRequests {
		for _, id := range ids {
			groups = append(groups, requestGroup(id))
		}
		groups = append(groups, group{"all", []column{
			total("tok/s", "decode_tok_s", unitRate, 1),
			total("share", "share", unitFraction, 0),
		}})
	} else {
		groups = []group{
			{"first token", []column{
				total("p50", "ttft_s.p50", unitSeconds, -1),
				total("p95", "ttft_s.p95", unitSeconds, -1),
			}},
			{"gap", []column{
				total("p50", "gap_ms.p50", unitMillis, -1),
				total("p95", "gap_ms.p95", unitMillis, -1),
				total("p99", "gap_ms.p99", unitMillis, -1),
				total("max", "gap_ms.max", unitMillis, -1),
			}},
			{"all", []column{
				total("tok/s", "decode_tok_s", unitRate, 1),
				total("goodput/s", "goodput_rps", unitRate, 1),
				total("busy", "device_busy", unitFraction, 0),
			}},
		}
	}
	for i := range groups {
		groups[i].Columns = slices.DeleteFunc(groups[i].Columns, func(c column) bool {
			return !slices.ContainsFunc(arms, func(e *result.Entry) bool {
				return c.figure(e).Valid || c.absent != nil && c.absent(e) != ""
			})
		})
	}
	return slices.DeleteFunc(groups, func(g group) bool { return len(g.Columns) == 0 })
}

func requestIDs(arms []*result.Entry) []string {
	var ids []string
	seen := make(map[string]bool)
	for _, e := range arms {
		for i := range e.Requests {
			if id := e.Requests[i].ID; !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func requestGroup(id string) group {
	done := ofRequest(id, "done", "done_s", unitSeconds)
	done.absent = func(e *result.Entry) string {
		if q := requestOf(e, id); q != nil && q.Status != result.Done {
			return string(q.Status)
		}
		return ""
	}
	return group{id, []column{
		ofRequest(id, "first token", "ttft_s", unitSeconds),
		done,
		ofRequest(id, "gap p95", "gap_p95_ms", unitMillis),
		ofRequest(id, "gap max", "gap_max_ms", unitMillis),
	}}
}

func total(title, metric string, u unit, better int) column {
	return column{Title: title, unit: u, better: better, ci: metric, figure: func(e *result.Entry) result.Num {
		v, _ := e.Totals.Metric(metric)
		return v
	}}
}

func ofRequest(id, title, metric string, u unit) column {
	return column{Title: title, unit: u, better: -1, figure: func(e *result.Entry) result.Num {
		q := requestOf(e, id)
		if q == nil {
			return result.Num{}
		}
		v, _ := q.Metric(metric)
		return v
	}}
}

func requestOf(e *result.Entry, id string) *result.Request {
	for i := range e.Requests {
		if e.Requests[i].ID == id {
			return &e.Requests[i]
		}
	}
	return nil
}

// figureText is one figure as a table prints it.
type figureText struct {
	Value, Ratio, Interval string
	// Class is "better" or "worse" where it differs from the first arm's by
	// more than 5%, and Verdict the word for it.
	Class string
}

func (c column) text(e, first *result.Entry) figureText {
	v := c.figure(e)
	if !v.Valid {
		if c.absent != nil {
			if text := c.absent(e); text != "" {
				return figureText{Value: text}
			}
		}
		return figureText{Value: "–"}
	}
	out := figureText{Value: c.unit.format(v.Value)}
	if ci := e.CI95[c.ci]; ci != nil && ci[0].Valid && ci[1].Valid {
		out.Interval = c.unit.format(ci[0].Value) + " to " + c.unit.format(ci[1].Value)
	}
	base := c.figure(first)
	if e == first || c.better == 0 || !base.Valid || base.Value == 0 {
		return out
	}
	r := v.Value / base.Value
	out.Ratio = times(r)
	switch {
	case r > 1.05 && c.better > 0, r < 0.95 && c.better < 0:
		out.Class = "better"
	case r > 1.05, r < 0.95:
		out.Class = "worse"
	}
	return out
}
