package server

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tfsim/tfsim/device"
)

// speller turns tokens into text, up to the first stop text.
type speller struct {
	tokenizer device.Tokenizer
	stops     []string
	held      []byte // not yet given
	stopped   bool
}

// add spells one more token, and says whether the text stops with it.
func (s *speller) add(t device.Token) bool {
	if s.stopped {
		return true
	}
	s.held = s.tokenizer.AppendText(s.held, t)
	end := len(s.held)
	for _, stop := range s.stops {
		if i := bytes.Index(s.held, []byte(stop)); i >= 0 && i <= end {
			end, s.stopped = i, true
		}
	}
	s.held = s.held[:end]
	return s.stopped
}

// take gives the text that is sure: what may begin a stop text, or a
// character, stays. At the end of the reply nothing does.
func (s *speller) take(last bool) string {
	sure := len(s.held)
	if !last && !s.stopped {
		sure -= max(s.maybeStop(), cut(s.held))
	}
	text := strings.ToValidUTF8(string(s.held[:sure]), "\uFFFD")
	s.held = append(s.held[:0], s.held[sure:]...)
	return text
}

// maybeStop is how many of the last bytes may begin a stop text.
func (s *speller) maybeStop() int {
	most := 0
	for _, stop := range s.stops {
		for n := min(len(stop)-1, len(s.held)); n > most; n-- {
			if bytes.HasSuffix(s.held, []byte(stop[:n])) {
				most = n
			}
		}
	}
	return most
}

// cut is how many of the last bytes begin a character without its end.
func cut(b []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// ends is what tells the engine where a reply stops; nil without stop texts.
func (s *Server) ends(stops []string) func(device.Token) bool {
	if len(stops) == 0 {
		return nil
	}
	watch := &speller{tokenizer: s.tokenizer, stops: stops}
	return func(t device.Token) bool {
		stopped := watch.add(t)
		watch.take(false)
		return stopped
	}
}
