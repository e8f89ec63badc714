package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
)

// Options say what to serve.
type Options struct {
	Live      *engine.Live
	Tokenizer device.Tokenizer
	// Model is the name that clients ask for.
	Model string
	// Keys are accepted as Bearer tokens or as x-api-key; with none everybody
	// is served. MetricsOpen leaves /metrics open all the same.
	Keys        []string
	MetricsOpen bool
	// Readings are shown at /metrics beside the engine's.
	Readings []Reading
	// Settings, if not nil, are shown at /settings.
	Settings *Settings
	// BodyLimit is the most bytes of a body, 16 MiB if 0.
	BodyLimit int64
	// Patience is how long a body or a single write to a client may take, half
	// a minute if 0; Grace how long replies may go on once the server is told
	// to end, half a minute if 0.
	Patience, Grace time.Duration
}

// Server is an http.Handler.
type Server struct {
	options   Options
	live      *engine.Live
	tokenizer device.Tokenizer
	template  *template
	keys      [][sha256.Size]byte
	metrics   *metrics
	settings  *switchboard // nil for none
	started   time.Time
	handler   http.Handler
}

// New makes a server of a running engine.
func New(o Options) (*Server, error) {
	if o.Live == nil || o.Tokenizer == nil || o.Model == "" {
		return nil, errors.New("server: an engine, a tokenizer and a model's name are needed")
	}
	if o.BodyLimit == 0 {
		o.BodyLimit = 16 << 20
	}
	if o.Patience == 0 {
		o.Patience = 30 * time.Second
	}
	if o.Grace == 0 {
		o.Grace = 30 * time.Second
	}
	s := &Server{
		options: o, live: o.Live, tokenizer: o.Tokenizer, started: time.Now(),
		template: templateOf(o.Live.Info().ChatTemplate), metrics: newMetrics(o.Live, o.Readings),
	}
	for _, k := range o.Keys {
		if k = strings.TrimSpace(k); k == "" {
			return nil, errors.New("server: an API key is blank")
		}
		s.keys = append(s.keys, sha256.Sum256([]byte(k)))
	}
	if o.Settings != nil {
		s.settings = &switchboard{live: o.Live, options: *o.Settings, values: o.Settings.Values}
	}
	s.handler = s.routes()
	return s, nil
}

// Template is the family of chat templates that is used.
func (s *Server) Template() string { return s.template.name }

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// route is a path with a method it takes.
type route struct {
	method, path string
	serve        http.HandlerFunc
	open         bool // without a key
}

func (s *Server) routes() http.Handler {
	all := []route{
		{"POST", "/v1/chat/completions", s.chat, false},
		{"POST", "/v1/completions", s.completion, false},
		{"GET", "/v1/models", s.models, false},
		{"GET", "/v1/models/{model...}", s.model, false},
		{"POST", "/tokenize", s.tokenize, false},
		{"POST", "/detokenize", s.detokenize, false},
		{"POST", "/v1/tokenize", s.tokenize, false},
		{"POST", "/v1/detokenize", s.detokenize, false},
		{"GET", "/events", s.events, false},
		{"GET", "/metrics", s.metrics.handler.ServeHTTP, s.options.MetricsOpen},
		{"GET", "/v1/metrics", s.metrics.handler.ServeHTTP, s.options.MetricsOpen},
		{"GET", "/health", s.health, true},
	}
	if s.settings != nil {
		all = append(all, route{"GET", "/settings", s.settings.list, false}, route{"POST", "/settings", s.change, false})
	}
	paths := map[string][]route{}
	for _, r := range all {
		paths[r.path] = append(paths[r.path], r)
	}
	mux := http.NewServeMux()
	for path, routes := range paths {
		mux.HandleFunc(path, func(w http.ResponseWriter, q *http.Request) { s.serve(w, q, routes) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		fail(http.StatusNotFound, invalid, "", "no such path: %s", brief([]byte(q.URL.Path))).write(w)
	})
	return mux
}

// serve takes the route of the request's method.
func (s *Server) serve(w http.ResponseWriter, q *http.Request, routes []route) {
	if !routes[0].open && !s.allowed(q) {
		fail(http.StatusUnauthorized, invalid, "invalid_api_key",
			"an API key is needed: Authorization: Bearer KEY, or x-api-key: KEY").write(w)
		return
	}
	var methods []string
	for _, r := range routes {
		if q.Method == r.method || q.Method == "HEAD" && r.method == "GET" {
			r.serve(w, q)
			return
		}
		methods = append(methods, r.method)
	}
	accepted := strings.Join(methods, ", ")
	w.Header().Set("Allow", accepted)
	fail(http.StatusMethodNotAllowed, invalid, "", "%s takes %s, not %s", routes[0].path, accepted, q.Method).write(w)
}

// allowed says whether a request has a key.
func (s *Server) allowed(r *http.Request) bool {
	if len(s.keys) == 0 {
		return true
	}
	given := r.Header.Get("x-api-key")
	if scheme, key, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		given = strings.TrimSpace(key)
	}
	sum := sha256.Sum256([]byte(given))
	found := 0
	for i := range s.keys {
		found |= subtle.ConstantTimeCompare(sum[:], s.keys[i][:])
	}
	return found == 1
}

// body reads a request's body within the limits.
func (s *Server) body(w http.ResponseWriter, r *http.Request) ([]byte, *failure) {
	in := http.NewResponseController(w)
	_ = in.SetReadDeadline(time.Now().Add(s.options.Patience)) // a recorder has none
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.options.BodyLimit))
	if err == nil {
		_ = in.SetReadDeadline(time.Time{})
		return body, nil
	}
	// The deadline stays: nobody waits for the rest of this body.
	w.Header().Set("Connection", "close")
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, fail(http.StatusRequestEntityTooLarge, invalid, "", "the body is over %d bytes", large.Limit)
	}
	return nil, fail(http.StatusBadRequest, invalid, "", "reading the body: %v", err)
}

// Serve answers on a listener until the context is over. Then it takes no new
// requests, lets those in flight end within the grace, and returns. The engine
// is stopped by then.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	var why error
	select {
	case why = <-served:
	case <-s.live.Stopped(): // Drain says why
	case <-ctx.Done():
		if s.live.Stats().InFlight > 0 {
			s.live.Note(fmt.Sprintf("ending: replies in flight have %v", s.options.Grace))
		}
	}
	grace, stop := context.WithTimeout(context.Background(), s.options.Grace)
	defer stop()
	drained := s.live.Drain(grace)
	if errors.Is(drained, context.DeadlineExceeded) {
		drained = nil // its replies were told
	}
	// The last lines of replies are still to be written.
	last, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if h.Shutdown(last) != nil {
		_ = h.Close()
	}
	return errors.Join(why, drained)
}
