package result

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

// csvPlace are the columns that say what a row is about. The totals' row has
// no request and no status.
var csvPlace = []string{"scenario", "machine", "world", "case", "arm", "seeds", "saturated", "request", "status"}

// csvHeader is csvPlace, the figures of requests, and those that only totals
// have. rounds, drafted and accepted are shared.
func csvHeader() []string {
	header := slices.Concat(csvPlace, RequestMetrics())
	for _, name := range TotalsMetrics() {
		if !slices.Contains(header, name) {
			header = append(header, name)
		}
	}
	return header
}

// WriteCSV prints one row for each request and one for each entry's totals,
// after them. Figures are as in the JSON, absent ones empty; the header is
// the same for all documents.
func WriteCSV(w io.Writer, docs ...*Document) error {
	header := csvHeader()
	column := make(map[string]int, len(header))
	for i, name := range header {
		column[name] = i
	}
	out := csv.NewWriter(w)
	// The writer keeps its first error; Flush and Error report it.
	_ = out.Write(header)
	for _, d := range docs {
		for i := range d.Results {
			e := &d.Results[i]
			place := []string{d.Scenario, d.Machine, e.World, e.Case, e.Arm, strconv.Itoa(e.Seeds), strconv.FormatBool(e.Saturated)}
			row := func(more ...string) []string {
				r := make([]string, len(header))
				copy(r[copy(r, place):], more)
				return r
			}
			for j := range e.Requests {
				q := &e.Requests[j]
				r := row(q.ID, string(q.Status))
				for _, f := range requestFigures {
					r[column[f.name]] = f.text(q)
				}
				_ = out.Write(r)
			}
			r := row()
			for _, f := range totalsFigures {
				r[column[f.name]] = f.text(&e.Totals)
			}
			_ = out.Write(r)
		}
	}
	out.Flush()
	return out.Error()
}
