package costmodel

import "github.com/goccy/go-yaml/token"

// within refuses prices of launches that the table's limits rule out: either
// they or the limits are a slip.
func (r reader) within(t *Table, found map[string]*token.Token) error {
	check := func(at *token.Token, priced, limit string, has, most int) error {
		if has > most {
			return r.errorAt(at, "%s has an entry %d, beyond launch.%s; accepted: entries up to %d", priced, has, limit, most)
		}
		return nil
	}
	if t.Windows != nil {
		return check(found["windows"], "windows.ms", "windows", t.Windows.MS[len(t.Windows.MS)-1].At, t.Limits.Windows)
	}
	if err := check(found["rows"], "rows.ms", "rows", t.Rows.MS.last(), t.Limits.Rows); err != nil {
		return err
	}
	return check(found["rows"], "rows.sequences_ms", "windows", t.Rows.SequencesMs.last(), t.Limits.Windows)
}
