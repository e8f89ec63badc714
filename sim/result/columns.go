package result

import "slices"

// mostRequests is the number of requests up to which a table has columns for
// each of them.
const mostRequests = 6

// Group is neighbouring columns of a table under one title.
type Group struct {
	Title   string
	Columns []Column
}

// Column is one figure of every arm.
type Column struct {
	Title string
	unit  unit
	// better is the direction of improvement: -1 for less, 1 for more, 0 for
	// neither; without one no ratio is shown.
	better int
	figure func(*Entry) Num
	// metric is the total's name, for its interval.
	metric string
	// absent, if given, is what to print in place of an absent figure.
	absent func(*Entry) string
}

// Groups chooses the columns for the arms of one case and leaves out those
// that no arm has a figure for.
func Groups(arms []*Entry) []Group {
	var groups []Group
	if ids := Shown(arms); len(ids) > 0 {
		for _, id := range ids {
			groups = append(groups, requestGroup(id))
		}
		groups = append(groups, Group{Title: "all", Columns: []Column{
			Rate(),
			total("share", "share", unitFraction, 0),
		}})
	} else {
		groups = workloadGroups()
	}
	for i := range groups {
		groups[i].Columns = slices.DeleteFunc(groups[i].Columns, func(c Column) bool { return c.empty(arms) })
	}
	return slices.DeleteFunc(groups, func(g Group) bool { return len(g.Columns) == 0 })
}

// Shown are the requests that have columns of their own: all of them if they
// are few, else none.
func Shown(arms []*Entry) []string {
	if ids := requestIDs(arms); len(ids) <= mostRequests {
		return ids
	}
	return nil
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

func requestGroup(id string) Group {
	done := ofRequest(id, "done", "done_s", unitSeconds)
	done.absent = func(e *Entry) string {
		if q := e.Request(id); q != nil && q.Status != Done {
			return string(q.Status)
		}
		return ""
	}
	return Group{Title: id, Columns: []Column{
		ofRequest(id, "first token", "ttft_s", unitSeconds),
		done,
		ofRequest(id, "gap p95", "gap_p95_ms", unitMillis),
		ofRequest(id, "gap max", "gap_max_ms", unitMillis),
	}}
}

func workloadGroups() []Group {
	return []Group{
		{Title: "first token", Columns: []Column{
			total("p50", "ttft_s.p50", unitSeconds, -1),
			total("p95", "ttft_s.p95", unitSeconds, -1),
		}},
		{Title: "gap", Columns: []Column{
			total("p50", "gap_ms.p50", unitMillis, -1),
			total("p95", "gap_ms.p95", unitMillis, -1),
			total("p99", "gap_ms.p99", unitMillis, -1),
			total("max", "gap_ms.max", unitMillis, -1),
		}},
		{Title: "all", Columns: []Column{
			Rate(),
			total("goodput/s", "goodput_rps", unitRate, 1),
			total("busy", "device_busy", unitFraction, 0),
		}},
	}
}

// Rate is the column of tokens per second.
func Rate() Column { return total("tok/s", "decode_tok_s", unitRate, 1) }

func total(title, metric string, u unit, better int) Column {
	return Column{Title: title, unit: u, better: better, metric: metric, figure: func(e *Entry) Num {
		v, _ := e.Totals.Metric(metric)
		return v
	}}
}

func ofRequest(id, title, metric string, u unit) Column {
	return Column{Title: title, unit: u, better: -1, figure: func(e *Entry) Num {
		q := e.Request(id)
		if q == nil {
			return Num{}
		}
		v, _ := q.Metric(metric)
		return v
	}}
}

// Request gives a request by its name, nil if the arm has none of it.
func (e *Entry) Request(id string) *Request {
	for i := range e.Requests {
		if e.Requests[i].ID == id {
			return &e.Requests[i]
		}
	}
	return nil
}

func (c Column) empty(arms []*Entry) bool {
	return !slices.ContainsFunc(arms, func(e *Entry) bool {
		return c.figure(e).Valid || c.absent != nil && c.absent(e) != ""
	})
}
