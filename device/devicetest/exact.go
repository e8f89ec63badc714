package devicetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tfsim/tfsim/device"
)

// A prompt in pieces gives what the whole prompt gives, with another slot
// decoding between the pieces.
func testPieces(b *bench) {
	b.exact()
	text, other := b.text(1, prompt), b.text(2, 40)
	for _, way := range ways {
		want := b.alone(text, way.s, after)
		wantOther := b.alone(other, way.s, after)
		for _, size := range []int{1, 7, 64, 100, 300} {
			b.Run(fmt.Sprintf("%s %d", way.name, size), func(t *testing.T) {
				b := b.at(t)
				got := []device.Token{b.fill(2, other, way.s)}
				b.begin(1, device.BeginOptions{})
				from := 0
				for len(text)-from > size {
					b.piece(1, from, text[from:from+size])
					from += size
					if len(got) <= after {
						got = append(got, b.plain(2, len(other)+len(got)-1, 1)...)
					}
				}
				first := b.finish(1, from, text[from:], way.s)
				b.same(append([]device.Token{first}, b.plain(1, len(text), after)...), want, "the prompt in pieces")
				b.same(got, wantOther[:len(got)], "the slot beside it")
				b.release(1, 2)
			})
		}
	}
}

// Windows of drafts that are right give what one row at a time gives.
func testWindows(b *bench) {
	b.exact()
	text := b.text(3, 50)
	for _, way := range ways {
		want := b.alone(text, way.s, after)
		for size := 1; size <= b.widest(); size++ {
			b.Run(fmt.Sprintf("%s %d", way.name, size), func(t *testing.T) {
				b := b.at(t)
				got := []device.Token{b.fill(1, text, way.s)}
				for len(got) < len(want) {
					n := min(size-1, len(want)-len(got)-1)
					drafts := want[len(got) : len(got)+n]
					v := b.verify(device.Window{Slot: 1, Position: len(text) + len(got) - 1, Drafts: drafts})
					if v[0].Kept != n {
						b.Fatalf("kept %d of %d drafts that are right", v[0].Kept, n)
					}
					got = append(got, v[0].Tokens...)
				}
				b.same(got, want, "in windows")
				b.release(1)
			})
		}
	}
}

// Drafts that are wrong from some place on leave no trace.
func testRefused(b *bench) {
	b.exact()
	text := b.text(4, 50)
	for _, way := range ways {
		b.Run(way.name, func(t *testing.T) {
			b := b.at(t)
			want := b.alone(text, way.s, after)
			rng := rand.New(rand.NewPCG(5, 6))
			got := []device.Token{b.fill(0, text, way.s)}
			for len(got) < len(want) {
				n := min(1+rng.IntN(max(b.widest()-1, 1)), b.widest()-1)
				right := rng.IntN(n + 1)
				drafts := make([]device.Token, n)
				for k := range drafts {
					at := len(got) + k
					drafts[k] = device.Token(rng.IntN(b.info.Vocabulary))
					if at < len(want) && k < right {
						drafts[k] = want[at]
					} else if at < len(want) && drafts[k] == want[at] {
						drafts[k] = (drafts[k] + 1) % device.Token(b.info.Vocabulary)
					}
				}
				v := b.verify(device.Window{Slot: 0, Position: len(text) + len(got) - 1, Drafts: drafts})
				if most := len(want) - len(got); v[0].Kept != min(right, n) && right < most {
					b.Fatalf("kept %d drafts, %d were right", v[0].Kept, right)
				}
				got = append(got, v[0].Tokens...)
			}
			b.same(got[:len(want)], want, "after refused drafts")
			b.release(0)
		})
	}
}

func testPadding(b *bench) {
	b.exact()
	text := b.text(7, 20)
	want := b.alone(text, ways[0].s, after)
	got := []device.Token{b.fill(3, text, ways[0].s)}
	for len(got) < len(want) {
		pad := len(got) % b.widest()
		v := b.verify(device.Window{Slot: 3, Position: len(text) + len(got) - 1, Pad: pad})
		got = append(got, v[0].Tokens...)
	}
	b.same(got, want, "with padding")
}

// reply is one request of a mixed run.
type reply struct {
	text  []device.Token
	s     device.Sampling
	start int // round in which its prompt begins
	piece int
	draft bool
	got   []device.Token
	fed   int
}

// Requests that come and go beside each other, drafted or not, in any
// windows, give what each gives alone.
func testConcurrent(b *bench) {
	b.exact()
	rng := rand.New(rand.NewPCG(9, 9))
	var replies []*reply
	for i := range 2 * slots {
		s := ways[i%2].s
		s.Seed += uint64(i)
		replies = append(replies, &reply{
			text: b.text(uint64(20+i), 5+rng.IntN(150)), s: s,
			start: rng.IntN(12), piece: 1 + rng.IntN(60), draft: i%4 < 2 && b.info.DraftDepth > 0,
		})
	}
	b.mix(rng, replies)
	for i, r := range replies {
		b.same(r.got[:after+1], b.alone(r.text, r.s, after), fmt.Sprintf("request %d among others", i))
	}
}

