package scenario

import "slices"

// requestMetrics are the numeric figures of one request.
var requestMetrics = []string{
	"prompt_tokens", "output_tokens", "cached_tokens",
	"queue_s", "ttft_s", "done_s",
	"gap_p50_ms", "gap_p95_ms", "gap_p99_ms", "gap_max_ms",
	"rounds", "drafted", "accepted",
}

// totalMetrics are the numeric figures of one case under one arm.
var totalMetrics = []string{
	"wall_s", "decode_tok_s", "prompt_tok_s", "rounds", "passes", "steps",
	"drafted", "accepted", "device_busy", "share", "goodput_rps",
	"ttft_s.p50", "ttft_s.p95", "ttft_s.p99",
	"gap_ms.p50", "gap_ms.p95", "gap_ms.p99", "gap_ms.max",
}

// RequestMetrics lists the figures that an expect with a request may name.
func RequestMetrics() []string { return slices.Clone(requestMetrics) }

// TotalMetrics lists the figures that an expect without a request may name.
func TotalMetrics() []string { return slices.Clone(totalMetrics) }
