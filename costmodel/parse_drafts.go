package costmodel

import "github.com/goccy/go-yaml/ast"

// mostOdds bounds log odds: beyond them a chance is 0 or 1 to every digit.
const mostOdds = 100

func (r reader) drafts(to *Drafts) read {
	return func(at string, n ast.Node) error {
		_, err := r.object(n, at,
			need("block", r.whole(1, 64, &to.Block)),
			need("loads", r.loads(&to.Loads)),
		)
		return err
	}
}

func (r reader) loads(to *map[string]DraftLoad) read {
	return func(at string, n ast.Node) error {
		values, err := r.values(n, at)
		if err != nil {
			return err
		}
		if len(values) == 0 {
			return r.errorAt(start(n), "%s is empty; accepted: at least one load", at)
		}
		*to = make(map[string]DraftLoad, len(values))
		for _, v := range values {
			key := v.Key.GetToken()
			if !name.MatchString(key.Value) {
				return r.errorAt(key, "key %s of %s; accepted: lower-case words joined by - _ or .", quoted(key.Value), at)
			}
			if _, twice := (*to)[key.Value]; twice {
				return r.errorAt(key, "%s is there twice in %s; accepted: once", key.Value, at)
			}
			var l DraftLoad
			_, err := r.object(v.Value, inner(at, key.Value),
				need("greedy", r.draftText(&l.Greedy)),
				need("sampled", r.draftText(&l.Sampled)),
			)
			if err != nil {
				return err
			}
			(*to)[key.Value] = l
		}
		return nil
	}
}

func (r reader) draftText(to *DraftText) read {
	return func(at string, n ast.Node) error {
		*to = DraftText{Settle: 1, Score: Score{Scale: 1}}
		_, err := r.object(n, at,
			need("logit", r.real(-mostOdds, mostOdds, &to.Logit)),
			may("deeper", r.real(-mostOdds, mostOdds, &to.Deeper)),
			may("spread", r.real(0, mostOdds, &to.Spread)),
			may("memory", r.real(0, 0.9999, &to.Memory)),
			may("start", r.real(-mostOdds, mostOdds, &to.Start)),
			may("settle", r.real(1, largest, &to.Settle)),
			may("score", r.score(&to.Score)),
		)
		return err
	}
}

func (r reader) score(to *Score) read {
	return func(at string, n ast.Node) error {
		_, err := r.object(n, at,
			may("scale", r.real(0, mostOdds, &to.Scale)),
			may("shift", r.real(-mostOdds, mostOdds, &to.Shift)),
			may("noise", r.real(0, mostOdds, &to.Noise)),
		)
		return err
	}
}
