package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
)

// failure is an error in OpenAI's shape.
type failure struct {
	status  int
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

func (f *failure) Error() string { return f.Message }

const (
	invalid  = "invalid_request_error"
	ofServer = "server_error"
)

// bad refuses a field of a request.
func bad(field, format string, args ...any) *failure {
	return &failure{
		status: http.StatusBadRequest, Type: invalid, Param: &field,
		Message: field + ": " + fmt.Sprintf(format, args...),
	}
}

func fail(status int, kind, code, format string, args ...any) *failure {
	f := &failure{status: status, Type: kind, Message: fmt.Sprintf(format, args...)}
	if code != "" {
		f.Code = &code
	}
	return f
}

// plain is an error's text without the name of the package that says it.
func plain(err error) string {
	text := err.Error()
	for _, of := range []string{"core: ", "device: ", "engine: "} {
		text = strings.TrimPrefix(text, of)
	}
	return text
}

// failed is what an error of the engine or the device means to a client.
func failed(err error) *failure {
	var f *failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, core.ErrContext):
		f = fail(http.StatusBadRequest, invalid, "context_length_exceeded", "%s", plain(err))
		field := "messages"
		f.Param = &field
		return f
	case errors.Is(err, device.ErrToken), errors.Is(err, core.ErrRequest):
		return bad("prompt", "%s", plain(err))
	case errors.Is(err, device.ErrSampling):
		return fail(http.StatusBadRequest, invalid, "", "%s", plain(err))
	case errors.Is(err, engine.ErrFull):
		return fail(http.StatusServiceUnavailable, ofServer, "server_full", "the server is full; try again later")
	case errors.Is(err, engine.ErrDraining):
		return fail(http.StatusServiceUnavailable, ofServer, "shutting_down", "the server is shutting down")
	case errors.Is(err, device.ErrLost) && !errors.Is(err, engine.ErrDevice):
		return fail(http.StatusServiceUnavailable, ofServer, "device_lost", "%v", err)
	case errors.Is(err, engine.ErrDevice):
		return fail(http.StatusInternalServerError, ofServer, "device_failed", "%s", plain(err))
	case errors.Is(err, context.DeadlineExceeded):
		return fail(http.StatusGatewayTimeout, ofServer, "deadline_exceeded", "the request ran out of time")
	}
	return fail(http.StatusInternalServerError, ofServer, "", "%v", err)
}

// write sends the error.
func (f *failure) write(w http.ResponseWriter) {
	if f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	if f.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	writeJSON(w, f.status, map[string]*failure{"error": f})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has left is no error
}
