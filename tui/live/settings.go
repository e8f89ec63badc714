package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"

	"github.com/tfsim/tfsim/core/settings"
)

// ErrFixed says that the server's settings cannot be changed while it runs.
var ErrFixed = errors.New("this server's settings cannot be changed while it runs: it needs --allow-changes")

// Settings gives the server's settings as they are set, and what the unset ones
// stand for there, read from /settings beside the events; or ErrFixed.
func (f *Feed) Settings(ctx context.Context) (v settings.Values, unset map[string]string, err error) {
	answer, err := f.settings(ctx, nil)
	if err != nil {
		return v, nil, err
	}
	var list struct {
		Changes  bool
		Settings []struct{ Name, Value, Origin string }
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		return v, nil, fmt.Errorf("the server's settings: %w", err)
	}
	if !list.Changes {
		return v, nil, ErrFixed
	}
	unset = map[string]string{}
	for _, s := range list.Settings {
		if s.Origin == settings.OriginDefault {
			unset[s.Name] = s.Value
			continue
		}
		if err := v.SetFrom(s.Name, s.Value, s.Origin); err != nil {
			return v, nil, fmt.Errorf("the server's settings: %w", err)
		}
	}
	return v, unset, nil
}

// Change sets one of the server's settings, blank for unset, and gives what the
// server says of it.
func (f *Feed) Change(ctx context.Context, name, text string) (notes []string, err error) {
	body, err := json.Marshal(map[string]string{name: text})
	if err != nil {
		return nil, err
	}
	answer, err := f.settings(ctx, body)
	if err != nil {
		return nil, err
	}
	var said struct{ Notes []string }
	if err := json.Unmarshal(answer, &said); err != nil {
		return nil, fmt.Errorf("the server's answer: %w", err)
	}
	return said.Notes, nil
}

// settings asks for the settings, or changes what the body says.
func (f *Feed) settings(ctx context.Context, body []byte) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	req, err := f.request(ctx, f.board, "application/json")
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Method, req.Body, req.ContentLength = http.MethodPost, io.NopCloser(bytes.NewReader(body)), int64(len(body))
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, longestAnswer))
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode == http.StatusNotFound:
		return nil, ErrFixed
	case resp.StatusCode != http.StatusOK:
		var failed struct{ Error struct{ Message string } }
		if json.Unmarshal(answer, &failed) == nil && failed.Error.Message != "" {
			return nil, errors.New(failed.Error.Message)
		}
		return nil, fmt.Errorf("the server answers %s", resp.Status)
	}
	return answer, nil
}

// beside is the address of something else that the server has beside its
// events.
func beside(events url.URL, name string) string {
	events.Path, events.RawPath = path.Join(path.Dir(events.Path), name), ""
	return events.String()
}
