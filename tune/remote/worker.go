package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/tfsim/tfsim/tune"
)

// WorkerOptions are those of a worker.
type WorkerOptions struct {
	Access
	// Program names what must be equal in coordinator and workers.
	Program string
	// Jobs is the number of batches at a time; 0 is one for each core.
	Jobs int
	// Idle, if over 0, is how long the worker stays without a coordinator.
	Idle time.Duration
	// Say, if not nil, is told what a person should know, a line at a time.
	Say func(line string)
}

const (
	// waitForWork is how long a worker waits for a batch before it asks
	// whether the search goes on, pause how long it waits where asking failed.
	waitForWork = 2 * time.Second
	pause       = 250 * time.Millisecond
	// mostDeliveries bounds how often a batch is tried: one that ends every
	// worker would go round for ever.
	mostDeliveries = 10
	// mostResult bounds a message of results; servers take a megabyte.
	mostResult = 256 << 10
)

// worker is one at work.
type worker struct {
	opts WorkerOptions
	nc   *nats.Conn
	js   jetstream.JetStream
	// met is when a coordinator was there last.
	met time.Time
	// folder has the files of searches.
	folder string
	// run is the search whose field is open.
	run   string
	field *tune.Field
}

// Work plays what coordinators of the same program have, one after another,
// until the context ends. The error says why the worker leaves otherwise.
func Work(ctx context.Context, o WorkerOptions) error {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	folder, err := os.MkdirTemp("", "tfsim-worker-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	w := &worker{opts: o, met: time.Now(), folder: folder}
	if err := w.join(ctx); err != nil || w.nc == nil {
		return err
	}
	defer w.nc.Close()
	for ctx.Err() == nil {
		found, err := w.find(ctx)
		if err != nil || found == nil {
			return err
		}
		if err := w.serve(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

// idle says that the worker has waited long enough.
func (w *worker) idle() bool { return w.opts.Idle > 0 && time.Since(w.met) > w.opts.Idle }

// join connects, however long that takes.
func (w *worker) join(ctx context.Context) error {
	for said := false; ctx.Err() == nil && !w.idle(); {
		var err error
		if w.nc, err = w.opts.dial("tfsim worker", w.opts.Say); err == nil {
			w.js, err = jetstream.New(w.nc)
			return err
		}
		if !errors.Is(err, nats.ErrNoServers) && !errors.Is(err, nats.ErrTimeout) {
			return err // it would not pass
		}
		if !said {
			w.opts.Say(fmt.Sprintf("%v; trying again", err))
			said = true
		}
		sleep(ctx, time.Second)
	}
	return nil
}

// find waits for a coordinator; nil if there was none for too long.
func (w *worker) find(ctx context.Context) (*offer, error) {
	for ctx.Err() == nil && !w.idle() {
		if w.nc.IsClosed() {
			return nil, fmt.Errorf("%s: the server ended the connection: %w", w.opts.Place(), w.nc.LastError())
		}
		m, err := w.ask(ctx, findSubject(w.opts.Program), nil)
		if err == nil {
			var o offer
			if err := json.Unmarshal(m.Data, &o); err != nil {
				return nil, err
			}
			w.met = time.Now()
			return &o, nil
		}
		if errors.Is(err, nats.ErrNoResponders) {
			if m, err := w.ask(ctx, programSubject, []byte(w.opts.Program)); err == nil && string(m.Data) != w.opts.Program {
				return nil, fmt.Errorf("%s: the search there is of another program, %s; this is %s, and its results might differ",
					w.opts.Place(), m.Data, w.opts.Program)
			}
		}
		sleep(ctx, pause)
	}
	return nil, nil
}

func (w *worker) ask(ctx context.Context, subject string, data []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return w.nc.RequestWithContext(ctx, subject, data)
}

// serve works for a search as long as it goes on.
func (w *worker) serve(ctx context.Context, o *offer) error {
	if w.run != o.Run {
		field, err := w.open(ctx, o.Run)
		if errors.Is(err, errGone) || ctx.Err() != nil {
			sleep(ctx, pause)
			return nil
		}
		if err != nil {
			return err
		}
		w.run, w.field = o.Run, field
		w.opts.Say("joined a search at " + w.opts.Place())
	}
	consumer, err := w.js.Consumer(ctx, store(o.Run), workers)
	if err != nil {
		sleep(ctx, pause)
		return nil
	}
	var wait sync.WaitGroup
	for range w.opts.Jobs {
		wait.Go(func() {
			for ctx.Err() == nil && w.take(ctx, o, consumer) {
			}
		})
	}
	wait.Wait()
	w.met = time.Now()
	return nil
}

// take plays one batch. It gives false if the search is over or out of reach.
func (w *worker) take(ctx context.Context, o *offer, consumer jetstream.Consumer) bool {
	waiting, stop := context.WithTimeout(ctx, waitForWork)
	defer stop()
	got, err := consumer.Fetch(1, jetstream.FetchContext(waiting))
	if err == nil {
		for m := range got.Messages() {
			w.play(ctx, o, m)
			return true
		}
		err = got.Error()
	}
	if _, alive := w.ask(ctx, subject(o.Run, "alive"), nil); alive != nil {
		return false
	}
	return err == nil || errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded)
}

// play plays a batch, publishes what it gave and acknowledges it. A batch
// that is not whole is given back.
func (w *worker) play(ctx context.Context, o *offer, m jetstream.Msg) {
	atWork, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for {
			if sleep(atWork, o.AckWait/3); atWork.Err() != nil {
				return
			}
			_ = m.InProgress()
		}
	}()
	var b batch
	if err := json.Unmarshal(m.Data(), &b); err != nil {
		w.opts.Say(fmt.Sprintf("work is passed over: %v", err))
		_ = m.Term()
		return
	}
	var poison error
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered > mostDeliveries {
		poison = fmt.Errorf("%d workers took it and gave nothing back; it may end them", mostDeliveries)
	}
	name := m.Subject()[len(subject(o.Run, "work.")):]
	var r results
	size := 0
	began := time.Now()
	for i, u := range b.Units {
		s, err := tune.Sample{}, poison
		if err == nil {
			s, err = w.field.Play(ctx, u.Point, u.Seed)
		}
		if ctx.Err() != nil {
			_ = m.Nak()
			return
		}
		one := newOutcome(i, s, err)
		data, _ := json.Marshal(one)
		if size += len(data); size > mostResult && len(r.Outcomes) > 0 {
			if !w.publish(ctx, o, name, &r, began) {
				return
			}
			size, began = len(data), time.Now()
		}
		r.Outcomes = append(r.Outcomes, one)
	}
	if w.publish(ctx, o, name, &r, began) {
		_ = m.Ack()
	}
}

// publish sends results and empties them. Those that cannot be sent are lost:
// the work is delivered again.
func (w *worker) publish(ctx context.Context, o *offer, name string, r *results, began time.Time) bool {
	r.Took = time.Since(began)
	from := r.Outcomes[0].Unit
	data, err := json.Marshal(r)
	if err == nil {
		to := subject(o.Run, "done."+name+"."+strconv.Itoa(from))
		_, err = w.js.Publish(ctx, to, data, jetstream.WithRetryAttempts(8), jetstream.WithRetryWait(pause))
	}
	*r = results{}
	return err == nil || isThere(err)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
