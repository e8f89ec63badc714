package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// natsServer starts a server that keeps what it has in folder.
func natsServer(t *testing.T, folder string, port int) *server.Server {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: folder, Authorization: "secret", NoLog: true, NoSigs: true,
	})
	require.NoError(t, err)
	s.Start()
	require.True(t, s.ReadyForConnections(10*time.Second))
	return s
}

// Worker processes give what this process gives, to the byte.
func TestTuneWorkers(t *testing.T) {
	want, _, code := run(searched...)
	require.Equal(t, 0, code)
	got, stderr, code := run(append(searched[:len(searched):len(searched)], "--workers", "3")...)
	require.Equal(t, 0, code, stderr)
	require.Empty(t, stderr)
	require.Equal(t, want, got)

	front := []string{"tune", besideShort, "--pareto", "min done_s(reply)", "--pareto", "min ttft_s(long)", "--only", "decode-share", "--budget", "600"}
	want, _, code = run(front...)
	require.Equal(t, 0, code)
	got, stderr, code = run(append(front, "--workers", "2", "--listen", "127.0.0.1:0")...)
	require.Equal(t, 0, code, stderr)
	require.Equal(t, want, got)
	require.Regexp(t, `^tfsim: workers join with: tfsim worker --nats nats://127.0.0.1:\d+\n$`, stderr)
}

// Workers are killed and join, the server is restarted, the search itself is
// killed and resumed: the answer has the same bytes.
func TestTuneOutlivesAll(t *testing.T) {
	want, _, code := run(searched...)
	require.Equal(t, 0, code)
	t.Setenv("NATS_TOKEN", "secret")
	folder, journal := t.TempDir(), filepath.Join(t.TempDir(), "tune.journal")
	s := natsServer(t, folder, server.RANDOM_PORT)
	defer func() { s.Shutdown() }()
	port := s.Addr().(*net.TCPAddr).Port
	url := s.ClientURL()

	args := append(searched[:len(searched):len(searched)], "--nats", url, "--resume", journal)
	reached := func(n int) {
		require.Eventually(t, func() bool { return linesOf(journal) >= n }, time.Minute, time.Millisecond, "%d units", n)
	}
	first, _, _ := process(t, "worker", "--nats", url)
	require.NoError(t, first.Start())
	second, _, secondErr := process(t, "worker", "--nats", url)
	require.NoError(t, second.Start())
	killed, _, _ := process(t, args...)
	require.NoError(t, killed.Start())
	reached(300)
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())

	tune, stdout, stderr := process(t, args...)
	require.NoError(t, tune.Start())
	reached(600)
	require.NoError(t, first.Process.Kill())
	require.Error(t, first.Wait())
	reached(900)
	s.Shutdown()
	s.WaitForShutdown()
	s = natsServer(t, folder, port)
	third, _, _ := process(t, "worker", "--nats", url, "--jobs", "1")
	require.NoError(t, third.Start())
	require.NoError(t, tune.Wait(), stderr.String())
	require.Equal(t, want, stdout.String())
	require.Contains(t, stderr.String(), "connected again")

	// Who leaves when asked to does so in good order.
	require.NoError(t, second.Process.Signal(os.Interrupt))
	require.NoError(t, second.Wait(), secondErr.String())
	require.Contains(t, secondErr.String(), "tfsim worker: joined a search at "+url)
	require.NoError(t, third.Process.Kill())
	_ = third.Wait()
}

// A search whose own workers are all killed ends and says so.
func TestNoWorkerIsLeft(t *testing.T) {
	t.Setenv(broken, "1")
	stdout, stderr, code := run(append(searched[:len(searched):len(searched)], "--workers", "2")...)
	require.Equal(t, 2, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "tfsim: a worker ended: exit status 2: broken")
	require.True(t, strings.HasSuffix(stderr, "tfsim: no worker is left\n"), stderr)
}

func TestWorkerErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"worker"}, "no --nats; try: tfsim worker --nats nats://"},
		{[]string{"worker", "--nats", "nats://127.0.0.1:1", "--jobs", "-1"}, "--jobs -1: want 0 to 1024"},
		{[]string{"worker", "--nats", "nats://127.0.0.1:1", "--idle", "-1s"}, "--idle -1s: want 0s or more"},
		{[]string{"worker", "--nats", "nats://127.0.0.1:1", "--idle", "x"}, `--idle "x": want a duration such as 500ms, 10s or 1m30s`},
		{append(searched[:len(searched):len(searched)], "--workers", "-1"), "--workers -1: want 0 to 1024"},
		{append(searched[:len(searched):len(searched)], "--nats", "nats://127.0.0.1:1"), "nats://127.0.0.1:1: nats: no servers available for connection"},
		{append(searched[:len(searched):len(searched)], "--nats", "nats://me:secret@127.0.0.1:1", "--listen", ":0"), "--nats names a server and --listen starts one; want one of them"},
		{append(searched[:len(searched):len(searched)], "--listen", "0.0.0.0:0"), "--listen 0.0.0.0:0: other machines can reach it; set NATS_TOKEN to a secret, here and for the workers"},
		{append(searched[:len(searched):len(searched)], "--nats", ""), "--nats is blank; want the URL of a NATS server"},
		{append(searched[:len(searched):len(searched)], "--listen", ""), "--listen is blank; want HOST:PORT"},
		{append(searched[:len(searched):len(searched)], "--listen", "127.0.0.1"), `--listen "127.0.0.1": want HOST:PORT, such as 127.0.0.1:4222`},
	} {
		stdout, stderr, code := run(c.args...)
		assert.Equal(t, 2, code, c.want)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, c.want)
		assert.NotContains(t, stderr, "secret@")
		assert.Regexp(t, `^tfsim: [^\n]+\n$`, stderr)
	}
}
