// Package device says what the project needs of a device: the machine, or the
// stand-in for one, that runs a model for several requests at once.
//
// There are two contracts. [Doer] is what the loop drives: it does one action
// of core at a time and says what came of it. [Device] is the level below:
// tokens in, tokens out. The engine makes a Doer of a Device and a clock; the
// simulator is a Doer of its own.
//
// A Device has slots. A slot holds the rows of one request in its cache, and
// goes through these phases:
//
//	free ──Begin──▶ filling ──Piece…──▶ filling ──Finish──▶ decoding ──Verify…──▶ decoding
//	  ▲                │                                       │
//	  └────Release─────┴───────────────────Release─────────────┘
//
// A piece feeds prompt rows. Finish feeds the last of them and draws the first
// token, which is then pending: drawn, but not yet a row. A round verifies one
// window for each slot: the pending token and some drafts become rows, a token
// is drawn after each, and the drafts that equal what was drawn are kept. The
// rows of refused drafts are taken back, so that a slot with n rows always
// holds exactly the first n tokens of its text.
//
//	d.Begin(0, device.BeginOptions{})
//	d.Piece(ctx, 0, 0, prompt[:64])
//	first, _, err := d.Finish(ctx, 0, 64, prompt[64:], device.FinishOptions{})
//	drafts, err := d.Pass([]device.Ask{{Slot: 0, Depth: 4}}, nil)
//	kept, err := d.Verify([]device.Window{{Slot: 0, Position: len(prompt), Drafts: tokens(drafts)}}, nil)
//	d.Release(0)
//
// # What a caller may rely on
//
//  1. Every bad call is an error that wraps one of this package's, and changes
//     nothing: a slot that does not exist or is in another phase, rows that
//     leave a gap, more rows than a launch or the context holds, no rows, a
//     token outside the vocabulary. A device that a caller can crash is broken.
//  2. One goroutine drives a device. Only the context of a Piece or Finish is
//     looked at meanwhile: a prompt ends between two chunks when it is done,
//     and the rows fed so far stay.
//  3. Draws are keyed by (seed, position) and nothing else, so that a text
//     does not depend on how it was scheduled. Drafts draw with the same key.
//  4. A device pads what its rule needs by itself; [Info.Shapes] says how, so
//     that the caller can price it and fill the padding with drafts.
//  5. [Info.Promise] says for which shapes the same text comes out whatever
//     else runs. Where it promises nothing, nothing can be relied on.
//  6. After [ErrLost] every slot is gone. A [Restarter] comes back empty.
//
// [github.com/tfsim/tfsim/device/devicetest] checks all of it on any device.
package device
