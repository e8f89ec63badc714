package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/tfsim/tfsim/tune"
)

// Options of a coordinator.
type Options struct {
	Access
	// Program names what must be equal in coordinator and workers.
	Program string
	// Say, if not nil, is told what a person should know, a line at a time.
	Say func(line string)
	// AckWait is how long a batch is left to a worker that says nothing, and
	// Patience how long nothing may come before all is made sure of; 0 is 5
	// seconds.
	AckWait, Patience time.Duration
}

// Coordinator is a runner whose units are played by workers.
type Coordinator struct {
	opts   Options
	bundle *tune.Bundle
	nc     *nats.Conn
	js     jetstream.JetStream
	run    string

	consuming jetstream.ConsumeContext
	arrived   chan jetstream.Msg
	again     chan struct{} // connected again
	failed    chan error
	closed    chan struct{}
	once      sync.Once

	batches int // numbers the next batch
	open    map[int]*pending
	pace    pace
}

// pending is a batch that is not done.
type pending struct {
	batch
	places []int  // of its units in what Run was given
	had    []bool // units that are done
	left   int
}

var _ tune.Runner = (*Coordinator)(nil)

// NewCoordinator connects, and offers the bundle to workers.
func NewCoordinator(o Options, b *tune.Bundle) (*Coordinator, error) {
	if o.AckWait == 0 {
		o.AckWait = 5 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = 5 * time.Second
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	c := &Coordinator{
		opts: o, bundle: b, run: nuid.Next(), arrived: make(chan jetstream.Msg), again: make(chan struct{}, 1),
		failed: make(chan error, 1), closed: make(chan struct{}),
	}
	var err error
	c.nc, err = o.dial("tfsim tune", o.Say,
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Say(o.Place() + ": the connection is lost; trying again")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			o.Say(o.Place() + ": connected again")
			select {
			case c.again <- struct{}{}:
			default:
			}
		}))
	if err != nil {
		return nil, err
	}
	if c.js, err = jetstream.New(c.nc); err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err = c.secure(ctx)
	}
	if err == nil {
		err = c.answer()
	}
	if err != nil {
		c.Close()
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) || errors.Is(err, nats.ErrNoResponders) {
			return nil, fmt.Errorf("%s: the server has no JetStream; nats-server -js has", o.Place())
		}
		return nil, fmt.Errorf("%s: %w", o.Place(), err)
	}
	return c, nil
}

// answer answers what workers ask.
func (c *Coordinator) answer() error {
	offered, err := json.Marshal(offer{c.run, c.opts.AckWait})
	if err != nil {
		return err
	}
	reply := func(data []byte) nats.MsgHandler {
		return func(m *nats.Msg) { _ = m.Respond(data) }
	}
	// In a group, each of several coordinators gets a part of the workers.
	_, err1 := c.nc.QueueSubscribe(findSubject(c.opts.Program), "coordinators", reply(offered))
	_, err2 := c.nc.Subscribe(subject(c.run, "alive"), reply(nil))
	_, err3 := c.nc.Subscribe(programSubject, func(m *nats.Msg) {
		if other := string(m.Data); other != c.opts.Program {
			c.opts.Say(fmt.Sprintf("a worker of another program is refused: it is %s, this is %s", other, c.opts.Program))
		}
		_ = m.Respond([]byte(c.opts.Program))
	})
	return errors.Join(err1, err2, err3, c.nc.FlushTimeout(5*time.Second))
}

// Fail ends Run with an error, such as that no worker is left.
func (c *Coordinator) Fail(err error) {
	select {
	case c.failed <- err:
	default:
	}
}

// Close ends the search for its workers and removes what the server has of it.
func (c *Coordinator) Close() { c.once.Do(c.close) }

func (c *Coordinator) close() {
	close(c.closed)
	if c.consuming != nil {
		c.consuming.Stop()
	}
	if c.js != nil && c.nc.IsConnected() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = c.js.DeleteObjectStore(ctx, store(c.run))
		_ = c.js.DeleteStream(ctx, store(c.run))
	}
	c.nc.Close()
}

// Run has units played.
func (c *Coordinator) Run(ctx context.Context, units []tune.Unit, done func(int, tune.Sample, error)) error {
	c.split(units)
	silence := time.NewTimer(c.opts.Patience)
	defer silence.Stop()
	if err := c.publish(ctx); err != nil {
		c.restore(ctx)
	}
	for len(c.open) > 0 {
		select {
		case <-ctx.Done():
			return nil
		case err := <-c.failed:
			return err
		case m := <-c.arrived:
			if err := c.count(m, done); err != nil {
				c.opts.Say(fmt.Sprintf("a result is passed over: %v", err))
			}
			// Only now: what the coordinator has not counted stays.
			_ = m.Ack()
		case <-c.again:
			c.restore(ctx)
		case <-silence.C:
			c.restore(ctx)
		}
		silence.Reset(c.opts.Patience)
	}
	return nil
}

// split makes open batches of units.
func (c *Coordinator) split(units []tune.Unit) {
	c.open = map[int]*pending{}
	at := 0
	for part := range slices.Chunk(units, c.pace.size(len(units))) {
		p := &pending{batch: batch{part}, had: make([]bool, len(part)), left: len(part)}
		for range part {
			p.places = append(p.places, at)
			at++
		}
		c.open[c.batches] = p
		c.batches++
	}
}

// count takes the first result of each unit.
func (c *Coordinator) count(m jetstream.Msg, done func(int, tune.Sample, error)) error {
	rest := strings.TrimPrefix(m.Subject(), subject(c.run, "done."))
	text, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(text)
	p := c.open[n]
	if err != nil || p == nil {
		return nil // of a batch that is done
	}
	var r results
	if err := json.Unmarshal(m.Data(), &r); err != nil {
		return err
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Unit < 0 || o.Unit >= len(p.had) || p.had[o.Unit] {
			continue
		}
		p.had[o.Unit] = true
		p.left--
		s, err := o.told()
		done(p.places[o.Unit], s, err)
	}
	if c.pace.saw(r.Took, len(r.Outcomes)); p.left == 0 {
		delete(c.open, n)
	}
	return nil
}
