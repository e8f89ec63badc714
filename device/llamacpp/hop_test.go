package llamacpp

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/device/remote"
)

// hopEnv makes the test binary the other end of a hop: of the protocol, or of
// bare bytes.
const hopEnv = "TFSIM_TEST_HOP"

func init() {
	type both struct {
		io.Reader
		io.Writer
	}
	switch os.Getenv(hopEnv) {
	case "device":
		d := &busy{Device: fake.Open(fake.Options{Context: 1 << 30})}
		_ = remote.Serve(d, both{os.Stdin, os.Stdout}, both{os.NewFile(3, "in"), os.NewFile(4, "out")})
		os.Exit(0)
	case "bytes":
		b := make([]byte, 64)
		var room busy
		for {
			n, err := os.Stdin.Read(b)
			if err != nil {
				os.Exit(0)
			}
			start := time.Now()
			room.work()
			binary.LittleEndian.PutUint64(b, uint64(time.Since(start)))
			_, _ = os.Stdout.Write(b[:n])
		}
	}
}

// busy is a device whose rounds take a while, and the caches with them, as a
// model's do.
type busy struct {
	*fake.Device
	worked time.Duration
	memory []byte
}

func (d *busy) work() {
	if d.memory == nil {
		d.memory = make([]byte, 8<<20)
	}
	for i := 0; i < len(d.memory); i += 64 {
		d.memory[i]++
	}
}

func (d *busy) Verify(w []device.Window, v []device.Verdict) ([]device.Verdict, error) {
	start := time.Now()
	d.work()
	v, err := d.Device.Verify(w, v)
	d.worked = time.Since(start)
	return v, err
}

func (d *busy) Worked() time.Duration { return d.worked }

func hop(b *testing.B, kind string) *process {
	b.Helper()
	b.Setenv(hopEnv, kind)
	d := &dialer{program: os.Args[0]}
	c, err := d.dial(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	p := c.(*process)
	b.Cleanup(func() { _ = p.Close() })
	return p
}

// What the way to another process and back adds to a round of four windows over
// the device's own time, and what bare bytes take there and back around the same
// work, in turns: on a busy machine most of both is the wait for a processor, and
// their ratio tells more than the times.
func BenchmarkHop(b *testing.B) {
	bytes := hop(b, "bytes")
	there := hop(b, "device")
	d, err := remote.Open(context.Background(), func(context.Context) (remote.Conn, error) { return there, nil }, remote.Patience{})
	if err != nil {
		b.Fatal(err)
	}
	windows := make([]device.Window, 4)
	for i := range windows {
		if _, err := d.Begin(i, device.BeginOptions{}); err != nil {
			b.Fatal(err)
		}
		if _, _, err := d.Finish(context.Background(), i, 0, []device.Token{1}, device.FinishOptions{}); err != nil {
			b.Fatal(err)
		}
		windows[i] = device.Window{Slot: i, Position: 1, Drafts: make([]device.Token, 3)}
	}
	var verdicts []device.Verdict
	var over, bare []time.Duration
	buf := make([]byte, 64)
	for b.Loop() {
		start := time.Now()
		if verdicts, err = d.Verify(windows, verdicts[:0]); err != nil {
			b.Fatal(err)
		}
		over = append(over, time.Since(start)-d.Worked())
		for i := range windows {
			windows[i].Position += len(verdicts[i].Tokens)
		}
		start = time.Now()
		if _, err := bytes.turns.Write(buf[:40]); err != nil {
			b.Fatal(err)
		}
		if _, err := bytes.turns.Read(buf); err != nil {
			b.Fatal(err)
		}
		bare = append(bare, time.Since(start)-time.Duration(binary.LittleEndian.Uint64(buf)))
	}
	slices.Sort(over)
	slices.Sort(bare)
	n := len(over)
	b.ReportMetric(float64(over[n/2]), "ns-over/op")
	b.ReportMetric(float64(over[n/10]), "ns-over-p10/op")
	b.ReportMetric(float64(bare[n/2]), "ns-bytes/op")
	b.ReportMetric(float64(bare[n/10]), "ns-bytes-p10/op")
	b.ReportMetric(float64(over[n/2])/float64(bare[n/2]), "×bytes")
}
