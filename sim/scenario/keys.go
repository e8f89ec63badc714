package scenario

import "github.com/tfsim/tfsim/sim/trace"

// key is one key of an object: its name, what it means, and the JSON Schema
// of its value.
type key struct {
	name, about string
	schema      schema
	required    bool
}

// keys is the table of an object's keys. The parser takes accepted names
// from it and Schema the rest.
type keys struct {
	// what names the object for a person, with its article.
	what string
	list []key
	// rules are further JSON Schema keywords of the object.
	rules schema
}

func (k *keys) names() []string {
	var out []string
	for _, k := range k.list {
		out = append(out, k.name)
	}
	return out
}

func (k *keys) has(name string) bool {
	for _, k := range k.list {
		if k.name == name {
			return true
		}
	}
	return false
}

// needs lists the required keys.
func (k *keys) needs() string {
	var out []string
	for _, k := range k.list {
		if k.required {
			out = append(out, k.name)
		}
	}
	return listed(out, "and")
}

var scenarioKeys = &keys{
	what: "a scenario",
	list: []key{
		{"name", "Name of the scenario; without it, the file's base name.", textSchema, false},
		{"about", "What the scenario shows and how to read it.", textSchema, false},
		{"machine", "A machine of the library, or a file: its path, relative to this file, has a / or ends in .yaml or .yml.", textSchema, true},
		{"server", "The shape of the server.", ref("server"), false},
		{"settings", "Settings of every arm, by any of their names.", ref("settings"), false},
		{"world", "The one world that every case runs in.", ref("world"), false},
		{"worlds", "Several worlds, each with a name: every case runs in each.", listOf(ref("world"), 1), false},
		{"cases", "Arrangements of requests.", listOf(ref("case"), 1), true},
		{"arms", "Ways of setting the server; without any, one called base.", listOf(ref("arm"), 0), false},
		{"expect", "Claims about the results; one that fails makes the exit status 1.", listOf(ref("expect"), 0), false},
	},
	rules: schema{"not": schema{"required": []string{"world", "worlds"}}},
}

var serverKeys = &keys{
	what: "a server",
	list: []key{
		{"parallel", "Lanes: requests admitted at once. Without it, the settings' default.", wholeSchema(1, mostTokens), false},
		{"context", "Most tokens of a prompt and its reply. Without it, the settings' default.", wholeSchema(1, mostTokens), false},
		{"prompt_cache_gib", "Budget of kept prompt states in GiB; 0 is off.", numberSchema(cacheSpan), false},
	},
}

var worldKeys = &keys{
	what: "a world",
	list: []key{
		{"name", "Name of the world; needed under worlds.", nameSchema, false},
		{"seed", "Every random stream derives from it.", wholeSchema(0, maxSeed), false},
		{"noise", "Sigma of a lognormal factor on each action; 0 is exact costs.", numberSchema(noiseSpan), false},
		{"drafts", "Draft outcomes: drawn, or the expected tokens each round.", wordSchema("sampled", "expected"), false},
		{"rows", "Truth over belief: factor on the costs of rounds.", numberSchema(factorSpan), false},
		{"pass", "Truth over belief: factor on the costs of drafter passes.", numberSchema(factorSpan), false},
		{"chunk", "Truth over belief: factor on the costs of prompt rows.", numberSchema(factorSpan), false},
		{"confidence", "Exponent on the odds of the confidences that the scheduler sees.", numberSchema(factorSpan), false},
		{"heat", "Cost factor minus one at the start of a case.", numberSchema(heatSpan), false},
	},
}

var caseKeys = &keys{
	what: "a case",
	list: []key{
		{"name", "Name of the case.", nameSchema, true},
		{"heat", "Overrides the world's heat.", numberSchema(heatSpan), false},
		{"requests", "The requests, one by one.", listOf(ref("request"), 1), false},
		{"workload", "The requests, described, or a trace of them.", schema{"oneOf": []schema{ref("workload"), ref("recorded")}}, false},
		{"slo", "Targets that goodput counts by.", ref("slo"), false},
	},
	rules: schema{"oneOf": []schema{{"required": []string{"requests"}}, {"required": []string{"workload"}}}},
}

