package remote

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Access is how to reach a NATS server.
type Access struct {
	// URL is one or several with commas: nats://host:4222, tls://host:4222. A
	// user, password or token may be part of it.
	URL string
	// Token and Creds, a file of credentials, are used if they are not "".
	Token, Creds string
}

// Place is the URL without what is secret in it.
func (a Access) Place() string {
	var all []string
	for text := range strings.SplitSeq(a.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil {
			return "the NATS server"
		}
		u.User = nil
		all = append(all, u.String())
	}
	return strings.Join(all, ",")
}

// dial connects, once; from then on it connects again whenever it has to. say
// is told of errors that no call returns.
func (a Access) dial(name string, say func(string), more ...nats.Option) (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, time.Second),
		nats.Timeout(5 * time.Second),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { say(a.Place() + ": " + err.Error()) }),
	}
	if a.Token != "" {
		opts = append(opts, nats.Token(a.Token))
	}
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	nc, err := nats.Connect(a.URL, append(opts, more...)...)
	switch {
	case refused(err):
		return nil, fmt.Errorf("%s: the server refuses this token, user or credentials; they are read from the URL, NATS_TOKEN and NATS_CREDS", a.Place())
	case err != nil:
		return nil, fmt.Errorf("%s: %w", a.Place(), err)
	}
	return nc, nil
}

// refused says that trying again is of no use.
func refused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked)
}
