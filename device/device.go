package device

import (
	"context"
	"time"

	"github.com/tfsim/tfsim/core"
)

// Doer does what core decides. It is driven by one goroutine.
type Doer interface {
	// Do does an action and fills the outcome, whose slices it may reuse.
	// What fails for a request or slot is said in the outcome; an error means
	// that the device is of no further use.
	Do(a *core.Action, o *core.Outcome) error
}

// Token is an entry of the vocabulary.
type Token int32

// NoToken stands for no token.
const NoToken Token = -1

// Device runs a model for several slots. Logits never leave it.
type Device interface {
	// Info describes the device. It never changes while the device is open.
	Info() *Info

	// Begin takes a free slot. With a state it restores the first rows of it;
	// it returns the number of rows that the slot then holds.
	Begin(slot int, o BeginOptions) (rows int, err error)
	// Piece feeds prompt tokens as rows from, from+1, …; from is the number
	// of rows that the slot holds. It returns the number of rows it fed,
	// fewer than asked only together with an error: the context's, between
	// two chunks, or ErrLost.
	Piece(ctx context.Context, slot, from int, tokens []Token) (rows int, err error)
	// Finish feeds the last prompt tokens, at least one, and draws the first
	// token. It returns the rows it fed like Piece; ended early, the slot is
	// still filling.
	Finish(ctx context.Context, slot, from int, tokens []Token, o FinishOptions) (first Token, rows int, err error)

	// Pass drafts for decoding slots: it appends Depth drafts for each ask,
	// in order, and returns the extended slice. Slots are named once. Nothing
	// a Pass does changes what is drawn.
	Pass(asks []Ask, drafts []Draft) ([]Draft, error)
	// Verify runs one launch: it appends what came of each window, in order,
	// and returns the extended slice. Slots are named once. The tokens are
	// valid until the next call.
	Verify(windows []Window, verdicts []Verdict) ([]Verdict, error)

	// Release frees slots in any phase but free. A list with a bad slot frees
	// none.
	Release(slots ...int) error
	// Save gives the state of a slot's rows, for Begin to restore in any slot
	// of this device or of another of the same Info.StateKey. The caller owns
	// the bytes.
	Save(slot int) ([]byte, error)

	// Worked is how long the device itself worked in the last call.
	Worked() time.Duration
	// Close ends the device. Every later call returns ErrClosed.
	Close() error
}

// BeginOptions says what a slot starts with.
type BeginOptions struct {
	// State is what Save gave, or nil for an empty slot.
	State []byte
	// Rows restores the first rows of the state alone; 0 restores all.
	Rows int
	// NoDraft spares the drafter this slot: it is never asked for it.
	NoDraft bool
}

// FinishOptions says how a slot's tokens are drawn.
type FinishOptions struct {
	Sampling Sampling
	// Resumed says that the first token is known: a slot that was lost and
	// filled again goes on with Known, the token that was sent, whatever the
	// device would draw now.
	Resumed bool
	Known   Token
}

// Ask is one slot's request in a pass.
type Ask struct {
	Slot int
	// Depth is the number of drafts wanted, 1 to Info.DraftDepth.
	Depth int
}

// Draft is a guess at a token to come.
type Draft struct {
	Token Token
	// Confidence is the drafter's own score, 0 to 1. It is 0 where the
	// drafter had nothing to offer; the token is then any.
	Confidence float64
}

// Window is one slot's rows of a launch: the pending token, the drafts, and
// padding.
type Window struct {
	Slot int
	// Position is the number of rows that the slot holds.
	Position int
	// Drafts are tokens to verify: those of the last pass, fewer, or any
	// others.
	Drafts []Token
	// Pad is a number of rows whose results are thrown away. The device adds
	// to it what its rule needs.
	Pad int
}

// Rows is the number of rows the window asks for.
func (w Window) Rows() int { return 1 + len(w.Drafts) + w.Pad }

// Verdict is what came of one window.
type Verdict struct {
	// Kept is the number of drafts kept.
	Kept int
	// Tokens are the Kept+1 tokens drawn: the drafts kept, then the one that
	// is pending now. The slot holds Kept+1 rows more.
	Tokens []Token
}

// Tokenizer is a device that knows the text of its tokens. Its methods may be
// called from any goroutine, also while the device works.
type Tokenizer interface {
	// Tokenize gives the tokens of a text, or ErrText. With special, the names of control
	// tokens in the text become those tokens; begin adds what starts a text.
	Tokenize(text string, begin, special bool) ([]Token, error)
	// AppendText appends the bytes of tokens, which may end within a
	// character. Control tokens have none.
	AppendText(dst []byte, tokens ...Token) []byte
}

// Killer is a device that any goroutine can end, so that a call that hangs
// returns ErrLost.
type Killer interface {
	Kill()
}

// Distant is a device in another process.
type Distant interface {
	// Hop is how long the way there and back of the last call took, besides
	// what the device worked; 0 if it did not come back.
	Hop() time.Duration
}

// Restarter is a device that can come back after ErrLost, with all slots free.
type Restarter interface {
	Restart(ctx context.Context) error
}
