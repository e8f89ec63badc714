package costmodel

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

func TestParse(t *testing.T) {
	table := parsed(t, small)
	require.Equal(t, "small", table.Machine)
	require.Equal(t, Limits{Rows: 16, Windows: 4}, table.Limits)
	require.Equal(t, Curve{{1, 0}, {2, 3}, {4, 4}}, table.Rows.SequencesMs)
	require.Equal(t, Fitted, table.Provenance.Chunk.Grade)
	require.Equal(t, DraftText{Logit: 0.2, Settle: 1, Score: Score{Scale: 1}}, table.Drafts.Loads["chat"].Sampled)
}

// What calibration says of a live device reads back, and is shown.
func TestParseLive(t *testing.T) {
	text := edited(t, "rows: 16,", "least: 2, multiple: 2, rows: 16,")
	text = strings.Replace(text, "  chunk:", "  restore: {grade: measured, source: made up}\n  chunk:", 1)
	text = strings.Replace(text, "pass: {ms: 4", "caches: streams\nnoise: 0.1\nrestore_ms_per_1k: 2\npass: {by_depth: 0.9, context_ms_per_1k: 0.5, ingest_round_ms: 0.25, ms: 4", 1)
	table, err := Parse("live.yaml", []byte(text))
	require.NoError(t, err)
	require.Equal(t, core.Packing{Least: 2, Multiple: 2, Equal: true, Longest: true}, table.Packing())
	require.InDelta(t, 0.1, table.Noise, 0)
	asked := Asked{Asked: core.Asked{Asks: 2, Depth: 1, CatchUps: 1, Rounds: 4}, Context: 1500, Longest: 1000}
	price, _ := table.Pass(asked)
	require.Equal(t, ms((4+1+2*0.5)*(1-0.9*4/5)+0.5+4*0.25), price)
	var b bytes.Buffer
	require.NoError(t, table.WriteJSON(&b))
	again, err := Parse("live.json", b.Bytes())
	require.NoError(t, err)
	require.Equal(t, table, again)
	b.Reset()
	require.NoError(t, table.WriteText(&b, 200))
	for _, want := range []string{"longest of a launch", "0.25 ms for each round caught up on", "90% of it goes by their number", "sigma 0.1",
		"at least 2 rows, a multiple of 2", "2 ms more for each 1,000 rows"} {
		require.Contains(t, b.String(), want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"not YAML", "machine: small", "machine: [", `not YAML: sequence end token ']' not found; accepted: a table`},
		{"unknown key", "device:", "devise:", `2:1: unknown key "devise" in the table; accepted: machine, device, weights,`},
		{"missing key", "device: a test device\n", "", `1:1: the table lacks device; accepted keys: machine, device,`},
		{"a key twice", "device:", "machine: other\ndevice:", `2:1: not YAML: mapping key "machine" already defined at [1:1]; accepted: a table`},
		{"blank text", "device: a test device", `device: ""`, `2:9: device is blank; accepted: text`},
		{"number for text", "device: a test device", `device: 5`, `2:9: device is "5"; accepted: text`},
		{"control character", "device: a test device", `device: "a\eb"`, `2:9: device holds a control character; accepted: printable text`},
		{"machine's name", "machine: small", `machine: Small Box`, `1:10: machine is "Small Box"; accepted: lower-case words joined by - _ or .`},
		{"grade", "grade: measured", "grade: extrapolated", `5:17: provenance.rows.grade is "extrapolated"; accepted: measured, fitted, estimated`},
		{"no source", ", source: made up}\n  chunk", "}\n  chunk", `5:9: provenance.rows lacks source; accepted keys: grade, source, method, date`},
		{"no provenance", "  pass: {grade: fitted, source: made up}\n", "", `13:1: pass has no provenance; accepted: an entry pass in provenance`},
		{"provenance of nothing", "  pass: {grade", "  heat: {grade: fitted, source: x}\n  pass: {grade", `7:3: provenance of heat, which the table lacks; accepted: entries for the table's sections`},
		{"rows of a launch", "rows: 16,", "rows: 0,", `9:16: launch.rows is "0"; accepted: an integer from 1 to 1024`},
		{"fraction of a row", "rows: 16,", "rows: 1.5,", `9:16: launch.rows is "1.5"; accepted: an integer from 1 to 1024`},
		{"more windows than rows", "windows: 4}", "windows: 17}", `9:20: launch.windows is 17, more than its rows; accepted: at most 16 windows`},
		{"more rows of a window than of a launch", "windows: 4}", "windows: 4, least: 17}", `9:32: launch.least is 17, more than its rows; accepted: at most 16`},
		{"windows by more rows than a launch has", "windows: 4}", "windows: 4, multiple: 32}", `9:32: launch.multiple is 32, more than its rows; accepted: at most 16`},
		{"negative cost", "1: 20,", "1: -20,", `11:11: rows.ms at 1 is "-20"; accepted: a number from 0 to 1e+09`},
		{"infinite cost", "1: 20,", "1: .inf,", `11:11: rows.ms at 1 is ".inf"; accepted: a number from 0 to 1e+09`},
		{"not a number", "1: 20,", "1: .nan,", `11:11: rows.ms at 1 is ".nan"; accepted: a number from 0 to 1e+09`},
		{"text for a number", "1: 20,", "1: \"20\",", `11:11: rows.ms at 1 is "20"; accepted: a number from 0 to 1e+09`},
		{"incomplete rows", "{1: 20, 2: 25,", "{2: 25,", `11:7: rows.ms lacks the entry 1; accepted: entries from 1 up`},
		{"an entry twice", "1: 20,", `1: 20, "1": 21,`, `not YAML: mapping key "1" already defined`},
		{"odd entry", "1: 20,", `01: 20,`, `11:8: key "01" of rows.ms; accepted: an integer from 1 to 1000000000`},
		{"entry 0", "1: 20,", `0: 20,`, `11:8: key "0" of rows.ms; accepted: an integer from 1 to 1000000000`},
		{"no entries", "{512: 100}", `{}`, `17:16: chunk.unstaged_ms is empty; accepted: at least one entry`},
		{"list for a mapping", "{512: 100}", `[512]`, `17:16: chunk.unstaged_ms is a list; accepted: a mapping`},
		{"empty section", "pass: {ms: 4, ask_ms: 1, ingest_ms: 0.5}", `pass:`, `14:6: pass is nothing; accepted: a mapping`},
		{"sequences twice", "  duplicate_ms: 1", "  per_sequence_ms: 1", `13:3: rows price sequences twice; accepted: one of sequences_ms, per_sequence_ms`},
		{"two prices", "pass: {ms: 4", "windows: {ms: {1: {1: 5}}}\npass: {ms: 4", `14:1: a launch needs one price; accepted: one of rows, windows`},
		{"block", "block: 5", "block: 0", `19:10: drafts.block is "0"; accepted: an integer from 1 to 64`},
		{"memory", "greedy: {logit: 0.3}", "greedy: {logit: 0.3, memory: 1}", `21:41: drafts.loads.chat.greedy.memory is "1"; accepted: a number from 0 to 0.9999`},
		{"load's name", "chat:", "Chat:", `21:5: key "Chat" of drafts.loads; accepted: lower-case words joined by - _ or .`},
		{"caches", "pass: {ms: 4", "caches: stream\npass: {ms: 4", `14:9: caches is "stream"; accepted: streams, or nothing`},
		{"part by depth", "pass: {ms: 4", "pass: {by_depth: 1.5, ms: 4", `14:18: pass.by_depth is "1.5"; accepted: a number from 0 to 1`},
		{"noise", "pass: {ms: 4", "noise: 3\npass: {ms: 4", `14:8: noise is "3"; accepted: a number from 0 to 2`},
		{"least rows", "rows: 16,", "least: 0, rows: 16,", `9:17: launch.least is "0"; accepted: an integer from 1 to 1024`},
		{"too large a number", "ask_ms: 1,", "ask_ms: 1e400,", `14:23: pass.ask_ms is "1e400"; accepted: a number from 0 to 1e+09`},
		{"text that is a number", "ask_ms: 1,", `ask_ms: "1e3",`, `14:23: pass.ask_ms is "1e3"; accepted: a number from 0 to 1e+09`},
		{"unsaid context", "pass: {ms: 4", "context_ms_per_1k: 0\npass: {ms: 4", `14:1: context_ms_per_1k has no provenance; accepted: an entry context in provenance`},
		{"unsaid restore", "pass: {ms: 4", "restore_ms: 0\npass: {ms: 4", `14:1: restore_ms has no provenance; accepted: an entry restore in provenance`},
		{"unsaid restore by rows", "pass: {ms: 4", "restore_ms_per_1k: 1\npass: {ms: 4", `14:1: restore_ms_per_1k has no provenance; accepted: an entry restore in provenance`},
		{"more sequences than a launch has", "4: 4}", "9: 4}", `10:1: rows.sequences_ms has an entry 9, beyond launch.windows; accepted: entries up to 4`},
		{"more rows than a launch has", "16: 40}", "17: 40}", `10:1: rows.ms has an entry 17, beyond launch.rows; accepted: entries up to 16`},
		{"two documents", "drafts:\n  block", "---\ndrafts:\n  block", `a second document; accepted: one table in a file`},
		{"alias", "chat: {greedy: {logit: 0.3}, sampled: {logit: 0.2}}", "chat: {greedy: &a {logit: 0.3}, sampled: *a}", `accepted: a mapping`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("small.yaml", []byte(edited(t, c.old, c.new)))
			require.Error(t, err)
			require.Contains(t, err.Error(), c.want)
			require.Regexp(t, `^small\.yaml:\d+:\d+: .+; accepted.*$`, err.Error())
		})
	}
}

