package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/engine"
)

// metrics are counts of the engine, read when they are asked for, and
// histograms of replies.
type metrics struct {
	live    *engine.Live
	handler http.Handler
	gauges  []reading

	latency, first, decode, prefill, queue prometheus.Histogram
	vllmFirst, vllmLatency                 prometheus.Histogram
	gone                                   prometheus.Counter
}

// reading is a family with its value in the engine's counts.
type reading struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(*view) float64
}

// view is what a reading reads.
type view struct {
	engine.Stats
	config core.Config
}

// share is what a prompt may take of the time beside a reply.
func (v *view) share() float64 {
	if !v.config.Steps {
		return 1
	}
	return float64(v.config.PromptShare) / float64(core.Whole)
}

// seconds are the histograms' buckets.
var seconds = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320}

// Reading is a figure that the host of a server adds to its metrics. Value may
// be called from any goroutine.
type Reading struct {
	Name, Help string
	Value      func() float64
}

func newMetrics(live *engine.Live, more []Reading) *metrics {
	m := &metrics{live: live}
	count, gauge := prometheus.CounterValue, prometheus.GaugeValue
	for _, f := range []struct {
		names []string
		help  string
		kind  prometheus.ValueType
		of    func(*view) float64
	}{
		{[]string{"tfsim:requests_running", "vllm:num_requests_running"}, "Requests with a lane.", gauge,
			func(s *view) float64 { return float64(s.Filling + s.Decoding) }},
		{[]string{"tfsim:requests_waiting", "vllm:num_requests_waiting"}, "Requests without a lane.", gauge,
			func(s *view) float64 { return float64(s.Waiting) }},
		{[]string{"tfsim:kv_cache_usage_ratio", "vllm:kv_cache_usage_perc"}, "Part of the slots that are taken, from 0 to 1: each has its cache to itself.", gauge,
			func(s *view) float64 { return float64(s.Filling+s.Decoding) / float64(s.config.Lanes) }},
		{[]string{"tfsim:requests_decoding"}, "Requests that take part in rounds.", gauge,
			func(s *view) float64 { return float64(s.Decoding) }},
		{[]string{"tfsim:requests_finished_total"}, "Requests that ended in order.", count,
			func(s *view) float64 { return float64(s.Finished) }},
		{[]string{"tfsim:requests_cancelled_total"}, "Requests given up.", count,
			func(s *view) float64 { return float64(s.Cancelled) }},
		{[]string{"tfsim:requests_failed_total"}, "Requests that failed.", count,
			func(s *view) float64 { return float64(s.Failed) }},
		{[]string{"tfsim:requests_refused_total"}, "Requests refused because the server was full.", count,
			func(s *view) float64 { return float64(s.Refused) }},
		{[]string{"tfsim:prompt_tokens_total", "vllm:prompt_tokens_total"}, "Prompt rows run.", count,
			func(s *view) float64 { return float64(s.PromptTokens) }},
		{[]string{"tfsim:prompt_tokens_cached_total"}, "Prompt rows restored from kept states.", count,
			func(s *view) float64 { return float64(s.CachedTokens) }},
		{[]string{"tfsim:generation_tokens_total", "vllm:generation_tokens_total"}, "Tokens of replies.", count,
			func(s *view) float64 { return float64(s.Tokens) }},
		{[]string{"tfsim:decode_rounds_total"}, "Rounds.", count,
			func(s *view) float64 { return float64(s.Rounds) }},
		{[]string{"tfsim:draft_passes_total"}, "Drafter passes.", count,
			func(s *view) float64 { return float64(s.Passes) }},
		{[]string{"tfsim:drafted_total", "vllm:spec_decode_num_draft_tokens_total"}, "Drafts verified.", count,
			func(s *view) float64 { return float64(s.Drafted) }},
		{[]string{"tfsim:accepted_total", "vllm:spec_decode_num_accepted_tokens_total"}, "Drafts kept.", count,
			func(s *view) float64 { return float64(s.Accepted) }},
		{[]string{"tfsim:prompt_seconds_total"}, "Time in prompt steps.", count,
			func(s *view) float64 { return float64(s.PromptTime) / 1e6 }},
		{[]string{"tfsim:round_seconds_total"}, "Time in rounds.", count,
			func(s *view) float64 { return float64(s.RoundTime) / 1e6 }},
		{[]string{"tfsim:pass_seconds_total"}, "Time in drafter passes.", count,
			func(s *view) float64 { return float64(s.PassTime) / 1e6 }},
		{[]string{"tfsim:slots_lost_total"}, "Slots that the device lost.", count,
			func(s *view) float64 { return float64(s.Losses) }},
		{[]string{"tfsim:device_restarts_total"}, "Restarts of the device.", count,
			func(s *view) float64 { return float64(s.Restarts) }},
		{[]string{"tfsim:events_missed_total"}, "Events that slow watchers missed.", count,
			func(s *view) float64 { return float64(s.MissedEvents) }},
		{[]string{"tfsim:kept_states_bytes"}, "Memory of kept prompt states.", gauge,
			func(s *view) float64 { return float64(s.CacheBytes) }},
		{[]string{"tfsim:lanes"}, "Requests that can run at once.", gauge,
			func(s *view) float64 { return float64(s.config.Lanes) }},
		{[]string{"tfsim:prompt_share"}, "Prompts' promised share of time while replies decode; 1 where prompts run whole.", gauge,
			(*view).share},
	} {
		for _, name := range f.names {
			m.gauges = append(m.gauges, reading{prometheus.NewDesc(name, f.help, nil, nil), f.kind, f.of})
		}
	}
	histogram := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: seconds})
	}
	m.latency = histogram("tfsim:request_latency_seconds", "From a request's arrival to its end.")
	m.first = histogram("tfsim:time_to_first_token_seconds", "From a request's arrival to its first token.")
	m.decode = histogram("tfsim:request_decode_seconds", "From a reply's first token to its end.")
	m.prefill = histogram("tfsim:request_prefill_seconds", "From a request's lane to its first token.")
	m.queue = histogram("tfsim:request_queue_seconds", "From a request's arrival to its lane.")
	m.vllmFirst = histogram("vllm:time_to_first_token_seconds", "From a request's arrival to its first token.")
	m.vllmLatency = histogram("vllm:e2e_request_latency_seconds", "From a request's arrival to its end.")
	m.gone = prometheus.NewCounter(prometheus.CounterOpts{Name: "tfsim:client_disconnections_total", Help: "Clients that left before their reply was over."})
	all := prometheus.NewRegistry()
	for _, r := range more {
		all.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: r.Name, Help: r.Help}, r.Value))
	}
	all.MustRegister(m, m.latency, m.first, m.decode, m.prefill, m.queue, m.vllmFirst, m.vllmLatency, m.gone)
	m.handler = promhttp.HandlerFor(all, promhttp.HandlerOpts{})
	return m
}

// Describe and Collect make it a prometheus.Collector.
func (m *metrics) Describe(to chan<- *prometheus.Desc) {
	for _, g := range m.gauges {
		to <- g.desc
	}
}

// Collect reads the engine's counts once.
func (m *metrics) Collect(to chan<- prometheus.Metric) {
	s := view{m.live.Stats(), m.live.Config()}
	for _, g := range m.gauges {
		to <- prometheus.MustNewConstMetric(g.desc, g.kind, g.of(&s))
	}
}

// ended observes a reply.
func (m *metrics) ended(r engine.Result) {
	sec := func(t core.Micros) float64 { return float64(t) / 1e6 }
	switch r.Reason {
	case "end", "length":
	case "failed":
		return
	default:
		m.gone.Inc()
		return
	}
	m.latency.Observe(sec(r.Total))
	m.vllmLatency.Observe(sec(r.Total))
	m.first.Observe(sec(r.First))
	m.vllmFirst.Observe(sec(r.First))
	m.prefill.Observe(sec(r.First - r.Queue))
	m.decode.Observe(sec(r.Total - r.First))
	m.queue.Observe(sec(r.Queue))
}
