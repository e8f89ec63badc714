package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

// A thousand clients who read slowly or leave: others are served meanwhile,
// and nothing is left of them.
func TestVanishingClients(t *testing.T) {
	clients := 1000
	if testing.Short() {
		clients = 100
	}
	r := serve(t, fake.Open(fake.Options{}), func(e *engine.Options, o *server.Options) {
		e.Config.Queue = 0
		o.Patience = 2 * time.Second
	})
	body := `{"messages": [{"role": "user", "content": "go on"}], "stream": true, "max_tokens": 200}`
	request := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	address := strings.TrimPrefix(r.url, "http://")
	limit := make(chan struct{}, 200)
	var all sync.WaitGroup
	for i := range clients {
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			c, err := net.Dial("tcp", address)
			require.NoError(t, err)
			defer func() { _ = c.Close() }()
			_, _ = io.WriteString(c, request[:len(request)-i%2*10]) // every other body is cut short
			if i%3 == 0 {
				_, _ = bufio.NewReader(c).ReadString('\n')
			}
			time.Sleep(time.Duration(i%7) * time.Millisecond)
		})
	}
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 50))
	require.NoError(t, err)
	all.Wait()
	require.Eventually(t, func() bool { return r.live.Stats().InFlight == 0 }, 10*time.Second, 5*time.Millisecond)
}
