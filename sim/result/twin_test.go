package result

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
	"pgregory.net/rapid"
)

// twin computes a story's figures from its stored events, one figure at a
// time and with floats.
type twin struct{ *story }

func (w twin) of(id core.ID) []core.Event {
	return slices.DeleteFunc(slices.Clone(w.events), func(e core.Event) bool {
		return e.ID != id || e.Kind == core.EventRound || e.Kind == core.EventPass
	})
}

func (w twin) deliveries(id core.ID) []core.Event {
	return slices.DeleteFunc(w.of(id), func(e core.Event) bool { return e.Kind != core.EventTokens })
}

func (w twin) at(id core.ID, kind core.EventKind) (core.Event, bool) {
	for _, e := range w.of(id) {
		if e.Kind == kind {
			return e, true
		}
	}
	return core.Event{}, false
}

func (w twin) gaps(id core.ID) []float64 {
	var out []float64
	d := w.deliveries(id)
	for i := 1; i < len(d); i++ {
		out = append(out, float64(d[i].At-d[i-1].At))
	}
	return out
}

func quantile(values []float64, p float64) Num {
	if len(values) == 0 {
		return Num{}
	}
	v := slices.Sorted(slices.Values(values))
	at := p * float64(len(v)-1)
	low := int(math.Floor(at + 1e-9))
	high := min(low+1, len(v)-1)
	return Some(v[low] + (v[high]-v[low])*(at-float64(low)))
}

func scale(n Num, by float64) Num {
	if !n.Valid {
		return n
	}
	return Some(n.Value / by)
}

func (w twin) request(id core.ID) Request {
	r := Request{ID: w.metas[id].Name, Status: Unfinished, PromptTokens: Count(w.metas[id].Prompt)}
	for kind, status := range map[core.EventKind]Status{core.EventFinished: Done, core.EventCancelled: Cancelled, core.EventFailed: Failed} {
		if _, ok := w.at(id, kind); ok {
			r.Status = status
		}
	}
	if e, ok := w.at(id, core.EventBegin); ok {
		r.CachedTokens = Count(e.Rows)
	}
	if e, ok := w.at(id, core.EventAdmitted); ok {
		sub, _ := w.at(id, core.EventSubmitted)
		r.Queue = Some(float64(e.At-sub.At) / 1e6)
	}
	d := w.deliveries(id)
	for i, e := range d {
		r.OutputTokens += Count(e.Tokens)
		r.Drafted += Count(e.Drafts)
		r.Accepted += Count(e.Kept)
		r.Rounds = Count(i)
	}
	if len(d) > 0 {
		r.TTFT = Some(float64(d[0].At-w.metas[id].Sent) / 1e6)
		if r.Status == Done {
			r.Done = Some(float64(d[len(d)-1].At-w.metas[id].Sent) / 1e6)
		}
	}
	gaps := w.gaps(id)
	r.GapP50 = scale(quantile(gaps, 0.5), 1e3)
	r.GapP95 = scale(quantile(gaps, 0.95), 1e3)
	r.GapP99 = scale(quantile(gaps, 0.99), 1e3)
	r.GapMax = scale(quantile(gaps, 1), 1e3)
	return r
}

// filling says that a request was admitted and filled its prompt after the
// first n events.
func (w twin) filling(n int) bool {
	state := make(map[core.ID]bool)
	for _, e := range w.events[:n] {
		switch e.Kind {
		case core.EventAdmitted, core.EventLost:
			state[e.ID] = true
		case core.EventStep:
			state[e.ID] = !e.Last
		case core.EventFinished, core.EventCancelled, core.EventFailed:
			state[e.ID] = false
		}
	}
	for _, filling := range state {
		if filling {
			return true
		}
	}
	return false
}

func (w twin) totals() Totals {
	var out Totals
	var first, last, decoded, good, held, device, stepWall, stepRows, beside, rounds float64
	var ttfts, gaps []float64
	first, last = math.Inf(1), math.Inf(-1)
	sent := math.Inf(1)
	for _, id := range w.order {
		r := w.request(id)
		sent = min(sent, float64(w.metas[id].Sent))
		gaps = append(gaps, w.gaps(id)...)
		if r.TTFT.Valid {
			ttfts = append(ttfts, r.TTFT.Value*1e6)
		}
		if d := w.deliveries(id); r.OutputTokens > 1 {
			first = min(first, float64(d[0].At))
			last = max(last, float64(d[len(d)-1].At))
			decoded += float64(r.OutputTokens) - 1
		}
		switch r.Status {
		case Done:
			out.Done++
			if w.slo != nil && w.kept(r) {
				good++
			}
		case Cancelled:
			out.Cancelled++
		case Failed:
			out.Failed++
		default:
			out.Unfinished++
		}
		if a, ok := w.at(id, core.EventAdmitted); ok {
			until := w.end
			for _, kind := range []core.EventKind{core.EventFinished, core.EventCancelled, core.EventFailed} {
				if e, ok := w.at(id, kind); ok {
					until = e.At
				}
			}
			held += float64(until - a.At)
		}
		out.Drafted += r.Drafted
		out.Accepted += r.Accepted
	}
	for i, e := range w.events {
		device += float64(e.Device)
		switch e.Kind {
		case core.EventRound, core.EventPass:
			if e.Kind == core.EventRound {
				out.Rounds++
			} else {
				out.Passes++
			}
			if w.filling(i) {
				rounds += float64(e.Wall)
			}
		case core.EventStep:
			out.Steps++
			stepRows += float64(e.Rows)
			stepWall += float64(e.Wall)
			if e.Beside {
				beside += float64(e.Wall)
			}
		}
	}
	wall := float64(w.end)
	if len(w.order) > 0 {
		wall -= sent
	}
	out.Wall = Some(wall / 1e6)
	if decoded > 0 {
		out.DecodeRate = ratio(decoded*1e6, last-first)
	}
	out.SteadyRate = w.steady()
	out.PromptRate = ratio(stepRows*1e6, stepWall)
	out.DeviceBusy = ratio(device, wall)
	out.SlotBusy = ratio(held/float64(w.lanes), wall)
	if beside > 0 {
		out.Share = ratio(beside, beside+rounds)
	}
	if w.slo != nil {
		out.GoodputRate = ratio(good*1e6, wall)
	}
	out.TTFT = Quantiles{scale(quantile(ttfts, .5), 1e6), scale(quantile(ttfts, .95), 1e6), scale(quantile(ttfts, .99), 1e6)}
	out.Gap = Tail{scale(quantile(gaps, .5), 1e3), scale(quantile(gaps, .95), 1e3), scale(quantile(gaps, .99), 1e3), scale(quantile(gaps, 1), 1e3)}
	return out
}

