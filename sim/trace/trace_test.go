package trace_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/internal/golden"
	"github.com/tfsim/tfsim/sim/trace"
	"github.com/tfsim/tfsim/sim/trace/tracetest"
)

const samples = "../../scenarios/traces"

// The shipped samples are what tracetest makes.
func TestSamples(t *testing.T) {
	for _, s := range tracetest.Samples {
		var out bytes.Buffer
		require.NoError(t, tracetest.Sample.Write(&out, s.Kind))
		golden.File(t, filepath.Join(samples, s.File), out.Bytes())
	}
}

// read gives the requests of a text, and what ended them.
func read(t testing.TB, text string, o trace.Options) ([]trace.Request, *trace.Trace, error) {
	t.Helper()
	tr, err := trace.New("x", strings.NewReader(text), o)
	if err != nil {
		return nil, nil, err
	}
	var all []trace.Request
	for {
		var r trace.Request
		err := tr.Next(&r)
		if errors.Is(err, io.EOF) {
			return all, tr, nil
		}
		if err != nil {
			return all, tr, err
		}
		all = append(all, r)
	}
}

func sample(t testing.TB, file string) ([]trace.Request, *trace.Trace) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samples, file))
	require.NoError(t, err)
	all, tr, err := read(t, string(data), trace.Options{})
	require.NoError(t, err)
	return all, tr
}

// All samples are of the same traffic: they agree in what they say of it.
func TestFormatsAgree(t *testing.T) {
	want, _ := sample(t, "azure-2023.csv")
	require.Len(t, want, 120)
	for _, c := range []struct {
		file   string
		format trace.Format
		every  core.Micros // times are cut to this
		notes  []string
	}{
		{"azure-2024.csv", trace.Azure, 1, nil},
		{"burstgpt.csv", trace.BurstGPT, 1e6, []string{"rows without a reply, such as failures, left out: 8"}},
		{"burstgpt-sessions.csv", trace.BurstGPT, 1e6, []string{"rows without a reply, such as failures, left out: 8"}},
		{"mooncake.jsonl", trace.Mooncake, 1e3, nil},
		{"events.jsonl", trace.Events, 1, nil},
		{"server.record", trace.Record, 1, nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, tr := sample(t, c.file)
			require.Equal(t, c.format, tr.Format)
			require.Equal(t, c.notes, tr.Notes())
			failed := len(want) - len(got)
			at := 0
			for _, g := range got {
				w := want[at]
				for c.format == trace.BurstGPT && (w.Prompt != g.Prompt || w.Output != g.Output) {
					failed--
					at++
					w = want[at]
				}
				at++
				require.InDelta(t, float64(w.At-want[0].At), float64(g.At-got[0].At), float64(c.every), at)
				if c.format != trace.Mooncake {
					require.Equal(t, w.Prompt, g.Prompt)
				}
				if g.CancelAt == core.Never {
					require.Equal(t, w.Output, g.Output, at)
				} else {
					require.GreaterOrEqual(t, g.Output, w.Output, "as long as asked")
					require.Greater(t, g.CancelAt, g.At)
				}
			}
			require.GreaterOrEqual(t, failed, 0)
		})
	}
}

func TestMooncakeBlocks(t *testing.T) {
	all, _ := sample(t, "mooncake.jsonl")
	shared, seen := 0, map[uint64]bool{}
	for _, r := range all {
		require.Len(t, r.Blocks, (r.Prompt+trace.BlockTokens-1)/trace.BlockTokens)
		for _, b := range r.Blocks {
			if seen[b] {
				shared++
			}
			seen[b] = true
		}
	}
	require.Greater(t, shared, len(seen)/2)
}

func TestShareGPT(t *testing.T) {
	all, tr := sample(t, "sharegpt.json")
	require.Equal(t, trace.ShareGPT, tr.Format)
	require.False(t, tr.Format.Timed())
	require.Len(t, all, 112)
	require.Equal(t, []string{"conversations without a question and its reply: 8"}, tr.Notes())

	const one = `{"conversations": [{"from": "system", "value": "12345678"}, {"from": "human", "value": "1234"}, {"from": "gpt", "value": "123456789"}]}`
	for name, text := range map[string]string{"array": "[" + one + "]", "lines": one + "\n" + one, "marked": "\ufeff[" + one + "]"} {
		all, _, err := read(t, text, trace.Options{})
		require.NoError(t, err, name)
		require.Equal(t, trace.Request{Prompt: 3, Output: 3, CancelAt: core.Never}, all[0], "bytes over 4, rounded up")
	}
	all, _, err := read(t, one, trace.Options{BytesPerToken: 3})
	require.NoError(t, err)
	require.Equal(t, 4, all[0].Prompt)
	require.Equal(t, 3, all[0].Output)
	for _, none := range []string{
		`[]`, `[{"from": "human", "value": "a"}]`, `[{"from": "gpt", "value": "a"}, {"from": "human", "value": "a"}]`,
		`[{"from": "human", "value": "a"}, {"from": "human", "value": "b"}]`,
	} {
		all, tr, err := read(t, `[{"conversations": `+none+`}]`, trace.Options{})
		require.NoError(t, err)
		require.Empty(t, all)
		require.Len(t, tr.Notes(), 1, none)
	}
}

