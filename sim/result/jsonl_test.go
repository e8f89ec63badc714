package result

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/internal/golden"
	"pgregory.net/rapid"
)

func drawEvent(t *rapid.T) core.Event {
	n := func(name string) int {
		return rapid.OneOf(rapid.Just(0), rapid.IntRange(-5, 5), rapid.Int()).Draw(t, name)
	}
	return core.Event{
		At: core.Micros(n("at")), Kind: core.EventKind(rapid.IntRange(0, int(core.EventWait)).Draw(t, "kind")),
		ID: core.ID(rapid.Uint64().Draw(t, "id")), Slot: rapid.IntRange(-1, 9).Draw(t, "slot"),
		From: n("from"), Rows: n("rows"), Windows: n("windows"), Launches: n("launches"),
		Drafts: n("drafts"), Kept: n("kept"), Tokens: n("tokens"), Total: n("total"),
		Price: core.Nanos(n("price")), Wall: core.Micros(n("wall")), Device: core.Micros(n("device")), Owed: core.Micros(n("owed")),
		Beside: rapid.Bool().Draw(t, "beside"), Last: rapid.Bool().Draw(t, "last"),
		Reason: rapid.OneOf(rapid.SampledFrom([]string{"", "end", "length"}), rapid.String()).Draw(t, "reason"),
	}
}

func TestJSONLRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out bytes.Buffer
		var want, got []Line
		name := rapid.String().Draw(t, "name")
		w := NewJSONL(&out, func(core.ID) string { return name })
		for range rapid.IntRange(0, 5).Draw(t, "events") {
			e := drawEvent(t)
			l := Line{Event: e}
			if e.ID != 0 {
				l.Request = name
			}
			w.Record(&e)
			want = append(want, l)
		}
		require.NoError(t, w.Err())
		require.NoError(t, ReadJSONL(&out, func(l *Line) error {
			got = append(got, *l)
			return nil
		}))
		require.Equal(t, want, got)
	})
}

// Heads come back with their events, and who wants none sees none.
func TestJSONLHeads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z"<ä ]{0,6}`)
		var out bytes.Buffer
		var want, got []any
		w := NewJSONL(&out, nil)
		for range rapid.IntRange(0, 6).Draw(t, "lines") {
			if rapid.Bool().Draw(t, "head") {
				h := Head{
					Scenario: text.Draw(t, "scenario"), Machine: text.Draw(t, "machine"), World: text.Draw(t, "world"),
					Case: text.Draw(t, "case"), Arm: text.Draw(t, "arm"), Seed: rapid.Uint64().Draw(t, "seed"),
				}
				w.Begin(h)
				want = append(want, h)
				continue
			}
			e := drawEvent(t)
			w.Record(&e)
			want = append(want, Line{Event: e})
		}
		require.NoError(t, w.Err())
		events := 0
		require.NoError(t, ReadRuns(bytes.NewReader(out.Bytes()), func(h Head) error {
			got = append(got, h)
			return nil
		}, func(l *Line) error {
			events++
			got = append(got, *l)
			return nil
		}))
		require.Equal(t, want, got)
		require.NoError(t, ReadJSONL(&out, func(*Line) error {
			events--
			return nil
		}))
		require.Zero(t, events)
	})
}

func TestJSONLText(t *testing.T) {
	var out bytes.Buffer
	w := NewJSONL(&out, func(core.ID) string { return "a \"long\" <one>" })
	w.Begin(Head{Scenario: "two at once", Machine: "m5-ultra-512gb", Case: "both", Arm: "base", Seed: 7})
	for _, e := range []core.Event{
		{Kind: core.EventSubmitted, At: 500_000, ID: 2, Slot: -1, Rows: 131072, Tokens: 64},
		{Kind: core.EventRound, At: 600_000, Slot: -1, Rows: 6, Windows: 2, Launches: 1, Drafts: 4, Kept: 3, Price: 21_400_000, Wall: 21_500, Device: 21_400, Owed: 7},
		{Kind: core.EventStep, At: 700_000, ID: 2, Slot: 0, From: 512, Rows: 512, Beside: true, Last: true, Reason: "aborted"},
		{Kind: core.EventWait, Slot: -1},
	} {
		w.Record(&e)
	}
	golden.File(t, "testdata/events.jsonl.golden", out.Bytes())
}

func TestReadJSONLErrors(t *testing.T) {
	good := `{"at_us":1,"event":"wait"}` + "\n"
	for text, want := range map[string]string{
		good + "\n" + `{"at_us":1,"event":"wait"`:     "line 3: the object is cut short",
		good + `{"at_us":1}`:                          `line 2: no "event"`,
		good + `{"at_us":1,"event":"nap"}`:            `line 2: unknown event "nap"`,
		good + `{"at_us":1,"event":"wait","more":1}`:  `line 2: json: unknown field "more"`,
		good + `{"at_us":"x","event":"wait"}`:         "line 2: json: cannot unmarshal string",
		good + `{"run":{"arm":"x"},"at_us":1}`:        `line 2: a "run" with more beside it`,
		good + `{"run":{"more":1}}`:                   `line 2: json: unknown field "more"`,
		good + `{"at_us":1,"event":"wait"} {}` + "\n": "line 2: more than one value",
	} {
		err := ReadJSONL(strings.NewReader(text), func(*Line) error { return nil })
		assert.ErrorContains(t, err, want)
	}
	stop := errors.New("enough")
	assert.Equal(t, stop, ReadJSONL(strings.NewReader(good), func(*Line) error { return stop }))
}

type full struct{ left int }

var errFull = errors.New("disk full")

func (f *full) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestJSONLKeepsTheFirstError(t *testing.T) {
	f := &full{left: 1}
	w := NewJSONL(f, nil)
	for range 5 {
		w.Record(&core.Event{Slot: -1})
	}
	assert.Equal(t, errFull, w.Err())
	assert.Equal(t, -1, f.left, "nothing is written after an error")
}