// mix runs replies beside each other to their ends, first come first served.
func (b *bench) mix(rng *rand.Rand, replies []*reply) {
	b.Helper()
	var lanes [slots]*reply
	waiting := replies
	for round := 0; ; round++ {
		busy := len(waiting) > 0
		for slot := range lanes {
			if lanes[slot] == nil && len(waiting) > 0 && waiting[0].start <= round {
				lanes[slot], waiting = waiting[0], waiting[1:]
				b.begin(slot, device.BeginOptions{NoDraft: !lanes[slot].draft})
			}
		}
		var asks []device.Ask
		for slot, r := range lanes {
			if r == nil {
				continue
			}
			busy = true
			if r.got == nil {
				b.feed(slot, r)
			} else if r.draft && rng.IntN(3) > 0 {
				asks = append(asks, device.Ask{Slot: slot, Depth: min(1+rng.IntN(4), b.info.DraftDepth)})
			}
		}
		if !busy {
			return
		}
		b.round(rng, &lanes, asks)
		for slot, r := range lanes {
			if r != nil && len(r.got) > after {
				b.release(slot)
				lanes[slot] = nil
			}
		}
	}
}

func (b *bench) feed(slot int, r *reply) {
	b.Helper()
	if n := len(r.text) - r.fed; n > r.piece {
		b.piece(slot, r.fed, r.text[r.fed:r.fed+r.piece])
		r.fed += r.piece
		return
	}
	r.got = []device.Token{b.finish(slot, r.fed, r.text[r.fed:], r.s)}
}

func (b *bench) round(rng *rand.Rand, lanes *[slots]*reply, asks []device.Ask) {
	b.Helper()
	drafts := make(map[int][]device.Token)
	if len(asks) > 0 {
		all, err := b.d.Pass(asks, nil)
		if err != nil {
			b.Fatalf("pass %v: %v", asks, err)
		}
		for _, a := range asks {
			drafts[a.Slot] = tokensOf(all[:a.Depth])[:rng.IntN(a.Depth+1)]
			all = all[a.Depth:]
		}
	}
	var windows []device.Window
	for slot, r := range lanes {
		if r != nil && r.got != nil {
			windows = append(windows, device.Window{Slot: slot, Position: len(r.text) + len(r.got) - 1, Drafts: drafts[slot], Pad: rng.IntN(2)})
		}
	}
	if len(windows) == 0 {
		return
	}
	rng.Shuffle(len(windows), func(i, j int) { windows[i], windows[j] = windows[j], windows[i] })
	for i, v := range b.verify(windows...) {
		r := lanes[windows[i].Slot]
		r.got = append(r.got, v.Tokens...)
	}
}

// Drafts change how many rounds a text takes and nothing else.
func testDrafted(b *bench) {
	b.exact()
	if b.info.DraftDepth == 0 {
		b.Skip("the device has no drafter")
	}
	for _, way := range ways {
		for _, plainEvery := range []int{0, 3} {
			b.Run(fmt.Sprintf("%s, plain every %d", way.name, plainEvery), func(t *testing.T) {
				b := b.at(t)
				text := b.text(12, 64)
				want := b.alone(text, way.s, after)
				got := []device.Token{b.fill(1, text, way.s)}
				rounds, kept, asked := 0, 0, 0
				for ; len(got) < len(want); rounds++ {
					w := device.Window{Slot: 1, Position: len(text) + len(got) - 1}
					if plainEvery == 0 || rounds%plainEvery > 0 {
						depth := min(4, b.info.DraftDepth)
						drafts, err := b.d.Pass([]device.Ask{{Slot: 1, Depth: depth}}, nil)
						if err != nil || len(drafts) != depth {
							b.Fatalf("pass: %d drafts of %d, %v", len(drafts), depth, err)
						}
						for _, k := range drafts {
							if !(k.Confidence >= 0 && k.Confidence <= 1) || k.Token < 0 || int(k.Token) >= b.info.Vocabulary {
								b.Fatalf("draft %+v", k)
							}
						}
						w.Drafts = tokensOf(drafts)
					}
					v := b.verify(w)
					got = append(got, v[0].Tokens...)
					kept += v[0].Kept
					asked += len(w.Drafts)
				}
				b.same(got[:len(want)], want, "drafted")
				b.Logf("%d tokens in %d rounds, %d of %d drafts kept", len(got), rounds, kept, asked)
				b.release(1)
			})
		}
	}
}
