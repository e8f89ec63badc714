package server

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
)

// params are what both kinds of completion take.
type params struct {
	model        string
	request      engine.Request
	seeded       bool
	stops        []string
	stream       bool
	includeUsage bool
}

const (
	mostStops    = 16
	longestStop  = 256
	mostTokens   = math.MaxInt32
	mostSampling = 1 << 20
)

// params reads the fields that both kinds of completion take.
func (f *fields) params() params {
	p := params{model: f.text("model"), stream: f.yes("stream", false)}
	r := &p.request
	r.Output = int(f.whole("max_tokens", 1, mostTokens, 0))
	if n := f.whole("max_completion_tokens", 1, mostTokens, 0); n > 0 {
		r.Output = int(n)
	}
	r.Sampling = device.Sampling{
		Temperature: f.number("temperature", 0, 2, 1),
		TopP:        f.number("top_p", 0, 1, 1),
		TopK:        int(max(f.whole("top_k", -1, mostSampling, 0), 0)),
		MinP:        f.number("min_p", 0, 1, 0),
	}
	var seed int64
	if p.seeded = f.as("seed", "a whole number", &seed); p.seeded {
		r.Sampling.Seed = uint64(seed)
	}
	p.stops = f.stops()
	r.IgnoreEnds = f.yes("ignore_eos", false)
	r.NoDraft = !f.yes("draft", true)
	switch s := f.text("priority"); s {
	case "", "foreground":
	case "background":
		r.Background = true
	default:
		f.bad("priority", "%q; want foreground or background", s)
	}
	f.streamOptions(&p)
	f.only("n", "1")
	f.only("presence_penalty", "0", "0.0")
	f.only("frequency_penalty", "0", "0.0")
	f.only("logit_bias", "{}")
	f.ignore("user", "metadata", "store", "service_tier", "safety_identifier", "prompt_cache_key")
	return p
}

// stops reads one text or several.
func (f *fields) stops() []string {
	const want = "a text or up to 16 texts of up to 256 bytes"
	raw, ok := f.left["stop"]
	if !ok {
		return nil
	}
	var texts []string
	if len(raw) > 0 && raw[0] == '"' {
		texts = []string{f.text("stop")}
	} else {
		f.as("stop", want, &texts)
	}
	if len(texts) > mostStops {
		f.bad("stop", "%d texts; want %s", len(texts), want)
	}
	for _, s := range texts {
		if s == "" || len(s) > longestStop {
			f.bad("stop", "a text of %d bytes; want 1 to %d", len(s), longestStop)
		}
	}
	return texts
}

func (f *fields) streamOptions(p *params) {
	raw, ok := f.take("stream_options")
	if !ok {
		return
	}
	if !p.stream {
		f.bad("stream_options", "only together with stream: true")
		return
	}
	in, err := readFields(raw)
	if err != nil {
		f.bad("stream_options", "%s; want an object with include_usage", brief(raw))
		return
	}
	p.includeUsage = in.yes("include_usage", false)
	in.ignore("include_obfuscation")
	if err := in.done(); err != nil {
		f.bad("stream_options."+*err.Param, "want include_usage: true or false")
	}
}

// seed gives a request without one the seed of its prompt, so that the same
// request gives the same reply.
func (p *params) seed() {
	if p.seeded {
		return
	}
	h := fnv.New64a()
	var b [4]byte
	for _, t := range p.request.Prompt {
		binary.LittleEndian.PutUint32(b[:], uint32(t))
		h.Write(b[:])
	}
	p.request.Sampling.Seed = h.Sum64()
}
