package costmodel

import "github.com/goccy/go-yaml/ast"

func (r reader) limits(to *Limits) read {
	return func(at string, n ast.Node) error {
		found, err := r.object(n, at,
			need("rows", r.whole(1, mostRows, &to.Rows)),
			need("windows", r.whole(1, mostRows, &to.Windows)),
			may("further_ms", r.cost(&to.FurtherMs)),
			may("least", r.whole(1, mostRows, &to.Least)),
			may("multiple", r.whole(1, mostRows, &to.Multiple)),
		)
		if err == nil && to.Windows > to.Rows {
			err = r.errorAt(found["windows"], "%s is %d, more than its rows; accepted: at most %d windows", inner(at, "windows"), to.Windows, to.Rows)
		}
		for _, x := range []struct {
			key  string
			rows int
		}{{"least", to.Least}, {"multiple", to.Multiple}} {
			if err == nil && x.rows > to.Rows {
				err = r.errorAt(found[x.key], "%s is %d, more than its rows; accepted: at most %d", inner(at, x.key), x.rows, to.Rows)
			}
		}
		return err
	}
}

func (r reader) rows(to **Rows) read {
	return func(at string, n ast.Node) error {
		v := &Rows{}
		found, err := r.object(n, at,
			need("ms", r.curve(1, true, &v.MS)),
			may("sequences_ms", r.curve(1, true, &v.SequencesMs)),
			may("per_sequence_ms", r.cost(&v.PerSequenceMs)),
			may("duplicate_ms", r.cost(&v.DuplicateMs)),
			may("mixed_row_ms", r.cost(&v.MixedRowMs)),
		)
		if err != nil {
			return err
		}
		if twice := found["per_sequence_ms"]; twice != nil && found["sequences_ms"] != nil {
			return r.errorAt(twice, "rows price sequences twice; accepted: one of sequences_ms, per_sequence_ms")
		}
		*to = v
		return nil
	}
}

func (r reader) windows(to **Windows) read {
	return func(at string, n ast.Node) error {
		v := &Windows{}
		*to = v
		_, err := r.object(n, at,
			need("ms", r.grid(1, true, &v.MS)),
			may("jump", r.real(1, largest, &v.Jump)),
		)
		return err
	}
}

func (r reader) sampling(to **Sampling) read {
	return func(at string, n ast.Node) error {
		v := &Sampling{}
		*to = v
		_, err := r.object(n, at, need("row_ms", r.cost(&v.RowMs)))
		return err
	}
}

func (r reader) pass(to **Drafter) read {
	return func(at string, n ast.Node) error {
		v := &Drafter{}
		*to = v
		_, err := r.object(n, at,
			need("ms", r.cost(&v.Ms)),
			may("ask_ms", r.cost(&v.AskMs)),
			may("context_ms_per_1k", r.cost(&v.ContextMsPer1K)),
			may("ingest_ms", r.cost(&v.IngestMs)),
			may("by_depth", r.real(0, 1, &v.ByDepth)),
			may("ingest_round_ms", r.cost(&v.IngestRoundMs)),
			may("most_behind", r.whole(1, mostRows, &v.MostBehind)),
			may("unread_ms", r.cost(&v.UnreadMs)),
			may("overlap_ms", r.cost(&v.OverlapMs)),
		)
		return err
	}
}

func (r reader) chunk(to **Chunk) read {
	return func(at string, n ast.Node) error {
		v := &Chunk{}
		*to = v
		_, err := r.object(n, at,
			need("ms", r.grid(0, false, &v.MS)),
			may("unstaged_ms", r.curve(1, false, &v.UnstagedMs)),
			may("tail_ms", r.curve(1, false, &v.TailMs)),
			may("begin_ms", r.cost(&v.BeginMs)),
			may("finish_ms", r.curve(1, false, &v.FinishMs)),
			may("beside_ms", r.curve(1, false, &v.BesideMs)),
			may("after_ms", r.curve(1, true, &v.AfterMs)),
			may("idle_ms", r.cost(&v.IdleMs)),
		)
		return err
	}
}

func (r reader) heat(to **Heat) read {
	return func(at string, n ast.Node) error {
		v := &Heat{}
		*to = v
		_, err := r.object(n, at,
			need("limit", r.cost(&v.Limit)),
			need("tau_s", r.real(1e-3, largest, &v.TauS)),
			may("headroom", r.cost(&v.Headroom)),
			may("cool_s", r.cost(&v.CoolS)),
			may("rounds", r.cost(&v.Rounds)),
		)
		return err
	}
}
