package costmodel

import "github.com/goccy/go-yaml/ast"

// mostOdds bounds log odds: beyond them a chance is 0 or 1 to every digit.
const mostOdds = 100

func (r reader) drafts(to *Drafts) read {
	return func(n ast.Node) error {
		_, err := r.object(n, "drafts",
			need("block", r.whole("block", 1, 64, &to.Block)),
			need("loads", r.loads(&to.Loads)),
		)
		return err
	}
}

func (r reader) loads(to *map[string]DraftLoad) read {
	return func(n ast.Node) error {
		values, err := r.values(n, "loads")
		if err != nil {
			return err
		}
		if len(values) == 0 {
			return r.errorAt(start(n), "loads is empty; accepted: at least one load")
		}
		*to = make(map[string]DraftLoad, len(values))
		for _, v := range values {
			at := v.Key.GetToken()
			if !name.MatchString(at.Value) {
				return r.errorAt(at, "load %s; accepted: lower-case words joined by - _ or .", quoted(at.Value))
			}
			if _, twice := (*to)[at.Value]; twice {
				return r.errorAt(at, "load %s is there twice; accepted: once", at.Value)
			}
			var l DraftLoad
			_, err := r.object(v.Value, "load "+at.Value,
				need("greedy", r.draftText("greedy", &l.Greedy)),
				need("sampled", r.draftText("sampled", &l.Sampled)),
			)
			if err != nil {
				return err
			}
			(*to)[at.Value] = l
		}
		return nil
	}
}

func (r reader) draftText(what string, to *DraftText) read {
	return func(n ast.Node) error {
		*to = DraftText{Settle: 1, Score: Score{Scale: 1}}
		_, err := r.object(n, what,
			need("logit", r.real("logit", -mostOdds, mostOdds, &to.Logit)),
			may("deeper", r.real("deeper", -mostOdds, mostOdds, &to.Deeper)),
			may("spread", r.real("spread", 0, mostOdds, &to.Spread)),
			may("memory", r.real("memory", 0, 0.9999, &to.Memory)),
			may("start", r.real("start", -mostOdds, mostOdds, &to.Start)),
			may("settle", r.real("settle", 1, largest, &to.Settle)),
			may("score", r.score(&to.Score)),
		)
		return err
	}
}

func (r reader) score(to *Score) read {
	return func(n ast.Node) error {
		_, err := r.object(n, "score",
			may("scale", r.real("scale", 0, mostOdds, &to.Scale)),
			may("shift", r.real("shift", -mostOdds, mostOdds, &to.Shift)),
			may("noise", r.real("noise", 0, mostOdds, &to.Noise)),
		)
		return err
	}
}
