package fake_test

import (
	"context"
	"fmt"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
)

// A reply from its prompt, in two pieces, to its tenth token: drafts are asked
// for and verified until it is long enough.
func Example() {
	d := fake.Open(fake.Options{})
	ctx := context.Background()
	prompt, _ := d.Tokenize("How long is a piece of string?", true, false)

	d.Begin(0, device.BeginOptions{})
	d.Piece(ctx, 0, 0, prompt[:16])
	first, _, _ := d.Finish(ctx, 0, 16, prompt[16:], device.FinishOptions{})
	reply := []device.Token{first}
	rounds := 0
	for ; len(reply) < 10; rounds++ {
		drafts, _ := d.Pass([]device.Ask{{Slot: 0, Depth: 3}}, nil)
		w := device.Window{Slot: 0, Position: len(prompt) + len(reply) - 1}
		for _, k := range drafts {
			w.Drafts = append(w.Drafts, k.Token)
		}
		verdicts, _ := d.Verify([]device.Window{w}, nil)
		reply = append(reply, verdicts[0].Tokens...)
	}
	d.Release(0)
	fmt.Printf("%q after %d rounds\n", d.AppendText(nil, reply[:10]...), rounds)
	// Output: "HC.d/>Uslp" after 6 rounds
}
