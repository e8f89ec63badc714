package scenario

import "github.com/tfsim/tfsim/core"

// Workload describes requests instead of listing them.
type Workload struct {
	Pos
	// Trace is where the requests are recorded, if they are; nil otherwise.
	// Then Count, Duration and the lengths are zero, and so are Arrivals unless
	// the trace has no times.
	Trace    *Trace
	Arrivals Arrivals
	// Count is the number of requests; 0 if Duration bounds them instead.
	Count int
	// Duration is the span in which requests are sent; 0 if Count bounds them.
	Duration core.Micros
	// Prompt and Output are the distributions of lengths in tokens.
	Prompt, Output Lengths
	// Mix has at least one entry.
	Mix []Mix
	// PerRequest says that the results list each request.
	PerRequest bool
}

// The arrival processes.
const (
	Constant = "constant"
	Poisson  = "poisson"
	Gamma    = "gamma"
	Closed   = "closed"
)

// Arrivals is when requests are sent. Fields of other processes are zero.
type Arrivals struct {
	Pos
	// Process is Constant, Poisson, Gamma or Closed.
	Process string
	// Rate is the mean number of requests per second (all but Closed).
	Rate float64
	// CV is the coefficient of variation of the gaps (Gamma).
	CV float64
	// Users is the number of clients, each with one request at a time (Closed).
	Users int
	// Think is the time from the end of a user's request to its next (Closed).
	Think core.Micros
}

// The length distributions.
const (
	Fixed     = "fixed"
	Uniform   = "uniform"
	Lognormal = "lognormal"
	FromFile  = "file"
)

// Lengths is a distribution of lengths in tokens. Fields of other
// distributions are zero.
type Lengths struct {
	Pos
	// Dist is Fixed, Uniform, Lognormal or FromFile.
	Dist string
	// Value is the length (Fixed).
	Value int
	// Min and Max bound the length, both included (Uniform; Max also
	// Lognormal, where longer draws become Max).
	Min, Max int
	// Median and P95 are percentiles (Lognormal).
	Median, P95 float64
	// Path is a file with one length a line, already relative to the working
	// directory (FromFile).
	Path string
	// PathPos is the place of the path.
	PathPos Pos
}

// Mix is one kind of request of a workload.
type Mix struct {
	Pos
	// Weight is its share of the requests, relative to the other weights.
	Weight float64
	Traits
}
