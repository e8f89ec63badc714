package costmodel

import "github.com/goccy/go-yaml/ast"

func (r reader) limits(to *Limits) read {
	return func(n ast.Node) error {
		_, err := r.object(n, "launch",
			need("rows", r.whole("launch rows", 1, mostRows, &to.Rows)),
			need("windows", r.whole("launch windows", 1, mostRows, &to.Windows)),
			may("further_ms", r.cost("further_ms", &to.FurtherMs)),
			may("least", r.whole("least", 1, mostRows, &to.Least)),
			may("multiple", r.whole("multiple", 1, mostRows, &to.Multiple)),
		)
		return err
	}
}

func (r reader) rows(to **Rows) read {
	return func(n ast.Node) error {
		v := &Rows{}
		found, err := r.object(n, "rows",
			need("ms", r.curve("rows ms", 1, true, &v.MS)),
			may("sequences_ms", r.curve("sequences_ms", 1, true, &v.SequencesMs)),
			may("per_sequence_ms", r.cost("per_sequence_ms", &v.PerSequenceMs)),
			may("duplicate_ms", r.cost("duplicate_ms", &v.DuplicateMs)),
			may("mixed_row_ms", r.cost("mixed_row_ms", &v.MixedRowMs)),
		)
		if err != nil {
			return err
		}
		if at := found["per_sequence_ms"]; at != nil && found["sequences_ms"] != nil {
			return r.errorAt(at, "rows price sequences twice; accepted: one of sequences_ms, per_sequence_ms")
		}
		*to = v
		return nil
	}
}

func (r reader) windows(to **Windows) read {
	return func(n ast.Node) error {
		v := &Windows{}
		*to = v
		_, err := r.object(n, "windows",
			need("ms", r.grid("windows ms", 1, true, &v.MS)),
			may("jump", r.real("jump", 1, largest, &v.Jump)),
		)
		return err
	}
}

func (r reader) sampling(to **Sampling) read {
	return func(n ast.Node) error {
		v := &Sampling{}
		*to = v
		_, err := r.object(n, "sampling", need("row_ms", r.cost("row_ms", &v.RowMs)))
		return err
	}
}

func (r reader) pass(to **Drafter) read {
	return func(n ast.Node) error {
		v := &Drafter{}
		*to = v
		_, err := r.object(n, "pass",
			need("ms", r.cost("pass ms", &v.Ms)),
			may("ask_ms", r.cost("ask_ms", &v.AskMs)),
			may("context_ms_per_1k", r.cost("context_ms_per_1k", &v.ContextMsPer1K)),
			may("ingest_ms", r.cost("ingest_ms", &v.IngestMs)),
			may("by_depth", r.real("by_depth", 0, 1, &v.ByDepth)),
			may("ingest_round_ms", r.cost("ingest_round_ms", &v.IngestRoundMs)),
			may("most_behind", r.whole("most_behind", 1, mostRows, &v.MostBehind)),
			may("unread_ms", r.cost("unread_ms", &v.UnreadMs)),
			may("overlap_ms", r.cost("overlap_ms", &v.OverlapMs)),
		)
		return err
	}
}

func (r reader) chunk(to **Chunk) read {
	return func(n ast.Node) error {
		v := &Chunk{}
		*to = v
		_, err := r.object(n, "chunk",
			need("ms", r.grid("chunk ms", 0, false, &v.MS)),
			may("unstaged_ms", r.curve("unstaged_ms", 1, false, &v.UnstagedMs)),
			may("tail_ms", r.curve("tail_ms", 1, false, &v.TailMs)),
			may("begin_ms", r.cost("begin_ms", &v.BeginMs)),
			may("finish_ms", r.curve("finish_ms", 1, false, &v.FinishMs)),
			may("beside_ms", r.curve("beside_ms", 1, false, &v.BesideMs)),
			may("after_ms", r.cost("after_ms", &v.AfterMs)),
		)
		return err
	}
}

func (r reader) heat(to **Heat) read {
	return func(n ast.Node) error {
		v := &Heat{}
		*to = v
		_, err := r.object(n, "heat",
			need("limit", r.cost("limit", &v.Limit)),
			need("tau_s", r.real("tau_s", 1e-3, largest, &v.TauS)),
			may("headroom", r.cost("headroom", &v.Headroom)),
			may("cool_s", r.cost("cool_s", &v.CoolS)),
			may("rounds", r.cost("rounds", &v.Rounds)),
		)
		return err
	}
}