func TestAzureTimes(t *testing.T) {
	all, _, err := read(t, "\ufeffTIMESTAMP,ContextTokens,GeneratedTokens\n"+
		"2024-05-10 00:00:00+00:00,1,2\n2024-05-10T01:00:00.5+01:00,3,4\n\n2024-05-10 00:00:01Z,5,6\n2024-05-10 00:00:01.2345678,7,8\n", trace.Options{})
	require.NoError(t, err)
	require.Len(t, all, 4)
	for i, at := range []core.Micros{0, 500_000, 1_000_000, 1_234_567} {
		require.Equal(t, at, all[i].At-all[0].At)
	}
}

// Columns are found by their names.
func TestColumns(t *testing.T) {
	all, _, err := read(t, "NumImages,\"GeneratedTokens\",TIMESTAMP,ContextTokens\n0,7,\"2024-05-10 00:00:00\",9\n", trace.Options{})
	require.NoError(t, err)
	require.Equal(t, 9, all[0].Prompt)
	require.Equal(t, 7, all[0].Output)
}

func TestEmptyRows(t *testing.T) {
	all, tr, err := read(t, "Timestamp,Request tokens,Response tokens\n1,0,5\n1,5,0\n2,5,5\n", trace.Options{})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, []string{"rows without a prompt, left out: 1", "rows without a reply, such as failures, left out: 1"}, tr.Notes())
}

// Rows that are a little out of order are put in order, equal ones as they
// stand.
func TestOrder(t *testing.T) {
	all, _, err := read(t, "Timestamp,Request tokens,Response tokens\n3,1,1\n1,2,1\n2,3,1\n1,4,1\n", trace.Options{})
	require.NoError(t, err)
	var prompts []int
	for _, r := range all {
		prompts = append(prompts, r.Prompt)
	}
	require.Equal(t, []int{2, 4, 3, 1}, prompts)
}

// Of a run that was cut short the replies are as long as asked.
func TestUnfinishedEvents(t *testing.T) {
	all, tr, err := read(t, `{"at_us":0,"event":"submitted","id":1,"rows":10,"tokens":20}
{"at_us":5,"event":"submitted","id":2,"rows":11,"tokens":21}
{"at_us":6,"event":"submitted","id":3,"rows":12,"tokens":22}
{"at_us":7,"event":"tokens","id":2,"tokens":2,"total":2}
{"at_us":8,"event":"finished","id":2}
{"at_us":8,"event":"failed","id":3}
`, trace.Options{})
	require.NoError(t, err)
	require.Equal(t, []trace.Request{{Prompt: 10, Output: 20, CancelAt: core.Never}, {At: 5, Prompt: 11, Output: 2, CancelAt: core.Never}}, all)
	require.Equal(t, []string{
		"requests that failed in the recording, left out: 1",
		"replies that the recording does not end, taken as long as asked: 1",
	}, tr.Notes())
}

