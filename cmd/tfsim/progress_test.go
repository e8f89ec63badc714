package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// What takes long says how far it is and how long it will take.
func TestProgressTellsTheRest(t *testing.T) {
	for want, tell := range map[string]func(*progress){
		"\rday: 25%, about 30s left":         func(p *progress) { p.part(0.25) },
		"\rday: 2 of 4 runs, about 10s left": func(p *progress) { p.step(2, 4) },
		"\rday: 100%":                        func(p *progress) { p.part(1) },
	} {
		var out bytes.Buffer
		begun := time.Now().Add(-10 * time.Second)
		p := &progress{w: &out, show: true, what: "day", started: begun, since: begun}
		tell(p)
		require.Equal(t, want, out.String())
		tell(p)
		require.Equal(t, want, out.String(), "not drawn again at once")
		p.clear()
		require.Contains(t, out.String(), "\r \x20")
	}
	var out bytes.Buffer
	p := &progress{w: &out, show: true, what: "day", started: time.Now()}
	p.part(0.5)
	require.Empty(t, out.String(), "what is quick is silent")
}

// While nothing tells how far it is, the time goes on.
func TestProgressWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &said{}
		p := &progress{w: out, show: true, what: "loading", started: time.Now().Add(-70 * time.Second)}
		stop := p.waiting()
		time.Sleep(progressAfter / 4)
		synctest.Wait()
		require.Equal(t, "\rloading: 1m10s", out.String())
		time.Sleep(time.Second)
		stop()
		require.Contains(t, out.String(), "\rloading: 1m11s")
		require.Zero(t, p.width)
	})
}
