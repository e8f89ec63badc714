package fake

import (
	"time"

	"github.com/tfsim/tfsim/device"
)

// Vocabulary is the number of tokens. Token 0 ends a text; the others are a
// line break and the printable ASCII characters.
const Vocabulary = 97

// Work is what a call does at a time: a chunk of a prompt, a pass, a launch, or
// the rows that a Begin restores or a Save keeps. Its slices are the caller's.
type Work struct {
	// Call is "begin", "chunk", "pass", "verify" or "save".
	Call string
	// Slot, From and Rows are those of a chunk, a Begin or a Save; Last says
	// that the chunk ends its prompt.
	Slot, From, Rows int
	Last             bool
	Asks             []device.Ask
	Windows          []device.Window
}

// Options says what kind of fake to open. The zero value is a useful one.
type Options struct {
	Slots      int // default 4
	Context    int // default 4096
	LaunchRows int // default 64
	ChunkRows  int // default 32
	DraftDepth int // default 8; below zero none drafts
	// Least and Multiple are the padding it claims to need; default 1.
	Least, Multiple int
	// Ends lets texts end by themselves, after some hundreds of tokens.
	Ends bool
	// Cost is how long a piece of work takes; nil takes none. The device waits
	// that long, and says so in Worked.
	Cost func(Work) time.Duration
	// OnChunk is called before each chunk of a prompt, with its slot and rows.
	OnChunk func(slot, rows int)
	// OnCall is called before each call that works, by its name ("begin",
	// "piece", "finish", "pass", "verify", "save"). Its error is the call's,
	// after the checks: ErrFailed, or ErrLost, after which the device is lost.
	OnCall func(name string) error
}

func (o Options) info() device.Info {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&o.Slots, 4)
	def(&o.Context, 4096)
	def(&o.LaunchRows, 64)
	def(&o.ChunkRows, 32)
	def(&o.DraftDepth, 8)
	def(&o.Least, 1)
	def(&o.Multiple, 1)
	drafter := "one wrong in five"
	if o.DraftDepth < 0 {
		o.DraftDepth, drafter = 0, ""
	}
	return device.Info{
		Name: "a fake", Backend: "fake", Build: "1", Model: "fake", Weights: "hash of the text", Drafter: drafter, StateKey: "fake 1",
		Slots: o.Slots, Context: o.Context, DraftDepth: o.DraftDepth, StateBytes: 12,
		Vocabulary: Vocabulary, Begin: device.NoToken, Ends: []device.Token{0},
		Shapes: device.Shapes{LaunchRows: o.LaunchRows, ChunkRows: o.ChunkRows, Least: o.Least, Multiple: o.Multiple},
		Promise: device.Promise{
			Level: device.Exact, Reason: "tokens are a hash of the text",
		},
	}
}