// A grid is held against the limits, too.
func TestParseWindowsBeyondLimits(t *testing.T) {
	data := string(contents(t, "machines/h200-llamacpp-vulkan.yaml"))
	require.Contains(t, data, "windows: 8,")
	_, err := Parse("few.yaml", []byte(strings.Replace(data, "windows: 8,", "windows: 4,", 1)))
	require.ErrorContains(t, err, "windows.ms has an entry 8, beyond launch.windows; accepted: entries up to 4")
}

// Numbers are those of YAML 1.2 and JSON, so that what is written reads back.
func TestParseNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"1e-308": 1e-308, "1e-7": 1e-7, "1E0": 1, "2e+0": 2, "1.5e-3": 1.5e-3, "1e-400": 0, "-0": 0, ".5": 0.5,
	} {
		table, err := Parse("small.yaml", []byte(edited(t, "pass: {ms: 4", "noise: "+text+"\npass: {ms: 4")))
		require.NoError(t, err)
		require.InDelta(t, want, table.Noise, 0, text)
		var b bytes.Buffer
		require.NoError(t, table.WriteJSON(&b))
		again, err := Parse("small.json", b.Bytes())
		require.NoError(t, err)
		require.Equal(t, table, again)
	}
}

// An error names its key by the whole path, wherever the key is.
func TestParseErrorsNamePaths(t *testing.T) {
	for _, name := range Library() {
		var b bytes.Buffer
		require.NoError(t, opened(t, name).WriteJSON(&b))
		var whole map[string]any
		require.NoError(t, json.Unmarshal(b.Bytes(), &whole))
		everyValue("", whole, func(path string) {
			text, err := json.Marshal(whole)
			require.NoError(t, err)
			_, err = Parse("table.json", text)
			require.Error(t, err)
			require.Regexp(t, `^table\.json:\d+:\d+: `+regexp.QuoteMeta(path)+` is a list; accepted: `, err.Error())
		})
	}
}

