package scenario

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// base is a file in whose @NAME@ places the cases below put things.
const base = `name: n
machine: m
@TOP@
cases:
  - name: c
    @CASE@
    requests: [{id: a, at: 1s, prompt: 10, output: 20@A@}@REQUESTS@]
@ARMS@
@EXPECT@
`

// workloadBase is the same for a workload.
const workloadBase = `machine: m
cases:
  - name: c
    workload:
      arrivals: {@ARRIVALS@}
      prompt: {@PROMPT@}
      output: {dist: fixed, value: 1}
      @END@
      @MORE@
@EXPECT@
`

// fill replaces the places of a base: "A=text" pairs, others become blank.
func fill(base, pairs string) string {
	out := base
	for _, pair := range strings.Split(pairs, "§") {
		if name, text, ok := strings.Cut(pair, "="); ok {
			out = strings.Replace(out, "@"+strings.TrimSpace(name)+"@", text, 1)
		}
	}
	for place, text := range map[string]string{
		"ARRIVALS": "process: poisson, rate: 1", "PROMPT": "dist: fixed, value: 1", "END": "count: 3",
	} {
		out = strings.Replace(out, "@"+place+"@", text, 1)
	}
	return regexp.MustCompile(`@[A-Z]+@`).ReplaceAllString(out, "")
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct{ pairs, want string }{
		// Keys.
		{"TOP=caes: []", "3:1: unknown key of a scenario (caes); accepted are name, about, machine, server, settings, world, worlds, cases, arms or expect"},
		{"TOP=name: again", "3:1: a key given twice (name); each key is given once"},
		{"TOP=server: {lanes: 4}", "3:10: unknown key of a server (lanes); accepted are parallel, context or prompt_cache_gib"},
		{"A=, prio: 1", "7:56: unknown key of a request (prio)"},
		{"TOP=<<: {about: x}", "3:1: not a key (<<); a key is a name; merges are not read"},
		{"TOP=about: *nothing", "3:8: unknown alias (*nothing)"},
		{"TOP=about: !!str x", "3:8: a tag (!!str)"},
		{"TOP=about: [x]", "3:8: about is not a text (a list); a text"},
		{"TOP=server: 4", "3:9: a server is not a mapping (4); its keys are"},
		{"TOP=arms: {}", "3:7: arms is not a list (a mapping); a list of arms"},
		// Server.
		{"TOP=server: {parallel: 0}", "3:20: parallel is out of range (0); a whole number from 1 to 1073741824"},
		{"TOP=server: {parallel: two}", "3:20: parallel is not a whole number (two)"},
		{"TOP=server: {parallel: 1.5}", "3:20: parallel is not a whole number (1.5)"},
		{"TOP=server: {context: 0x10}", "3:19: context is not a whole number (0x10)"},
		{"TOP=server: {context: 010}", "3:19: context is not a whole number (010)"},
		{"TOP=server: {prompt_cache_gib: -1}", "3:28: prompt_cache_gib is out of range (-1); a number from 0 to"},
		{"TOP=server: {context: 29}", "7:16: request a exceeds the context (30); prompt and output of at most 29 tokens together"},
		// Worlds.
		{"TOP=world: {noise: 2.1}", "3:16: noise is out of range (2.1); a number from 0 to 2"},
		{"TOP=world: {noise: .nan}", "3:16: noise is not finite (.nan)"},
		{"TOP=world: {rows: .inf}", "3:15: rows is not finite (.inf)"},
		{"TOP=world: {rows: 0}", "3:15: rows is out of range (0); a number over 0 and at most 1000"},
		{"TOP=world: {pass: -1}", "3:15: pass is out of range (-1)"},
		{"TOP=world: {heat: -1}", "3:15: heat is out of range (-1); a number over -1"},
		{"TOP=world: {rows: \"1\"}", "3:15: rows is not a number (1)"},
		{"TOP=world: {rows: 1e999}", "3:15: rows is not a number (1e999)"},
		{"TOP=world: {drafts: maybe}", "3:17: unknown drafts (maybe); sampled or expected"},
		{"TOP=world: {seed: -1}", "3:15: seed is out of range (-1)"},
		{"TOP=worlds: []", "3:9: no worlds ([]); one world or more"},
		{"TOP=worlds: [{seed: 1}]", "3:10: a world without a name (name)"},
		{"TOP=worlds: [{name: a}, {name: a}]", "3:21: world given twice (a); each has its own; line 3 has the other"},
		{"TOP=world: {}§ARMS=worlds: [{name: a}]", "8:9: both world and worlds (worlds); one of the two"},
		// Cases and requests.
		{"CASE=heat: -2", "6:11: heat is out of range (-2)"},
		{"CASE=slo: {}", "6:10: an slo without a target (none); ttft_s, gap_p95_ms or both"},
		{"CASE=slo: {ttft_s: 0}", "6:19: ttft_s is out of range (0)"},
		{"CASE=workload: {}", "6:15: both requests and workload (workload); a case has one of the two"},
		{"REQUESTS=, {id: a, prompt: 1, output: 1}", "7:57: request id given twice (a); each has its own; line 7 has the other"},
		{"REQUESTS=, {id: b, prompt: 0, output: 1}", "7:73: prompt is out of range (0)"},
		{"REQUESTS=, {id: b, prompt: 1, output: -3}", "7:84: output is out of range (-3)"},
		{"REQUESTS=, {id: b, prompt: 1}", "7:57: a request lacks a key (output); needed are id, prompt and output"},
		{"REQUESTS=, {id: , prompt: 1, output: 1}", "7:57: a request lacks a key (id)"},
		{"REQUESTS=, {id: b, at: 10, prompt: 1, output: 1}", "7:69: at has no unit (10); a duration such as 500ms, 10s or 1h30m"},
		{"REQUESTS=, {id: b, at: -1s, prompt: 1, output: 1}", "7:69: at is negative (-1s)"},
		{"REQUESTS=, {id: b, at: soon, prompt: 1, output: 1}", "7:69: at is not a duration (soon)"},
		{"REQUESTS=, {id: b, at: 10ns, prompt: 1, output: 1}", "7:69: at is finer than a microsecond (10ns)"},
		{"A=, cancel_at: 1s", "7:67: cancel_at is not after at (1s); a later time from the start of the case"},
		{"A=, priority: high", "7:66: unknown priority (high); foreground or background"},
		{"A=, draft: 0", "7:63: draft is not a truth value (0); true or false"},
		{"A=, temperature: -0.5", "7:69: temperature is out of range (-0.5)"},
		{"A=, turn_at: 5", "7:65: turn_at without two loads (5); load is two names, such as [chat, code]"},
		{"A=, load: [chat, code]", "7:62: two loads without turn_at (chat, code)"},
		{"A=, load: [chat]", "7:62: load is not one or two names (a list)"},
		{"A=, load: [chat, code], turn_at: 0", "7:85: turn_at is out of range (0)"},
		{"A=, load: [chat, code], turn_at: 20", "7:85: turn_at is not within the reply (20); fewer tokens than output, which is 20"},
		{"A=, prefix: {key: k}", "7:64: a prefix lacks a key (tokens); needed are key and tokens"},
		{"A=, prefix: {key: k, tokens: 11}", "7:64: prefix is longer than its prompt (11); at most the prompt's tokens, which are 10"},
		{"A=, like: a", "7:62: like leads back to its own request (a)"},
		{"A=, like: z", "7:62: like names no request of the case (z); a"},
		{"A=, like: b§REQUESTS=, {id: b, prompt: 10, output: 1, like: a}", "7:62: like leads back to its own request (b)"},
		{"REQUESTS=, {id: b, prompt: 9, output: 1, like: a}", "7:93: like names a request with another prompt length (a); the same prompt has the same tokens: 10, not 9"},
		{"REQUESTS=, {id: b, prompt: 10, output: 1, like: a, load: code}", "7:103: load differs from the request that this one is like (code)"},
		// Arms and settings.
		{"ARMS=arms: [{env: {A: 1}}]", "8:8: an arm lacks a key (name); needed are name"},
		{"ARMS=arms: [{name: x}, {name: x}]", "8:19: arm given twice (x)"},
		{"ARMS=arms: [{name: x, env: {A: [1]}}]", "8:27: the value of A is not a scalar (a list); a text, a number or a truth value"},
		{"ARMS=arms: [{name: x, env: {A: 1, A: 2}}]", "8:30: a key given twice (A)"},
		{"TOP=settings: [A]", "3:11: settings is not a mapping (a list); settings as NAME: value"},
		// Expect.
		{"EXPECT=expect: [{case: d, metric: wall_s, below: 1}]", "9:17: unknown case (d); c"},
		{"EXPECT=expect: [{arm: b, metric: wall_s, below: 1}]", "9:16: unknown arm (b); base"},
		{"EXPECT=expect: [{world: w, metric: wall_s, below: 1}]", "9:18: unknown world (w)"},
		{"EXPECT=expect: [{request: b, metric: done_s, below: 1}]", "9:20: unknown request (b); a"},
		{"EXPECT=expect: [{metric: speed, below: 1}]", "9:19: unknown metric (speed); wall_s"},
		{"EXPECT=expect: [{metric: ttft_s, below: 1}]", "9:19: unknown metric (ttft_s)"},
		{"EXPECT=expect: [{request: a, metric: wall_s, below: 1}]", "9:31: unknown metric (wall_s)"},
		{"EXPECT=expect: [{metric: wall_s}]", "9:10: not one bound (none); exactly one of below, above and within"},
		{"EXPECT=expect: [{metric: wall_s, below: 1, above: 2}]", "9:10: not one bound (below and above)"},
		{"EXPECT=expect: [{metric: wall_s, within: [1]}]", "9:35: within is not two numbers (a list)"},
		{"EXPECT=expect: [{metric: wall_s, within: [2, 1]}]", "9:35: within is the wrong way round (within [2, 1])"},
		{"EXPECT=expect: [{metric: wall_s, below: .inf}]", "9:34: below is not finite (.inf); a finite number"},
		{"EXPECT=expect: [{metric: goodput_rps, above: 1}]", "9:19: goodput without targets (c); the case needs an slo"},
		{"EXPECT=expect: [{metric: wall_s, of: base, above: 1}]", "9:31: of names the expect's own arm (base)"},
		{"ARMS=arms: [{name: x}, {name: y}]§EXPECT=expect: [{metric: wall_s, above: 1}]", "9:10: an expect without arm (none); x or y"},
	} {
		t.Run(tc.pairs, func(t *testing.T) { refused(t, fill(base, tc.pairs), tc.want) })
	}
	for _, tc := range []struct{ pairs, want string }{
		{"END=", "5:7: a workload without an end (none); count or duration"},
		{"END=count: 1§MORE=duration: 1s", "9:17: both count and duration"},
		{"END=count: 0", "8:14: count is out of range (0)"},
		{"END=duration: 0s", "8:17: duration is too short (0s); a duration over 0s"},
		{"ARRIVALS=process: bursts", "5:27: unknown process (bursts); constant, poisson, gamma or closed"},
		{"ARRIVALS=rate: 1", "5:17: a mapping without process (none); process: constant, poisson, gamma or closed"},
		{"ARRIVALS=process: poisson, rate: 0", "5:42: rate is out of range (0)"},
		{"ARRIVALS=process: poisson, rate: 1, cv: 2", "5:45: unknown key of poisson arrivals (cv)"},
		{"ARRIVALS=process: gamma, rate: 1", "5:17: gamma arrivals lacks a key (cv)"},
		{"ARRIVALS=process: closed, users: 0", "5:42: users is out of range (0)"},
		{"ARRIVALS=process: closed, users: 1, think: 3", "5:52: think has no unit (3)"},
		{"PROMPT=dist: normal", "6:22: unknown dist (normal); fixed, uniform, lognormal or file"},
		{"PROMPT=dist: uniform, min: 3, max: 2", "6:44: max is less than min (2)"},
		{"PROMPT=dist: lognormal, median: 9, p95: 8", "6:49: p95 is less than median (8)"},
		{"PROMPT=dist: lognormal, median: 9, p95: 10, max: 8", "6:58: max is less than median (8)"},
		{"PROMPT=dist: file", "6:15: lengths of a file lacks a key (path)"},
		{"MORE=mix: []", "9:12: an empty mix ([])"},
		{"MORE=mix: [{weight: 0}]", "9:22: weight is out of range (0)"},
		{"MORE=mix: [{load: chat}]", "9:13: an entry of mix lacks a key (weight)"},
		{"MORE=per_request: no", "9:20: per_request is not a truth value (no)"},
		{"EXPECT=expect: [{request: a, metric: done_s, below: 1}]", "10:20: unknown request (a); r1, r2 and so on"},
		{"EXPECT=expect: [{request: r4, metric: done_s, below: 1}]", "10:20: unknown request (r4); r1, r2 and so on in the order of sending, up to 3"},
		{"MORE=per_request: false§EXPECT=expect: [{request: r1, metric: done_s, below: 1}]", "10:20: a request of a workload that leaves requests out (r1)"},
	} {
		t.Run(tc.pairs, func(t *testing.T) { refused(t, fill(workloadBase, tc.pairs), tc.want) })
	}
}

func TestWholeFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "1:1: the file is empty (no keys); a scenario needs machine and cases",
		"# nothing\n":                    "1:1: the file is empty",
		"- a\n":                          "1:1: a scenario is not a mapping (a list)",
		"machine: m\n":                   "1:1: a scenario lacks a key (cases); needed are machine and cases",
		"cases: [{name: x}]\n":           "1:1: a scenario lacks a key (machine)",
		"machine: m\ncases: []\n":        "2:8: no cases ([])",
		"machine: m\ncases: [{name: x}]": "2:9: a case without requests (x); a case has requests or a workload",
		"machine: m\n---\nmachine: n\n":  "3:1: a second document",
		"a: [1,\n":                       "1:4: not YAML",
		"a: \xff\n":                      "1:1: the file is not text",
		strings.Repeat("[", 100_000):     "1:201: nested too deep",
		strings.Repeat("- ", 100_000):    "1:1: nested too deep",
		"machine: m\ncases: &a [*a]":     "2:12: a case is not a mapping (a list)",
		"machine: m\ncases:\n- name:\n":  "3:3: a case lacks a key (name)",
		"machine: m\nname: ' '\ncases: [{name: x, requests: [{id: a, prompt: 1, output: 1}]}]": "2:7: name is not a text",
	} {
		refused(t, text, want)
	}
	_, err := Load("testdata/none.yaml")
	require.ErrorContains(t, err, "none.yaml")
}

func refused(t *testing.T, text, want string) {
	t.Helper()
	f, err := Parse("s.yaml", []byte(text))
	require.Nil(t, f)
	require.Error(t, err, text)
	require.True(t, strings.HasPrefix(err.Error(), "s.yaml:"+want), "want %s\n got %s\n%s", want, err, text)
	require.NotContains(t, err.Error(), "\n")
}

// form is the form of every error.
var form = regexp.MustCompile(`^s\.yaml:[1-9][0-9]*:[1-9][0-9]*: .+ \(.+\); .+$`)

func FuzzParse(f *testing.F) {
	full, err := Load("testdata/full.yaml")
	if err != nil || full == nil {
		f.Fatal(err)
	}
	f.Add(readAll(f, "testdata/full.yaml"))
	f.Add([]byte(fill(base, "")))
	f.Add([]byte(fill(workloadBase, "")))
	f.Add([]byte("a: &x [*x]\n? b\n: !!c 1\n<<: *x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Parse("s.yaml", data)
		if (got == nil) == (err == nil) {
			t.Fatalf("got %v and %v", got, err)
		}
		if err != nil && !form.MatchString(err.Error()) {
			t.Fatalf("%q", err)
		}
	})
}
