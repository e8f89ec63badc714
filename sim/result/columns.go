package result

import "slices"

// mostRequests is the number of requests up to which a table has columns for
// each of them.
const mostRequests = 6

// group is neighbouring columns under one title.
type group struct {
	title   string
	columns []column
}

// column is one figure of every arm.
type column struct {
	title string
	unit  unit
	// better is the direction of improvement: -1 for less, 1 for more, 0 for
	// neither; without one no ratio is shown.
	better int
	figure func(*Entry) Num
	// absent, if given, is what to print in place of an absent figure.
	absent func(*Entry) string
}

// groupsOf chooses the columns for the arms of one case and leaves out those
// that no arm has a figure for.
func groupsOf(arms []*Entry) []group {
	ids := requestIDs(arms)
	var groups []group
	if n := len(ids); n > 0 && n <= mostRequests {
		for _, id := range ids {
			groups = append(groups, requestGroup(id))
		}
		groups = append(groups, group{title: "all", columns: []column{
			total("tok/s", "decode_tok_s", unitRate, 1),
			total("share", "share", unitFraction, 0),
		}})
	} else {
		groups = workloadGroups()
	}
	for i := range groups {
		groups[i].columns = slices.DeleteFunc(groups[i].columns, func(c column) bool { return c.empty(arms) })
	}
	return slices.DeleteFunc(groups, func(g group) bool { return len(g.columns) == 0 })
}

func requestIDs(arms []*Entry) []string {
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
	done.absent = func(e *Entry) string {
		if q := e.request(id); q != nil && q.Status != Done {
			return string(q.Status)
		}
		return ""
	}
	return group{title: id, columns: []column{
		ofRequest(id, "first token", "ttft_s", unitSeconds),
		done,
		ofRequest(id, "gap p95", "gap_p95_ms", unitMillis),
		ofRequest(id, "gap max", "gap_max_ms", unitMillis),
	}}
}

func workloadGroups() []group {
	return []group{
		{title: "first token", columns: []column{
			total("p50", "ttft_s.p50", unitSeconds, -1),
			total("p95", "ttft_s.p95", unitSeconds, -1),
		}},
		{title: "gap", columns: []column{
			total("p50", "gap_ms.p50", unitMillis, -1),
			total("p95", "gap_ms.p95", unitMillis, -1),
			total("p99", "gap_ms.p99", unitMillis, -1),
			total("max", "gap_ms.max", unitMillis, -1),
		}},
		{title: "all", columns: []column{
			total("tok/s", "decode_tok_s", unitRate, 1),
			total("goodput/s", "goodput_rps", unitRate, 1),
			total("busy", "device_busy", unitFraction, 0),
		}},
	}
}

func total(title, metric string, u unit, better int) column {
	return column{title: title, unit: u, better: better, figure: func(e *Entry) Num {
		v, _ := e.Totals.Metric(metric)
		return v
	}}
}

func ofRequest(id, title, metric string, u unit) column {
	return column{title: title, unit: u, better: -1, figure: func(e *Entry) Num {
		q := e.request(id)
		if q == nil {
			return Num{}
		}
		v, _ := q.Metric(metric)
		return v
	}}
}

func (e *Entry) request(id string) *Request {
	for i := range e.Requests {
		if e.Requests[i].ID == id {
			return &e.Requests[i]
		}
	}
	return nil
}

func (c column) empty(arms []*Entry) bool {
	return !slices.ContainsFunc(arms, func(e *Entry) bool {
		return c.figure(e).Valid || c.absent != nil && c.absent(e) != ""
	})
}
