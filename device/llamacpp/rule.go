package llamacpp

import (
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/llamacpp/gguf"
)

// Rule is how batches must be formed for the bits to be the same whatever is
// in them. Proven on x86 CPUs alone; a cache that gives each slot its own
// stream keeps slots out of each other's sums, and weights are not repacked.
//
// Even: products of one row and of several take different paths, but all paths
// of two rows or more sum in one order. Flash attention is off; no graph holds
// one row of a slot, and no window leaves one over when llama.cpp splits the
// batch, which even windows never do. A window's second row costs as much
// padded as drafted.
//
// Whole: with every matrix quantized, products are made row by row, and flash
// attention sums each row of fewer than 64 in one way. One thread, because
// several share out a lone row's sums. Windows may then be of any number of
// rows, so that undrafted replies are faster; but prompts run in chunks of at
// most 60 rows, for which flash attention is slow: at 8,192 tokens, about two
// and a half times as slow as under the even rule.
type Rule struct {
	Kind RuleKind
	// Reason says why.
	Reason string
}

// RuleKind is the kind of a rule.
type RuleKind uint8

// The kinds of rule.
const (
	// None: batches are formed as is fastest, and nothing is promised.
	None RuleKind = iota
	Even
	Whole
)

// Exact says that the rule keeps the bits the same.
func (r Rule) Exact() bool { return r.Kind != None }

// Flash says that flash attention is on.
func (r Rule) Flash() bool { return r.Kind != Even }

// wholeRows is the rows of a chunk under the whole rule, and tiledRows the
// rows of a window from which flash attention takes another path.
const wholeRows, tiledRows = 60, 64

// RuleFor is the rule of a backend ("cpu", "metal", …) and architecture, for
// settings and a model whose matrices are all quantized or not.
func RuleFor(s Settings, backend, arch string, quantized bool) (Rule, error) {
	able := backend == "cpu" && arch == "amd64"
	switch {
	case s.Exact == "off":
		return Rule{Reason: "exact mode is off"}, nil
	case able && s.Exact == "whole":
		if !quantized || s.Threads != 1 {
			return Rule{}, errors.New("the whole rule needs one thread, and a model in one file whose matrices are all quantized")
		}
		return Rule{Whole, "x86 CPU, one thread, quantized weights"}, nil
	case able:
		return Rule{Even, "x86 CPU, even windows without flash attention"}, nil
	case s.Exact != "auto":
		return Rule{}, fmt.Errorf("exact mode cannot be promised on %s/%s: the bits depend on the batch", backend, arch)
	}
	return Rule{Reason: fmt.Sprintf("on %s/%s the bits depend on the batch", backend, arch)}, nil
}

// Shapes are the rule as the scheduler sees it.
func (r Rule) Shapes(s Settings) device.Shapes {
	shapes := device.Shapes{
		LaunchRows: s.LaunchRows, ChunkRows: s.ChunkRows, Least: 1, Multiple: 1, Equal: true, Compact: true, Longest: true,
	}
	switch r.Kind {
	case Even:
		shapes.Least, shapes.Multiple = 2, 2
	case Whole:
		shapes.ChunkRows = min(shapes.ChunkRows, wholeRows)
	}
	return shapes
}

// Promise is what can be relied on under the rule.
func (r Rule) Promise() device.Promise {
	p := device.Promise{Level: device.Repeats, Reason: r.Reason}
	if r.Exact() {
		p.Level = device.Exact
	}
	if r.Kind == Whole {
		p.MostRows = tiledRows - 1
	}
	return p
}

// Quantized says that every matrix of a model is quantized. Of a model in
// several files it says no.
func Quantized(h gguf.Head) bool {
	for _, t := range h.Tensors {
		if t.Matrix() && !t.Type.Quantized() {
			return false
		}
	}
	return h.Parts == 1
}