// An error names the line, what was wrong and what is accepted.
func TestErrors(t *testing.T) {
	const azure, burst = "TIMESTAMP,ContextTokens,GeneratedTokens\n", "Timestamp,Request tokens,Response tokens\n"
	long := strings.Repeat("2,1,1\n", 2000)
	for _, c := range []struct{ format, text, want string }{
		{"", "", "x:1: no trace: the file is empty; formats are azure, burstgpt,"},
		{"", "time,tokens\n1,2\n", "x:1: no trace of a known format (time,tokens\\n1,2); formats are azure,"},
		{"", `{"a": 1}`, `x:1: no trace of a known format ({"a": 1});`},
		{"mooncake", azure, "x:1: not a JSON object (TIMESTAMP,ContextTokens,GeneratedTokens); one object a line"},
		{"azure", "a,b\n", "x:1: the header lacks TIMESTAMP (a,b); azure has the columns TIMESTAMP, ContextTokens, GeneratedTokens"},
		{"", azure + "\n2023-11-16 18:15:46,1\n", "x:3: a row of 2 fields (2023-11-16 18:15:46,1); the header has 3"},
		{"", azure + "yesterday,1,1\n", "x:2: TIMESTAMP is no time (yesterday); a time such as"},
		{"", azure + "2023-11-16 18:15:46,,1\n", "x:2: ContextTokens is no number of tokens (blank); a whole number from 0 to 1073741824"},
		{"", azure + "2023-11-16 18:15:46,1,-1\n", "x:2: GeneratedTokens is no number of tokens (-1);"},
		{"", azure + "2023-11-16 18:15:46,\"1,1\n", "x:2: not a row of CSV"},
		{"", burst + "inf,1,1\n", "x:2: Timestamp is no time (inf); seconds, from 0 to 4000000000"},
		{"", burst + "1,1,1.5\n", "x:2: Response tokens is no number of tokens (1.5);"},
		{"", burst + long + "1,1,1\n", "x:2002: a row out of order (1000000 µs too late); times that do not go back over more than 1024 rows"},
		{"", `{"timestamp": 1, "input_length": "a"}`, "x:1: input_length is of the wrong type (string); a whole number"},
		{"mooncake", `{"timestamp": "1"}`, "x:1: timestamp is of the wrong type (string); a number"},
		{"mooncake", "[1]", "x:1: the value is of the wrong type (array); an object"},
		{"mooncake", `{"timestamp": 1, "hash_ids": 1}`, "x:1: hash_ids is of the wrong type (number); an array"},
		{"", `{"input_length": 1}`, "x:1: no timestamp"},
		{"", `{"timestamp": 1, "input_length": 1}`, "x:1: no output_length"},
		{"", `{"timestamp": -1, "input_length": 1, "output_length": 1}`, "x:1: timestamp is no time (-1);"},
		{"", `{"timestamp": 1, "input_length": 512, "output_length": 1, "hash_ids": [1, 2]}`, "x:1: too many hash_ids (2); one for each 512 tokens: 512 tokens have 1"},
		{"", `{"timestamp": 1, "input_length": 5, "output_length": 1}` + "\n{", "x:2: not a JSON object ({); one object a line"},
		{"", "[\n{\"conversations\": []},\n{\"id\": 1}]", "x:3: conversation 2 has no conversations; a list of messages, each with from and value"},
		{"", "[\n\n{\"conversations\": [{\"from\": 1}]}]", "x:3: conversation 1: conversations.from is of the wrong type (number); a string"},
		{"", "[1]", "x:1: conversation 1: the value is of the wrong type (number); an object"},
		{"", "[{\"conversations\": []}\n", "x:1: conversation 2 is cut short; an array of conversations, to its end"},
		{"", "[]x", "x:1: more after the end of the array"},
		{"", `{"at_us": 1, "event": "submitted", "id": 1}`, "x:1: a request of no length (0 and 0 tokens);"},
		{"", `{"at_us": 1}`, "x:1: no event"},
		{"", `{"at_us": -1, "event": "done"}`, "x:1: a time out of range (-1); microseconds, from 0 to 4000000000000000"},
		{"", `{"at_us": 9223372036854775807, "event": "done"}`, "x:1: a time out of range (9223372036854775807);"},
		{"", `{"at_us": 1, "event": "tokens", "id": 1, "total": -7}`, "x:1: a reply of no length (-7 tokens); 0 to 1073741824 tokens"},
		{"", `{"at_us": 1, "event": "tokens", "id": 1, "total": 1073741825}`, "x:1: a reply of no length (1073741825 tokens);"},
		{"", `{"at_us": 0, "event": "done"}` + "\n" + `{"run": {}}`, "x:2: a second run;"},
		{"", strings.Repeat(`{"run": {"case": "a"}}`+"\n", 2), "x:2: a second run; a file of one run; --arm and --case give the events of one"},
		{"", strings.Repeat(`{"at_us": 1, "event": "submitted", "id": 1, "rows": 1, "tokens": 1}`+"\n", 2), "x:2: a request is sent twice; a file of one run; --arm and --case give the events of one"},
		{"record", `{"at": 1}`, "x:1: no record: its first line has no configuration"},
		{"", `{"config": {}}` + "\n" + `{"at": -1}`, "x:2: a time out of range (-1);"},
	} {
		_, _, err := read(t, c.text, trace.Options{Format: trace.Format(c.format)})
		require.Error(t, err, c.want)
		require.Contains(t, err.Error(), c.want)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := trace.New("x", strings.NewReader(""), trace.Options{Format: "csv"})
	require.ErrorContains(t, err, `unknown format "csv" of a trace; formats are azure,`)
	_, err = trace.Open(t.TempDir(), trace.Options{})
	require.ErrorContains(t, err, "is no regular file")
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err = trace.Open(pipe, trace.Options{})
	require.ErrorContains(t, err, "is no regular file")
}

// A line or a conversation without end does not fill the memory.
func TestEndless(t *testing.T) {
	for head, format := range map[string]trace.Format{"": trace.Azure, "[": trace.ShareGPT, `[{"conversations": [{"value": "`: trace.ShareGPT} {
		tr, err := trace.New("x", io.MultiReader(strings.NewReader(head), endless('x')), trace.Options{Format: format})
		require.NoError(t, err)
		require.Error(t, tr.Next(new(trace.Request)))
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// Memory does not grow with the file.
func TestBoundedMemory(t *testing.T) {
	shape := tracetest.Sample
	shape.Requests, shape.Rate = 6_000, 1
	for _, kind := range []string{"azure-2024", "mooncake", "events", "record"} {
		in, out := io.Pipe()
		go func() { _ = out.CloseWithError(shape.Write(out, kind)) }()
		tr, err := trace.New("x", in, trace.Options{})
		require.NoError(t, err)
		heap := func() int64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		var r trace.Request
		before := int64(0)
		for n := 0; ; n++ {
			if err := tr.Next(&r); err != nil {
				require.ErrorIs(t, err, io.EOF)
				require.Equal(t, shape.Requests, n)
				break
			}
			switch n {
			case 2_000:
				before = heap()
			case 5_500:
				require.Less(t, heap()-before, int64(1<<20), kind)
			}
		}
	}
}
