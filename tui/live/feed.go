package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/tui/state"
)

const (
	// most events are held for who takes them; then the server has to wait.
	most = 1 << 16
	// gather is how long events are gathered before they are handed out.
	gather = 33 * time.Millisecond
	// The pauses before a connection is tried again.
	firstPause, longestPause = 250 * time.Millisecond, 5 * time.Second
)

// Feed follows a server.
type Feed struct {
	url    string
	counts string // the URL of the server's counts
	board  string // and that of its settings
	key    string
	client *http.Client
	server string        // what its numbers begin with, "" where that is unknown
	opened chan struct{} // a stream is: its counts are due

	mu    sync.Mutex
	room  *sync.Cond
	held  []result.Line
	spare []result.Line
	news  News
	wake  chan struct{}
}

// News is what came since the last call.
type News struct {
	// Lines are events in order, valid until the next call.
	Lines []result.Line
	// Connected says that the stream is open, Connects how often it was
	// opened; Trouble is why it is not.
	Connected bool
	Connects  int
	Trouble   string
	// Restarts counts the servers that were seen to follow another: Lines are
	// the last one's alone.
	Restarts int
	// Unread counts lines that were no event, since the start.
	Unread int
	// Counts are the server's latest, nil where it has none to give and once
	// the stream has ended.
	Counts *state.Counts
}

// Open starts to follow the server at a URL; without a path it is /events. The
// server's counts are read from /metrics beside it. It ends with the context.
func Open(ctx context.Context, address string) (*Feed, error) { return OpenAs(ctx, address, "") }

// OpenAs is Open for a server that wants an API key, "" for none.
func OpenAs(ctx context.Context, address, key string) (*Feed, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("bad URL %q: %w", address, errors.Unwrap(err))
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("bad URL %q: want http://HOST:PORT", address)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/events"
	}
	f := &Feed{
		url:    u.String(),
		counts: beside(*u, "metrics"),
		board:  beside(*u, "settings"),
		key:    key,
		client: &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: 10 * time.Second}},
		opened: make(chan struct{}, 1),
		wake:   make(chan struct{}, 1),
	}
	f.room = sync.NewCond(&f.mu)
	f.news.Trouble = "connecting"
	go f.follow(ctx)
	go f.poll(ctx)
	context.AfterFunc(ctx, f.room.Broadcast)
	return f, nil
}

// URL is the address that is followed.
func (f *Feed) URL() string { return f.url }

// Take waits for news; ok is false once the context is over. It is for one
// caller at a time.
func (f *Feed) Take(ctx context.Context) (news News, ok bool) {
	select {
	case <-ctx.Done():
		return News{}, false
	case <-f.wake:
	}
	select {
	case <-ctx.Done():
		return News{}, false
	case <-time.After(gather):
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	news = f.news
	news.Lines = f.held
	f.held, f.spare = f.spare[:0], f.held
	f.room.Broadcast()
	return news, true
}

// follow connects again and again.
func (f *Feed) follow(ctx context.Context) {
	pause, last := firstPause, ""
	for ctx.Err() == nil {
		id, opened, err := f.once(ctx, last)
		if id != "" {
			last = id
		}
		if opened {
			pause = firstPause
		}
		f.tell(func(n *News) { n.Connected, n.Trouble, n.Counts = false, trouble(err), nil })
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
}

// once follows one connection to its end. A panic ends it like an error does:
// the terminal is not this goroutine's to restore.
func (f *Feed) once(ctx context.Context, last string) (id string, opened bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal fault: %v", p)
		}
	}()
	req, err := f.request(ctx, f.url, "text/event-stream, application/x-ndjson")
	if err != nil {
		return "", false, err
	}
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode == http.StatusUnauthorized && f.key == "":
		return "", false, errors.New("the server wants an API key")
	case resp.StatusCode != http.StatusOK:
		return "", false, fmt.Errorf("the server answers %s", resp.Status)
	}
	f.tell(func(n *News) { n.Connected, n.Trouble, n.Connects = true, "", n.Connects+1 })
	ring(f.opened)
	in := newLines(resp.Body, f.numbered)
	err = in.read(func(line *result.Line) { f.add(ctx, line) }, func() { f.tell(func(n *News) { n.Unread++ }) })
	return in.id, true, err
}

// request is one to the server.
func (f *Feed) request(ctx context.Context, address, accept string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept)
	if f.key != "" {
		req.Header.Set("Authorization", "Bearer "+f.key)
	}
	return req, nil
}

// numbered looks at the number of an event: what stands before a dash tells one
// start of a server from the next.
func (f *Feed) numbered(id string) {
	server, _, ok := strings.Cut(id, "-")
	if !ok || server == f.server {
		return
	}
	known := f.server != ""
	f.server = server
	if known {
		f.tell(func(n *News) {
			n.Restarts++
			f.held = f.held[:0]
		})
	}
}

// add holds an event, and waits while too many are held.
func (f *Feed) add(ctx context.Context, line *result.Line) {
	f.mu.Lock()
	for len(f.held) >= most && ctx.Err() == nil {
		f.room.Wait()
	}
	f.held = append(f.held, *line)
	f.mu.Unlock()
	ring(f.wake)
}

func (f *Feed) tell(change func(*News)) {
	f.mu.Lock()
	change(&f.news)
	f.mu.Unlock()
	ring(f.wake)
}

// ring wakes who waits, or who will.
func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// trouble is why a connection ended, in words.
func trouble(err error) string {
	var u *url.Error
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return "the server closed the stream"
	case errors.As(err, &u):
		return u.Err.Error()
	}
	return err.Error()
}