func (w twin) kept(r Request) bool {
	if !r.TTFT.Valid || breaks(r.TTFT.Value*1e6, w.slo.TTFT) {
		return false
	}
	return !r.GapP95.Valid || !breaks(r.GapP95.Value*1e3, w.slo.GapP95)
}

func breaks(us float64, bound core.Micros) bool {
	return bound > 0 && us > float64(bound)+1e-4
}

func requireSame[T any](t require.TestingT, figures []figure[T], want, got *T, what string) {
	for _, f := range figures {
		a, b := f.get(want), f.get(got)
		require.Equal(t, a.Valid, b.Valid, "%s %s: want %v got %v", what, f.name, a, b)
		require.InDelta(t, a.Value, b.Value, 1e-9*(1+math.Abs(a.Value)), "%s %s", what, f.name)
	}
}

func TestRecorderAgreesWithTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStory(t)
		w := twin{s}
		full := s.record(Options{PerRequest: true}).Result(s.end)
		require.Len(t, full.Requests, len(s.order))
		for i, id := range s.order {
			want := w.request(id)
			require.Equal(t, want.ID, full.Requests[i].ID)
			require.Equal(t, want.Status, full.Requests[i].Status)
			requireSame(t, requestFigures, &want, &full.Requests[i], want.ID)
		}
		want := w.totals()
		requireSame(t, totalsFigures, &want, &full.Totals, "totals")

		// Leaving requests out changes no total.
		bare := s.record(Options{}).Result(s.end)
		require.Equal(t, full.Totals, bare.Totals)
		require.Empty(t, bare.Requests)
	})
}

func TestResultDoesNotDisturbTheRecorder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStory(t)
		r := s.record(Options{PerRequest: true})
		first := r.Result(s.end)
		require.Equal(t, first, r.Result(s.end))
	})
}

func TestMemoryIsBoundedByRequestsInFlight(t *testing.T) {
	r := NewRecorder(Options{})
	for id := core.ID(1); id <= 10_000; id++ {
		at := core.Micros(id) * 1000
		r.Expect(id, Meta{Sent: at})
		r.Record(&core.Event{Kind: core.EventSubmitted, ID: id, Slot: -1, At: at})
		r.Record(&core.Event{Kind: core.EventAdmitted, ID: id, At: at})
		r.Record(&core.Event{Kind: core.EventTokens, ID: id, At: at, Tokens: 1})
		r.Record(&core.Event{Kind: core.EventFinished, ID: id, At: at})
	}
	assert.Empty(t, r.live)
	assert.Len(t, r.free, 1)
	assert.Empty(t, r.ended)
	assert.EqualValues(t, 10_000, r.Result(1).Totals.Done)
}

func TestUndeclaredRequestsAreNamedByNumber(t *testing.T) {
	r := NewRecorder(Options{PerRequest: true})
	r.Record(&core.Event{Kind: core.EventSubmitted, ID: 7, Slot: -1, At: 5, Rows: 3, Tokens: 2})
	q := r.Result(10).Requests[0]
	assert.Equal(t, "7", q.ID)
	assert.EqualValues(t, 3, q.PromptTokens)
	assert.Equal(t, Unfinished, q.Status)
	assert.False(t, q.Queue.Valid)
}

func TestRefusedRequestsFailed(t *testing.T) {
	r := NewRecorder(Options{PerRequest: true})
	r.Expect(1, Meta{Name: "a", Sent: 5, Prompt: 3})
	r.Refuse(1, 5)
	run := r.Result(10)
	assert.Equal(t, []Request{{ID: "a", Status: Failed, PromptTokens: 3}}, run.Requests)
	assert.EqualValues(t, 1, run.Totals.Failed)
}

// steady is the rate of the rounds of the most windows, found in two walks.
func (w twin) steady() Num {
	most := 0
	for _, e := range w.events {
		if e.Kind == core.EventRound {
			most = max(most, e.Windows)
		}
	}
	var tokens, wall, pass float64
	for _, e := range w.events {
		switch e.Kind {
		case core.EventPass:
			pass += float64(e.Wall)
		case core.EventRound:
			if e.Windows == most {
				tokens += float64(e.Tokens)
				wall += float64(e.Wall) + pass
			}
			pass = 0
		}
	}
	return ratio(tokens*1e6, wall)
}