var requestKeys = &keys{
	what: "a request",
	list: append([]key{
		{"id", "Names the request within its case.", nameSchema, true},
		{"at", "When it is sent, from the start of the case; 0s without it.", durationSchema, false},
		{"prompt", "Prompt length in tokens.", wholeSchema(1, mostTokens), true},
		{"output", "Reply length in tokens.", wholeSchema(1, mostTokens), true},
		{"cancel_at", "When its client goes away, from the start of the case.", durationSchema, false},
		{"like", "Id of a request with the same prompt and seed.", nameSchema, false},
	}, traitKeys...),
	rules: turnRule,
}

var mixKeys = &keys{
	what: "an entry of mix",
	list: append([]key{
		{"weight", "Share of the requests, relative to the other weights.", numberSchema(weightSpan), true},
	}, traitKeys...),
	rules: turnRule,
}

// traitKeys are shared by requests and entries of a mix.
var traitKeys = []key{
	{"load", "Draft outcomes of the text, chat by default: a name that the machine knows, or two for a text that turns.", loadSchema, false},
	{"turn_at", "Reply tokens after which a text with two loads turns.", wholeSchema(1, mostTokens), false},
	{"temperature", "0 is greedy.", numberSchema(temperatureSpan), false},
	{"priority", "Background requests queue behind foreground ones.", wordSchema("foreground", "background"), false},
	{"draft", "false makes every window of the request plain.", truthSchema, false},
	{"prefix", "A prompt beginning that requests share.", ref("prefix"), false},
}

var turnRule = schema{"dependentRequired": schema{"turn_at": []string{"load"}}}

var prefixKeys = &keys{
	what: "a prefix",
	list: []key{
		{"key", "Names the beginning.", nameSchema, true},
		{"tokens", "Its length.", wholeSchema(1, mostTokens), true},
	},
}

var sloKeys = &keys{
	what: "an slo",
	list: []key{
		{"ttft_s", "Most seconds to the first token.", numberSchema(targetSpan), false},
		{"gap_p95_ms", "Most milliseconds of a reply's gaps at the 95th percentile.", numberSchema(targetSpan), false},
	},
	rules: schema{"minProperties": 1},
}

var workloadKeys = &keys{
	what: "a workload",
	list: []key{
		{"arrivals", "When requests are sent.", ref("arrivals"), true},
		{"count", "Number of requests.", wholeSchema(1, mostTokens), false},
		{"duration", "Span in which requests are sent.", durationSchema, false},
		{"prompt", "Prompt lengths in tokens.", ref("lengths"), true},
		{"output", "Reply lengths in tokens.", ref("lengths"), true},
		{"mix", "Kinds of requests, drawn by weight.", listOf(ref("mix"), 1), false},
		{"per_request", "false leaves requests out of the results.", truthSchema, false},
	},
	rules: schema{"oneOf": []schema{{"required": []string{"count"}}, {"required": []string{"duration"}}}},
}

// recordedKeys are a workload's that plays a trace.
var recordedKeys = &keys{
	what: "a workload of a trace",
	list: []key{
		{"trace", "The recorded requests: a file, or a mapping with one.", schema{"oneOf": []schema{nameSchema, ref("trace")}}, true},
		{"arrivals", "When requests are sent, for a trace without times alone.", ref("arrivals"), false},
		{"mix", "Kinds of requests, drawn by weight.", listOf(ref("mix"), 1), false},
		{"per_request", "true lists each request in the results.", truthSchema, false},
	},
}

