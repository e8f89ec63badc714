package result

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/internal/golden"
)

// sample2arms is a case of two explicit requests.
func sample2arms() *Document {
	entry := func(arm string, reply, long Request, t Totals) Entry {
		return Entry{Case: "reply first", Arm: arm, Run: Run{Seeds: 1, Requests: []Request{reply, long}, Totals: t}}
	}
	d := &Document{Scenario: "A long prompt beside a reply", Machine: "m5-ultra-512gb", Results: []Entry{
		entry("base",
			Request{ID: "reply", Status: Done, PromptTokens: 64, OutputTokens: 64, Queue: Some(0), TTFT: Some(0.25), Done: Some(140.4),
				GapP50: Some(39.4), GapP95: Some(40.1), GapP99: Some(1234.5678), GapMax: Some(138500.2), Rounds: 27, Drafted: 81, Accepted: 37},
			Request{ID: "long", Status: Done, PromptTokens: 131072, OutputTokens: 64, Queue: Some(0), TTFT: Some(138.53), Done: Some(140.61),
				GapP50: Some(60.25), GapP95: Some(91.1), GapP99: Some(100), GapMax: Some(183.5), Rounds: 30, Drafted: 90, Accepted: 34},
			Totals{Wall: Some(141), DecodeRate: Some(57.1), PromptRate: Some(958), Rounds: 27, Passes: 26, Steps: 1, Drafted: 81, Accepted: 37,
				DeviceBusy: Some(0.99), TTFT: Quantiles{Some(0.2), Some(0.3), Some(0.3)}, Gap: Tail{Some(39.4), Some(40.1), Some(41), Some(138500.2)}, Done: 2}),
		entry("share",
			Request{ID: "reply", Status: Done, PromptTokens: 64, OutputTokens: 64, Queue: Some(0), TTFT: Some(0.25), Done: Some(3.29),
				GapP50: Some(39.4), GapP95: Some(687.9), GapP99: Some(800), GapMax: Some(815.1), Rounds: 27, Drafted: 81, Accepted: 37},
			Request{ID: "long", Status: Cancelled, PromptTokens: 131072, Queue: Some(0)},
			Totals{Wall: Some(142.3), DecodeRate: Some(55), PromptRate: Some(941), Rounds: 57, Passes: 56, Steps: 256, Drafted: 171, Accepted: 71,
				DeviceBusy: Some(0.98), Share: Some(0.7512345), TTFT: Quantiles{Some(0.2), Some(0.3), Some(0.3)}, Gap: Tail{Some(39.4), Some(687.9), Some(800), Some(815.1)}, Done: 1, Cancelled: 1}),
	}}
	d.Results[1].Notes = []string{"prices of steps under 512 rows are <estimated>"}
	return d
}

// sampleWorkload is a workload in two worlds, its figures means of three runs.
func sampleWorkload() *Document {
	d := &Document{Scenario: "Chat and code at 0.5 requests a second", Machine: "m5-ultra-512gb"}
	for i, world := range []string{"table", "slow rows"} {
		for j, arm := range []string{"base", "pieces", "plain"} {
			k := float64(1 + i)
			var runs []Run
			for s := range 3 {
				v := k * (1 + float64(j)/7) * (1 + float64(s)/100)
				runs = append(runs, Run{Seeds: 1, Saturated: j == 2, Totals: Totals{
					Wall: Some(2000), DecodeRate: Some(57.1 / v), PromptRate: Some(958 / k), Rounds: 2_700_001, Passes: 26, Steps: Count(1000 + s),
					Drafted: 81, Accepted: 37, DeviceBusy: Some(0.42 * k), GoodputRate: Some(0.44 / v), Done: 1000,
					TTFT: Quantiles{Some(0.9 * v), Some(8 * v), Some(12 * v)}, Gap: Tail{Some(39.4 * v), Some(80 * v), Some(950 * v), Some(4000 / v)},
				}})
			}
			d.Results = append(d.Results, Entry{World: world, Case: "mixed", Arm: arm, Run: Merge(runs)})
		}
	}
	return d
}

