package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// fields are a request's, each taken once; the first error stays.
type fields struct {
	left map[string]json.RawMessage
	err  *failure
}

// readFields reads an object.
func readFields(body []byte) (*fields, *failure) {
	f := &fields{}
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(&f.left); err != nil {
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) {
			return nil, fail(400, invalid, "", "the body is of type %s; want a JSON object", other.Value)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil, fail(400, invalid, "", "the body is empty; want a JSON object")
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, fail(400, invalid, "", "the body is no JSON object: it ends too soon")
		}
		return nil, fail(400, invalid, "", "the body is no JSON object: %v", err)
	}
	if f.left == nil {
		return nil, fail(400, invalid, "", "the body is null; want a JSON object")
	}
	if rest := bytes.TrimSpace(body[dec.InputOffset():]); len(rest) > 0 {
		return nil, fail(400, invalid, "", "the body has more than one JSON value")
	}
	return f, nil
}

func (f *fields) bad(field, format string, args ...any) {
	if f.err == nil {
		f.err = bad(field, format, args...)
	}
}

// take gives a field that is there and not null.
func (f *fields) take(name string) (json.RawMessage, bool) {
	raw, ok := f.left[name]
	delete(f.left, name)
	return raw, ok && string(raw) != "null"
}

// as reads a field into v; want says its form.
func (f *fields) as(name, want string, v any) bool {
	raw, ok := f.take(name)
	if !ok {
		return false
	}
	if err := json.Unmarshal(raw, v); err != nil {
		f.bad(name, "%s; want %s", brief(raw), want)
		return false
	}
	return true
}

func (f *fields) text(name string) (s string) {
	f.as(name, "a text", &s)
	return s
}

func (f *fields) yes(name string, otherwise bool) bool {
	v := otherwise
	f.as(name, "true or false", &v)
	return v
}

// number reads a number within bounds.
func (f *fields) number(name string, least, most, otherwise float64) float64 {
	v := otherwise
	want := fmt.Sprintf("a number from %g to %g", least, most)
	if math.IsInf(most, 1) {
		want = fmt.Sprintf("a number of at least %g", least)
	}
	if f.as(name, want, &v) && !(v >= least && v <= most) {
		f.bad(name, "%g; want %s", v, want)
	}
	return v
}

// whole reads a whole number within bounds.
func (f *fields) whole(name string, least, most, otherwise int64) int64 {
	v := otherwise
	want := fmt.Sprintf("a whole number from %d to %d", least, most)
	if f.as(name, want, &v) && (v < least || v > most) {
		f.bad(name, "%d; want %s", v, want)
	}
	return v
}

// only refuses a field unless it has one of the given JSON texts.
func (f *fields) only(name string, texts ...string) {
	raw, ok := f.take(name)
	if !ok {
		return
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || !slices.Contains(texts, b.String()) {
		f.bad(name, "%s; here only %s is accepted", brief(raw), strings.Join(texts, " or "))
	}
}

// ignore takes fields that never change a reply.
func (f *fields) ignore(names ...string) {
	for _, name := range names {
		delete(f.left, name)
	}
}

// done refuses what nobody took.
func (f *fields) done() *failure {
	if f.err == nil && len(f.left) > 0 {
		name := slices.Min(slices.Collect(maps.Keys(f.left)))
		f.bad(name, "no such field here")
	}
	return f.err
}

// brief quotes the beginning of a value.
func brief(raw []byte) string {
	const most = 60
	s := strings.ToValidUTF8(string(raw), "?")
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