var traceKeys = &keys{
	what: "a trace",
	list: []key{
		{"file", "Path of the file.", textSchema, true},
		{"format", "How it is written; without it, its content says.", wordSchema(trace.Names()...), false},
		{"speed", "How many times faster than recorded; 1 without it.", numberSchema(speedSpan), false},
		{"from", "Leave out requests before this time from the first.", durationSchema, false},
		{"to", "Leave out requests from this time from the first on.", durationSchema, false},
		{"sample", "Part of the requests to draw, over 0 and at most 1.", numberSchema(sampleSpan), false},
		{"limit", "Most requests.", wholeSchema(1, mostTokens), false},
		{"bytes_per_token", "Length of texts in bytes over tokens; 4 without it.", numberSchema(ratioSpan), false},
	},
}

// variant is an object whose keys depend on the word under one of them.
type variant struct {
	// by is the key that chooses, words its values in order of explanation.
	by    string
	words []string
	of    map[string]*keys
}

var (
	rateKey = key{"rate", "Mean requests per second.", numberSchema(rateSpan), true}

	arrivalKeys = variant{"process", []string{Constant, Poisson, Gamma, Closed}, map[string]*keys{
		Constant: chosen("constant arrivals", "process", Constant, rateKey),
		Poisson:  chosen("poisson arrivals", "process", Poisson, rateKey),
		Gamma: chosen("gamma arrivals", "process", Gamma, rateKey,
			key{"cv", "Coefficient of variation of the gaps: 1 is poisson, more is bursty.", numberSchema(cvSpan), true}),
		Closed: chosen("closed arrivals", "process", Closed,
			key{"users", "Clients, each with one request at a time.", wholeSchema(1, mostUsers), true},
			key{"think", "Time from the end of a request to its user's next; 0s without it.", durationSchema, false}),
	}}

	lengthKeys = variant{"dist", []string{Fixed, Uniform, Lognormal, FromFile}, map[string]*keys{
		Fixed: chosen("fixed lengths", "dist", Fixed,
			key{"value", "The length.", wholeSchema(1, mostTokens), true}),
		Uniform: chosen("uniform lengths", "dist", Uniform,
			key{"min", "Least length.", wholeSchema(1, mostTokens), true},
			key{"max", "Most length.", wholeSchema(1, mostTokens), true}),
		Lognormal: chosen("lognormal lengths", "dist", Lognormal,
			key{"median", "Half of the draws are shorter.", numberSchema(lengthSpan), true},
			key{"p95", "95 of 100 draws are shorter.", numberSchema(lengthSpan), true},
			key{"max", "Longer draws become this.", wholeSchema(1, mostTokens), false}),
		FromFile: chosen("lengths of a file", "dist", FromFile,
			key{"path", "A file with one length a line, drawn with equal chance; # starts a comment.", textSchema, true}),
	}}
)

// chosen is the table of one variant.
func chosen(what, by, word string, more ...key) *keys {
	k := key{by, "Chooses the other keys.", wordSchema(word), true}
	return &keys{what: what, list: append([]key{k}, more...)}
}

var armKeys = &keys{
	what: "an arm",
	list: []key{
		{"name", "Name of the arm.", nameSchema, true},
		{"env", "Settings by environment variable.", ref("settings"), false},
		{"flags", "Settings by flag, without dashes.", ref("settings"), false},
	},
}

var expectKeys = &keys{
	what: "an expect",
	list: []key{
		{"case", "A case; without it, the file's only one.", nameSchema, false},
		{"arm", "An arm; without it, the file's only one.", nameSchema, false},
		{"request", "A request of the case; without it, the totals.", nameSchema, false},
		{"world", "A world; without it, every one.", nameSchema, false},
		{"metric", "A figure of the results, dotted where nested.", wordSchema(allMetrics()...), true},
		{"of", "An arm whose figure divides this one.", nameSchema, false},
		{"below", "The figure is less.", numberSchema(finite), false},
		{"above", "The figure is more.", numberSchema(finite), false},
		{"within", "The figure lies between the two, both included.", pairSchema, false},
	},
	rules: schema{"oneOf": []schema{
		{"required": []string{"below"}}, {"required": []string{"above"}}, {"required": []string{"within"}}}},
}
