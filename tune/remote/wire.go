package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune"
)

// Names that both sides use. A run is one coordinator's.
const (
	programSubject = "tfsim.program"
	workers        = "workers"     // the consumer of work
	coordinator    = "coordinator" // the consumer of results
	bundleObject   = "bundle"
)

func findSubject(program string) string {
	sum := sha256.Sum256([]byte(program))
	return "tfsim.find." + hex.EncodeToString(sum[:8])
}

func subject(run, what string) string { return "tfsim.run." + run + "." + what }

// store is the name of a run's stream, and of its object store.
func store(run string) string { return "tfsim-" + run }

// offer is what a coordinator answers to a worker that asks for a search.
type offer struct {
	Run string `json:"run"`
	// AckWait is how long a batch is left to a worker that says nothing.
	AckWait time.Duration `json:"ack_wait"`
}

// batch is work.
type batch struct {
	Units []tune.Unit `json:"units"`
}

// results are of some units of a batch.
type results struct {
	Outcomes []outcome `json:"outcomes"`
	// Took is the time that a worker spent on them.
	Took time.Duration `json:"took"`
}

// outcome is what one unit gave.
type outcome struct {
	// Unit is its place in the batch.
	Unit   int          `json:"unit"`
	Sample *tune.Sample `json:"sample,omitempty"`
	Error  string       `json:"error,omitempty"`
	// Site is where the program is at fault, for a panic.
	Site string `json:"site,omitempty"`
}

// newOutcome tells a unit's sample or error.
func newOutcome(unit int, s tune.Sample, err error) outcome {
	if err == nil {
		return outcome{Unit: unit, Sample: &s}
	}
	if p := (*study.Panic)(nil); errors.As(err, &p) {
		return outcome{Unit: unit, Error: fmt.Sprint(p.Value), Site: p.Site}
	}
	return outcome{Unit: unit, Error: err.Error()}
}

// told is the sample or error that newOutcome was given.
func (o *outcome) told() (tune.Sample, error) {
	switch {
	case o.Site != "":
		return tune.Sample{}, &study.Panic{Value: o.Error, Site: o.Site}
	case o.Sample == nil:
		return tune.Sample{}, errors.New(o.Error)
	}
	return *o.Sample, nil
}

// isThere says that a message was not taken since its subject has one.
func isThere(err error) bool {
	var e *jetstream.APIError
	const storeFailed = 10077 // with a limit's text: here one message a subject
	return errors.As(err, &e) && e.ErrorCode == storeFailed && e.Description == "maximum messages per subject exceeded"
}
