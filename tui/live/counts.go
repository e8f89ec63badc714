package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

const (
	// pollPause is the time between two readings of the counts.
	pollPause = 2 * time.Second
	// patience is how long an answer may take, and how long counts hold while
	// none comes.
	patience = 5 * time.Second
	// longestAnswer is the most bytes of an answer.
	longestAnswer = 1 << 20
	// mostCount is the highest count that a float64 tells exactly.
	mostCount = 1 << 53
)

// errNone says that a server has no counts for us.
var errNone = errors.New("no counts")

// poll reads the counts again and again, and when a stream opens. What fails is tried again after a
// growing pause, and nothing is said of it: the stream tells of lost
// connections, and a server may have no counts.
func (f *Feed) poll(ctx context.Context) {
	defer f.client.CloseIdleConnections()
	pause, last := firstPause, time.Now()
	for ctx.Err() == nil {
		next := pollPause
		c, err := f.ask(ctx)
		switch {
		case err == nil:
			pause, last = firstPause, time.Now()
			f.tell(func(n *News) { n.Counts = c })
		case errors.Is(err, errNone) || time.Since(last) > patience:
			f.forget()
			fallthrough
		default:
			next, pause = pause, min(2*pause, longestPause)
		}
		select {
		case <-ctx.Done():
		case <-f.opened:
		case <-time.After(next):
		}
	}
}

// forget drops the counts.
func (f *Feed) forget() {
	f.mu.Lock()
	had := f.news.Counts != nil
	f.news.Counts = nil
	f.mu.Unlock()
	if had {
		ring(f.wake)
	}
}

// ask reads the counts once. As with the stream, a panic is an error.
func (f *Feed) ask(ctx context.Context) (_ *state.Counts, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: internal fault: %v", errNone, p)
		}
	}()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	req, err := f.request(ctx, f.counts, "text/plain;version=0.0.4")
	if err != nil {
		return nil, err
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: the server answers %s", errNone, resp.Status)
	}
	return readCounts(resp.Body)
}

// readCounts reads Prometheus' text format. Figures that are missing, have
// labels or are no counts are unknown; where all are, it is an error.
func readCounts(in io.Reader) (*state.Counts, error) {
	limited := &io.LimitedReader{R: in, N: longestAnswer + 1}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(limited)
	var bad expfmt.ParseError
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("%w: an answer of over %d bytes", errNone, longestAnswer)
	case errors.As(err, &bad):
		return nil, fmt.Errorf("%w: %w", errNone, err)
	case err != nil:
		return nil, err
	}
	known := false
	figure := func(name string, most float64) float64 {
		all := families[name].GetMetric()
		if len(all) != 1 || len(all[0].GetLabel()) > 0 {
			return -1
		}
		var x float64
		switch m := all[0]; {
		case m.Counter != nil:
			x = m.Counter.GetValue()
		case m.Gauge != nil:
			x = m.Gauge.GetValue()
		case m.Untyped != nil:
			x = m.Untyped.GetValue()
		default:
			return -1
		}
		if !(x >= 0 && x <= most) { // or it is not a number
			return -1
		}
		known = true
		return x
	}
	count := func(name string) int64 { return int64(figure(name, mostCount)) }
	c := &state.Counts{
		Lanes:    int64(figure("tfsim:lanes", state.MostSlots)),
		Promised: core.PPM(math.Round(figure("tfsim:prompt_share", 1) * float64(core.Whole))),
		Running:  count("tfsim:requests_running"), Waiting: count("tfsim:requests_waiting"),
		Tokens: count("tfsim:generation_tokens_total"), Rounds: count("tfsim:decode_rounds_total"),
		Drafted: count("tfsim:drafted_total"), Accepted: count("tfsim:accepted_total"),
		Missed: count("tfsim:events_missed_total"),
	}
	if !known {
		return nil, errNone
	}
	return c, nil
}
