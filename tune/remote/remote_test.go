package remote

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/tune"
)

// cluster is a server that can be restarted, with or without what it kept.
type cluster struct {
	t      *testing.T
	opts   server.Options
	server *server.Server
}

func newCluster(t *testing.T) *cluster {
	c := &cluster{t: t, opts: server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true}}
	c.start()
	c.opts.Port = c.server.Addr().(*net.TCPAddr).Port
	t.Cleanup(c.stop)
	return c
}

func (c *cluster) start() {
	opts := c.opts
	s, err := server.NewServer(&opts)
	require.NoError(c.t, err)
	s.Start()
	require.True(c.t, s.ReadyForConnections(10*time.Second))
	c.server = s
}

func (c *cluster) stop() {
	c.server.Shutdown()
	c.server.WaitForShutdown()
}

func (c *cluster) access() Access { return Access{URL: c.server.ClientURL()} }

// asked is a question over a small scenario, and its field.
func asked(t *testing.T) (*tune.Bundle, *tune.Field) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte(`
machine: m5-ultra-512gb
cases: [{name: two, requests: [{id: long, at: 0s, prompt: 9000, output: 8}, {id: reply, at: 1s, prompt: 64, output: 24}]}]
arms: [{name: base}]
`), 0o644))
	q := &tune.Question{Scenarios: []string{path}, Objectives: []string{"min done_s(reply)"}, SubjectTo: []string{"done_s(long) <= 1.2 * base"}}
	f, err := q.Open()
	require.NoError(t, err)
	b, err := tune.NewBundle(q, f)
	require.NoError(t, err)
	return b, f
}

// lines collects what is said.
type lines struct {
	sync.Mutex
	all []string
}

func (l *lines) say(line string) {
	l.Lock()
	defer l.Unlock()
	l.all = append(l.all, line)
}

func (l *lines) String() string {
	l.Lock()
	defer l.Unlock()
	return strings.Join(l.all, "\n")
}

func coordinated(t *testing.T, a Access, b *tune.Bundle, l *lines) *Coordinator {
	c, err := NewCoordinator(Options{Access: a, Program: "p", Say: l.say, AckWait: 600 * time.Millisecond, Patience: time.Second}, b)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// joined starts a worker, which leaves when it is told to or the test ends.
func joined(t *testing.T, a Access) (leave func()) {
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error, 1)
	go func() { gone <- Work(ctx, WorkerOptions{Access: a, Program: "p", Jobs: 2}) }()
	var once sync.Once
	leave = func() {
		once.Do(func() {
			cancel()
			require.NoError(t, <-gone)
		})
	}
	t.Cleanup(leave)
	return leave
}

// answered is a search's answer, as bytes.
func answered(t *testing.T, f *tune.Field, r tune.Runner, progress func(done, total int)) string {
	found, err := tune.Search(context.Background(), f, f.Space(), tune.Options{Budget: 3000, Runner: r, Progress: progress})
	require.NoError(t, err)
	data, err := json.Marshal(tune.NewAnswer(f, found))
	require.NoError(t, err)
	return string(data)
}

