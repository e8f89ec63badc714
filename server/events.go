package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

const (
	watchRoom = 1 << 13
	// stillHere is how often an idle stream says that it is there.
	stillHere = 15 * time.Second
)

// events streams the engine's events. Those that a slow client missed are
// counted in a comment. A number begins with what tells this server from one
// started later, and the stream with a number alone, for who comes back.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	watch := s.live.Watch(watchRoom)
	defer watch.Stop()
	startStream(w)
	out := http.NewResponseController(w)
	var line, b bytes.Buffer
	lines := result.NewJSONL(&line, nil)
	fmt.Fprintf(&b, ": events of tfsim\nid: %x-0\n\n", s.started.UnixNano())
	var events []core.Event
	for number := 0; ; {
		_ = out.SetWriteDeadline(time.Now().Add(s.options.Patience))
		if _, err := w.Write(b.Bytes()); err != nil || out.Flush() != nil {
			return
		}
		b.Reset()
		var gap int
		var err error
		wait, stop := context.WithTimeout(r.Context(), stillHere)
		events, gap, err = watch.Next(wait, events[:0])
		stop()
		switch {
		case r.Context().Err() != nil:
			return
		case errors.Is(err, context.DeadlineExceeded):
			b.WriteString(": still here\n\n")
			continue
		case err != nil:
			return // the engine has stopped
		}
		for i := range events {
			number++
			line.Reset()
			lines.Record(&events[i])
			fmt.Fprintf(&b, "id: %x-%d\ndata: %s\n\n", s.started.UnixNano(), number, bytes.TrimSpace(line.Bytes()))
		}
		if gap > 0 {
			number += gap
			fmt.Fprintf(&b, ": %d events were missed\n\n", gap)
		}
	}
}
