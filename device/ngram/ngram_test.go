package ngram

import (
	"math/rand/v2"
	"testing"

	"github.com/tfsim/tfsim/device"
)

func text(s string) (t []device.Token) {
	for _, b := range []byte(s) {
		t = append(t, device.Token(b))
	}
	return t
}

func drafted(d []device.Draft) (s string) {
	for _, k := range d {
		if k.Confidence == 0 {
			return s
		}
		s += string(rune(k.Token))
	}
	return s
}

func TestDraft(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"a", ""},
		{"abcab", "cabca"},
		{"the cat; the", " cat;"},
		{"xaby abz ab", "z abz"}, // of equal matches the latest
		{"1abcX 2abcY 1abc", "X 2ab"},
		{"aaaa", "aaaaa"},
		{"abcdef", ""},
	} {
		var x Index
		x.Append(text(c.text)...)
		got := x.Draft(5, nil)
		if len(got) != 5 || drafted(got) != c.want {
			t.Errorf("after %q: %d drafts %q, want %q", c.text, len(got), drafted(got), c.want)
		}
	}
}

// The match is the longest among the places looked at, up to the cap.
func TestMatchIsAMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var x Index
		n := rng.IntN(60)
		for range n {
			x.Append(device.Token(rng.IntN(3)))
		}
		at, length := x.match()
		best := 0
		for i := 1; i < n-1; i++ {
			k := 0
			for k < most && i-k >= 0 && x.tokens[i-k] == x.tokens[n-1-k] {
				k++
			}
			best = max(best, k)
		}
		if length > 0 {
			for k := range length {
				if x.tokens[int(at)-k] != x.tokens[n-1-k] {
					t.Fatalf("%v: no match of %d at %d", x.tokens, length, at)
				}
			}
		}
		if n <= looks && best >= least && length != best {
			t.Fatalf("%v: match of %d, want %d", x.tokens, length, best)
		}
	}
}

func TestReset(t *testing.T) {
	var x Index
	x.Append(text("abab")...)
	x.Reset()
	x.Append(text("ab")...)
	if got := drafted(x.Draft(2, nil)); got != "" {
		t.Errorf("an emptied text still gives %q", got)
	}
}