// everyValue calls try with each value of an object replaced by a list, and
// with its path.
func everyValue(path string, in map[string]any, try func(path string)) {
	for key, v := range in {
		at := inner(path, key)
		if n, err := strconv.Atoi(key); err == nil {
			at = entry(path, n)
		}
		in[key] = []any{}
		try(at)
		in[key] = v
		if v, ok := v.(map[string]any); ok {
			everyValue(at, v, try)
		}
	}
}

func TestParseRefusesAnEmptyFile(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n"} {
		_, err := Parse("empty.yaml", []byte(text))
		require.EqualError(t, err, "empty.yaml:1:1: an empty file; accepted: a table")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	for _, name := range Library() {
		data, err := machines.ReadFile("machines/" + name + ".yaml")
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Parse("fuzz.yaml", data)
		if err != nil {
			if text := err.Error(); strings.Contains(text, "\n") || !strings.HasPrefix(text, "fuzz.yaml:") {
				t.Fatalf("not one line with a place: %q", text)
			}
			return
		}
		price, _ := table.Launch(Load{Windows: 3, Rows: 1 << 20, Duplicate: 7, Context: 1 << 40, Sampled: 9})
		chunk, _ := table.Chunk(1<<20, 1<<30, false)
		if price < 0 || chunk < 0 {
			t.Fatalf("negative price: %d, %d", price, chunk)
		}
		var out bytes.Buffer
		require.NoError(t, table.WriteText(&out, 10))
		out.Reset()
		require.NoError(t, table.WriteJSON(&out))
		again, err := Parse("fuzz.json", out.Bytes())
		require.NoError(t, err)
		require.Equal(t, table, again)
	})
}