// Workers give what this process gives, to the byte, whoever comes and goes,
// whatever becomes of the server.
func TestWorkersComeAndGo(t *testing.T) {
	b, f := asked(t)
	want := answered(t, f, nil, nil)
	c := newCluster(t)
	var said lines
	r := coordinated(t, c.access(), b, &said)
	leave := joined(t, c.access())
	joined(t, c.access())
	got := answered(t, f, r, func(done, _ int) {
		switch done {
		case 300:
			leave()
		case 600:
			c.stop()
			c.start()
		case 1000:
			joined(t, c.access())
		case 1500:
			c.stop()
			require.NoError(t, os.RemoveAll(c.opts.StoreDir))
			c.start()
		}
	})
	require.Equal(t, want, got)
	require.Contains(t, said.String(), "the connection is lost; trying again")
	require.Contains(t, said.String(), "connected again")

	// Another search of the same workers.
	r2 := coordinated(t, c.access(), b, &said)
	r.Close()
	require.Equal(t, want, answered(t, f, r2, nil))
	r2.Close()
	nc, err := c.access().dial("test", func(string) {})
	require.NoError(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	for name := range js.StreamNames(context.Background()).Name() {
		t.Errorf("%s is left", name)
	}
}

// A batch whose worker died is given to another; results that come twice count
// once.
func TestWorkIsRedone(t *testing.T) {
	b, f := asked(t)
	c := newCluster(t)
	var said lines
	r := coordinated(t, c.access(), b, &said)
	nc, err := c.access().dial("one that dies", func(string) {})
	require.NoError(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	ctx := context.Background()
	consumer, err := js.Consumer(ctx, store(r.run), workers)
	require.NoError(t, err)
	units := make([]tune.Unit, 100)
	for i := range units {
		units[i] = tune.Unit{Point: f.Space().Default(), Seed: i}
	}
	go func() {
		// It takes work and is never heard of again, but for one result, of
		// which it sends a second edition.
		got, err := consumer.Fetch(3, jetstream.FetchMaxWait(10*time.Second))
		if err != nil {
			return
		}
		for m := range got.Messages() {
			var w batch
			_ = json.Unmarshal(m.Data(), &w)
			s, _ := f.Play(ctx, w.Units[0].Point, w.Units[0].Seed)
			name := strings.TrimPrefix(m.Subject(), subject(r.run, "work."))
			for _, from := range []string{"0", "0", "7"} {
				data, _ := json.Marshal(results{Outcomes: []outcome{newOutcome(0, s, nil), {Unit: 99}, {Unit: -1}}})
				_, _ = js.Publish(ctx, subject(r.run, "done."+name+"."+from), data)
			}
			_, _ = js.Publish(ctx, subject(r.run, "done."+name+".8"), []byte("{"))
		}
		_, _ = js.Publish(ctx, subject(r.run, "done.9999.0"), []byte("{}"))
		joined(t, c.access())
	}()
	told := make([]int, len(units))
	require.NoError(t, r.Run(ctx, units, func(i int, s tune.Sample, err error) {
		require.NoError(t, err)
		want, err := f.Play(ctx, units[i].Point, units[i].Seed)
		require.NoError(t, err)
		require.Equal(t, want, s)
		told[i]++
	}))
	for i, n := range told {
		require.Equal(t, 1, n, i)
	}
	require.Contains(t, said.String(), "a result is passed over: unexpected end of JSON input")
}

// Work that ends every worker ends the search, not all workers for ever.
func TestPoison(t *testing.T) {
	b, f := asked(t)
	c := newCluster(t)
	r := coordinated(t, c.access(), b, &lines{})
	nc, err := c.access().dial("test", func(string) {})
	require.NoError(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	consumer, err := js.Consumer(context.Background(), store(r.run), workers)
	require.NoError(t, err)
	go func() {
		for range mostDeliveries {
			got, err := consumer.Fetch(1, jetstream.FetchMaxWait(10*time.Second))
			if err != nil {
				return
			}
			for m := range got.Messages() {
				_ = m.Nak()
			}
		}
		joined(t, c.access())
	}()
	err = r.Run(context.Background(), []tune.Unit{{Point: f.Space().Default()}}, func(_ int, _ tune.Sample, err error) {
		require.EqualError(t, err, "10 workers took it and gave nothing back; it may end them")
	})
	require.NoError(t, err)
}

// Only the same program's workers take part.
func TestOtherProgramRefused(t *testing.T) {
	b, f := asked(t)
	c := newCluster(t)
	var said lines
	r := coordinated(t, c.access(), b, &said)
	err := Work(context.Background(), WorkerOptions{Access: c.access(), Program: "other"})
	require.EqualError(t, err, c.access().Place()+": the search there is of another program, p; this is other, and its results might differ")
	require.Contains(t, said.String(), "a worker of another program is refused: it is other, this is p")
	r.Fail(errors.New("no worker is left"))
	err = r.Run(context.Background(), []tune.Unit{{Point: f.Space().Default()}}, nil)
	require.EqualError(t, err, "no worker is left")
}

// A worker without a search leaves when it is told to, and one without a
// server, too.
func TestIdle(t *testing.T) {
	c := newCluster(t)
	require.NoError(t, Work(context.Background(), WorkerOptions{Access: c.access(), Program: "p", Idle: 10 * time.Millisecond}))
	var said lines
	require.NoError(t, Work(context.Background(), WorkerOptions{Access: Access{URL: "nats://127.0.0.1:1"}, Program: "p", Idle: 10 * time.Millisecond, Say: said.say}))
	require.Contains(t, said.String(), "nats://127.0.0.1:1: nats: no servers available for connection; trying again")
}

func TestAccess(t *testing.T) {
	b, _ := asked(t)
	s, err := StartServer("127.0.0.1:0", "secret")
	require.NoError(t, err)
	defer s.Close()
	for listen, want := range map[string]bool{
		strings.TrimPrefix(s.URL, "nats://"): true, "localhost:4222": true, "[::1]:4222": true, "0.0.0.0:4222": false, ":4222": false,
	} {
		got, err := Loopback(listen)
		require.NoError(t, err)
		require.Equal(t, want, got, listen)
	}
	for _, a := range []Access{{URL: s.URL}, {URL: s.URL, Token: "guess"}, {URL: strings.Replace(s.URL, "//", "//guess@", 1)}} {
		want := s.URL + ": the server refuses this token, user or credentials; they are read from the URL, NATS_TOKEN and NATS_CREDS"
		_, err := NewCoordinator(Options{Access: a, Program: "p"}, b)
		require.EqualError(t, err, want)
		require.EqualError(t, Work(context.Background(), WorkerOptions{Access: a, Program: "p"}), want)
	}
	c, err := NewCoordinator(Options{Access: Access{URL: strings.Replace(s.URL, "//", "//secret@", 1)}, Program: "p"}, b)
	require.NoError(t, err)
	c.Close()
	require.Equal(t, "nats://a:1,tls://b:2", Access{URL: "nats://me:secret@a:1, tls://secret@b:2"}.Place())
	require.Equal(t, "the NATS server", Access{URL: "nats://%zz"}.Place())

	for listen, want := range map[string]string{
		"nowhere":                            `"nowhere": want HOST:PORT, such as 127.0.0.1:4222`,
		"127.0.0.1:70000":                    `"127.0.0.1:70000": want HOST:PORT, such as 127.0.0.1:4222`,
		strings.TrimPrefix(s.URL, "nats://"): "listen tcp " + strings.TrimPrefix(s.URL, "nats://") + ": ",
	} {
		_, err := StartServer(listen, "secret")
		require.ErrorContains(t, err, want)
	}
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	require.NoError(t, err)
	plain.Start()
	require.True(t, plain.ReadyForConnections(10*time.Second))
	defer plain.Shutdown()
	_, err = NewCoordinator(Options{Access: Access{URL: plain.ClientURL()}, Program: "p"}, b)
	require.EqualError(t, err, plain.ClientURL()+": the server has no JetStream; nats-server -js has")
	_, err = NewCoordinator(Options{Access: Access{URL: "nats://127.0.0.1:1"}, Program: "p"}, b)
	require.EqualError(t, err, "nats://127.0.0.1:1: nats: no servers available for connection")
}
