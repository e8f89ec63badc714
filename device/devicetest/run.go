package devicetest

import (
	"testing"

	"github.com/tfsim/tfsim/device"
)

// Options says what the suite needs of the device it opens.
type Options struct {
	// Slots is the number of slots, exactly.
	Slots int
	// Context is the most rows of a slot, exactly.
	Context int
}

// Open opens a device of its own for one test; the suite closes it.
type Open func(t *testing.T, o Options) device.Device

// Run holds a device to the contract.
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		test func(*bench)
	}{
		{"info", testInfo},
		{"pieces equal whole", testPieces},
		{"windows equal one row", testWindows},
		{"refused drafts rewind", testRefused},
		{"padding changes nothing", testPadding},
		{"concurrent equals alone", testConcurrent},
		{"drafted equals undrafted", testDrafted},
		{"restored equals fresh", testRestored},
		{"resumed goes on", testResumed},
		{"release keeps nothing", testRelease},
		{"cancel mid-prompt", testCancel},
		{"cancel at any time", testCancelAnyTime},
		{"same calls same tokens", testRepeats},
		{"context can be filled", testFull},
		{"bad calls are errors", testBadCalls},
		{"bad states are errors", testBadStates},
		{"closed", testClosed},
		{"tokenizer", testTokenizer},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(newBench(t, open)) })
	}
}
