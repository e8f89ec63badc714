package server

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"mime"
	"net/http"
	"slices"
	"sync"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/engine"
)

// Settings are the scheduler's settings, for clients to see and, with Changes,
// to change while the server runs.
type Settings struct {
	// Values are those at the start.
	Values settings.Values
	// Configure makes a configuration of values, with notes of what has no
	// effect.
	Configure func(settings.Values) (core.Config, []settings.Note, error)
	// Unset is what settings stand for here while they are unset, where the
	// device or the command decides it.
	Unset map[string]string
	// Changes lets clients change settings.
	Changes bool
}

// switchboard is the settings as they are now.
type switchboard struct {
	live    *engine.Live
	options Settings
	mu      sync.Mutex // from a change's first look to its end
	values  settings.Values
}

// shown is a setting as /settings lists it.
type shown struct {
	Name     string   `json:"name"`
	Value    string   `json:"value"`
	Origin   string   `json:"origin"`
	Accepted string   `json:"accepted"`
	Options  []string `json:"options,omitempty"`
	Doc      string   `json:"doc"`
}

// list shows every setting that has an effect here.
func (b *switchboard) list(w http.ResponseWriter, _ *http.Request) {
	b.mu.Lock()
	lines := b.values.Explain()
	b.mu.Unlock()
	var all []shown
	for _, l := range lines {
		if text, ok := b.options.Unset[l.Setting.Name]; ok && l.Origin == settings.OriginDefault {
			l.Text = text
		}
		if s := l.Setting; s.Scope != settings.Accepted {
			all = append(all, shown{s.Name, l.Text, l.Origin, s.Accepted, s.Options, s.Doc})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"changes": b.options.Changes, "settings": all})
}

// change sets what the body names: an object of texts by setting, null or blank
// for unset. All of it holds or none.
func (s *Server) change(w http.ResponseWriter, r *http.Request) {
	b := s.settings
	// A page of another site cannot send this type without asking first.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		fail(http.StatusUnsupportedMediaType, invalid, "", "Content-Type: want application/json").write(w)
		return
	}
	// One whose name was made to lead here need not ask: every page names its
	// origin, and other programs name none.
	if r.Header.Get("Origin") != "" {
		fail(http.StatusForbidden, invalid, "changes_not_allowed", "Origin: settings cannot be changed from a web page").write(w)
		return
	}
	if !b.options.Changes {
		fail(http.StatusForbidden, invalid, "changes_not_allowed", "this server's settings cannot be changed while it runs").write(w)
		return
	}
	f, err := s.object(w, r)
	if err != nil {
		err.write(w)
		return
	}
	notes, err := b.change(r.Context(), f)
	if err != nil {
		err.write(w)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"notes": notes})
}

func (b *switchboard) change(ctx context.Context, f *fields) (notes []string, _ *failure) {
	b.mu.Lock()
	defer b.mu.Unlock()
	values := b.values
	var texts []string
	names := slices.Sorted(maps.Keys(f.left))
	for _, name := range names {
		text, err := settingText(f.left[name])
		if err != nil {
			return nil, bad(name, "%s; want a text", brief(f.left[name]))
		}
		if s, ok := settings.Lookup(name); ok && s.Scope == settings.Host {
			return nil, bad(name, "it is read when the server starts")
		}
		if err := values.SetFrom(name, text, "client"); err != nil {
			field := name
			return nil, &failure{status: http.StatusBadRequest, Type: invalid, Param: &field, Message: err.Error()}
		}
		texts = append(texts, name+"="+text)
	}
	config, remarks, err := b.options.Configure(values)
	if err == nil {
		err = b.live.Reconfigure(ctx, config)
	}
	switch {
	case errors.Is(err, engine.ErrDraining), ctx.Err() != nil:
		return nil, failed(err)
	case err != nil:
		for _, name := range names {
			if alone := b.alone(name, f.left[name]); alone != nil && alone.Error() == err.Error() {
				return nil, bad(name, "%s", plain(err))
			}
		}
		return nil, fail(http.StatusBadRequest, invalid, "", "%s", plain(err))
	}
	b.values = values
	for _, t := range texts {
		b.live.Note("set " + t)
	}
	notes = []string{}
	for _, n := range remarks {
		notes = append(notes, n.String())
	}
	return notes, nil
}

// alone says what is wrong with one setting of a change, which is one of those
// that can be read.
func (b *switchboard) alone(name string, raw json.RawMessage) error {
	values := b.values
	text, err := settingText(raw)
	if err == nil {
		err = values.SetFrom(name, text, "client")
	}
	if err != nil {
		return err
	}
	config, _, err := b.options.Configure(values)
	if err != nil {
		return err
	}
	return b.live.MayBecome(&config)
}

// settingText reads a text, or a number or a truth as its text.
func settingText(raw json.RawMessage) (string, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", err
	}
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case float64, bool:
		return string(raw), nil
	}
	return "", errors.New("no text")
}