func withExpectations(d *Document) *Document {
	checks := []Check{
		{Case: "reply first", Arm: "share", Request: "reply", Metric: "done_s", Below: to(5)},
		{Case: "reply first", Arm: "share", Metric: "decode_tok_s", Above: to(1), Of: "base"},
	}
	for _, c := range checks {
		d.Expect = append(d.Expect, Evaluate(d, c))
	}
	d.Expect = append(d.Expect, Skip(Check{Case: "reply first", Arm: "plain", Metric: "wall_s"}, "--arm leaves the arm out"))
	return d
}

func TestJSONGolden(t *testing.T) {
	var one, several, none bytes.Buffer
	require.NoError(t, WriteJSON(&one, withExpectations(sample2arms())))
	golden.File(t, "testdata/one.json.golden", one.Bytes())
	require.NoError(t, WriteJSON(&several, sampleWorkload(), &Document{Scenario: "nothing ran"}))
	golden.File(t, "testdata/several.json.golden", several.Bytes())
	require.NoError(t, WriteJSON(&none))
	assert.Equal(t, "[]\n", none.String())
}

func TestCSVGolden(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteCSV(&out, sample2arms(), sampleWorkload()))
	golden.File(t, "testdata/all.csv.golden", out.Bytes())
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	assert.Len(t, rows, 1+2*3+6)
}

func TestTableGolden(t *testing.T) {
	docs := []*Document{withExpectations(sample2arms()), sampleWorkload()}
	for _, o := range []TableOptions{{}, {Width: 100}, {Width: 60}, {Color: true, Width: 120}} {
		var out bytes.Buffer
		require.NoError(t, WriteTable(&out, docs, o))
		golden.File(t, fmt.Sprintf("testdata/table-%d-%v.golden", o.Width, o.Color), out.Bytes())
		for line := range strings.Lines(out.String()) {
			if o.Width >= 100 && strings.Contains(line, "×") {
				assert.LessOrEqual(t, lipgloss.Width(line), o.Width)
			}
		}
		assert.Equal(t, o.Color, strings.Contains(out.String(), "\x1b"))
	}
}

// A sentence keeps its words, in lines that fit, whatever their width.
func TestSentencesFit(t *testing.T) {
	const text = "plain, share: some prices are estimated × 2: --decode-share has no measurement of these shapes"
	for width := range 100 {
		for _, on := range []bool{false, true} {
			table := table{paint: paint{on: on}, width: width}
			table.sentence("ok    ", styleDim, text, 6)
			out := stripANSI(table.out.String())
			require.Equal(t, "ok "+text, strings.Join(strings.Fields(out), " "))
			for line := range strings.Lines(out) {
				require.True(t, width == 0 || len(strings.Fields(line)) <= 2 || lipgloss.Width(line) <= width, line)
			}
		}
	}
}

func TestColourChangesNoText(t *testing.T) {
	docs := []*Document{withExpectations(sample2arms()), sampleWorkload()}
	var plain, coloured bytes.Buffer
	require.NoError(t, WriteTable(&plain, docs, TableOptions{Width: 100}))
	require.NoError(t, WriteTable(&coloured, docs, TableOptions{Width: 100, Color: true}))
	assert.Equal(t, plain.String(), stripANSI(coloured.String()))
}

func stripANSI(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		for s[i] != 'm' {
			i++
		}
	}
	return b.String()
}

// TestFiguresAreTheJSONKeys holds the lists of figures to the documents.
func TestFiguresAreTheJSONKeys(t *testing.T) {
	assert.Equal(t, append([]string{"id", "status"}, RequestMetrics()...), keys(t, Request{}))
	assert.Equal(t, TotalsMetrics(), keys(t, Totals{}))
}

// keys are those of a value's JSON form in order, nested ones dotted.
func keys(t *testing.T, v any) []string {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	dec := json.NewDecoder(bytes.NewReader(b))
	_, err = dec.Token()
	require.NoError(t, err)
	return objectKeys(t, dec, "")
}

func objectKeys(t *testing.T, dec *json.Decoder, prefix string) []string {
	var out []string
	for dec.More() {
		key, err := dec.Token()
		require.NoError(t, err)
		name := prefix + key.(string)
		value, err := dec.Token()
		require.NoError(t, err)
		if value == json.Delim('{') {
			out = append(out, objectKeys(t, dec, name+".")...)
			continue
		}
		out = append(out, name)
	}
	_, err := dec.Token()
	require.NoError(t, err)
	return out
}
