package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// kept bounds how long a server keeps what a coordinator that died left.
const kept = 24 * time.Hour

// secure makes sure of all that the server has to have: it makes what is not
// there and leaves what is.
func (c *Coordinator) secure(ctx context.Context) error {
	stream, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: store(c.run), Description: "work and results of tfsim tune",
		Subjects:  []string{subject(c.run, "work.*"), subject(c.run, "done.*.*")},
		Retention: jetstream.WorkQueuePolicy, MaxAge: kept,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1,
	})
	if err != nil {
		return err
	}
	if err := c.offerBundle(ctx); err != nil {
		return err
	}
	if _, err := stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workers, FilterSubject: subject(c.run, "work.*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.opts.AckWait, MaxDeliver: -1, MaxAckPending: -1,
	}); err != nil {
		return err
	}
	consumer, err := stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: coordinator, FilterSubject: subject(c.run, "done.*.*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.opts.AckWait, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	// One that consumed from a consumer that was lost would hear nothing.
	if c.consuming != nil {
		c.consuming.Stop()
	}
	c.consuming, err = consumer.Consume(func(m jetstream.Msg) {
		select {
		case c.arrived <- m:
		case <-c.closed:
		}
	})
	return err
}

// errChanged ends a search: what workers play from now on would differ.
var errChanged = errors.New("the file has changed since the search began")

// offerBundle puts the question and its files where workers get them.
func (c *Coordinator) offerBundle(ctx context.Context) error {
	objects, err := c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: store(c.run), Description: "question and files of tfsim tune", TTL: kept,
	})
	if err != nil {
		return err
	}
	if _, err := objects.GetInfo(ctx, bundleObject); err == nil || !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	for _, f := range c.bundle.Files {
		r, err := c.bundle.Open(f)
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = objects.Put(ctx, jetstream.ObjectMeta{Name: f.SHA256}, io.TeeReader(r, sum))
		_ = r.Close()
		if err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
			return fmt.Errorf("%s: %w", f.Name, errChanged)
		}
	}
	// Last, so that what names the files does not come before them.
	data, err := json.Marshal(c.bundle)
	if err != nil {
		return err
	}
	_, err = objects.PutBytes(ctx, bundleObject, data)
	return err
}

// publish publishes the open batches, those that are there already in vain.
func (c *Coordinator) publish(ctx context.Context) error {
	var sent []jetstream.PubAckFuture
	for _, n := range slices.SortedFunc(maps.Keys(c.open), cmp.Compare[int]) {
		data, err := json.Marshal(c.open[n].batch)
		if err != nil {
			return err
		}
		f, err := c.js.PublishAsync(subject(c.run, "work."+strconv.Itoa(n)), data)
		if err != nil {
			return err
		}
		sent = append(sent, f)
	}
	for _, f := range sent {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			if !isThere(err) {
				return err
			}
		case <-ctx.Done():
			return nil
		case <-time.After(c.opts.Patience):
			return errors.New("the server does not answer")
		}
	}
	return nil
}

// restore makes sure of everything and publishes again. What fails is tried
// again when nothing has come for a while.
func (c *Coordinator) restore(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, c.opts.Patience)
	defer cancel()
	err := c.secure(bounded)
	if err == nil {
		err = c.publish(bounded)
	}
	switch {
	case errors.Is(err, errChanged):
		c.Fail(err)
	case err != nil && ctx.Err() == nil:
		c.opts.Say(fmt.Sprintf("%s: %v; trying again", c.opts.Place(), err))
	}
}
