package remote

import (
	"context"
	"errors"

	"github.com/tfsim/tfsim/device"
)

// kinds are the errors that keep their identity; their places are the
// protocol's.
var kinds = [...]error{
	device.ErrSlot, device.ErrPhase, device.ErrRows, device.ErrPosition, device.ErrFull, device.ErrToken,
	device.ErrSampling, device.ErrState, device.ErrClosed, device.ErrLost, device.ErrFailed, context.Canceled,
	device.ErrText,
}

// carried is an error that came over the stream.
type carried struct {
	kind error
	text string
}

func (e *carried) Error() string { return e.text }
func (e *carried) Unwrap() error { return e.kind }

func putError(b []byte, err error) []byte {
	at := -1
	for i, k := range kinds {
		if errors.Is(err, k) {
			at = i
			break
		}
	}
	b = putInt(b, at)
	return putBytes(b, []byte(err.Error()))
}

func (r *body) error() error {
	at, text := r.int(), string(r.bytes())
	switch {
	case r.bad:
		return errBody
	case at < 0 || at >= len(kinds):
		return errors.New(text)
	case text == kinds[at].Error():
		return kinds[at]
	}
	return &carried{kinds[at], text}
}

func isCancel(err error) bool { return errors.Is(err, context.Canceled) }
