package result

import (
	"encoding/json"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/tfsim/tfsim/core"
)

// JSONL is a sink that writes one JSON object a line for each event. Keys are
// fixed and in a fixed order; fields that are zero are left out, and slot
// where it is -1:
//
//	{"at_us":500000,"event":"submitted","id":2,"request":"long","rows":131072,"tokens":64}
//
// Times are in microseconds (…_us), prices in nanoseconds (…_ns).
type JSONL struct {
	w    io.Writer
	name func(core.ID) string
	buf  []byte
	err  error
}

var _ core.Sink = (*JSONL)(nil)

// NewJSONL writes to w, once for each event: give it a buffered writer. name
// gives a request's name, empty for none; it may be nil.
func NewJSONL(w io.Writer, name func(core.ID) string) *JSONL {
	return &JSONL{w: w, name: name}
}

// Err is the first error of the writer; after it nothing more is written.
func (j *JSONL) Err() error { return j.err }

// Record writes an event.
func (j *JSONL) Record(e *core.Event) {
	if j.err != nil {
		return
	}
	name := ""
	if j.name != nil && e.ID != 0 {
		name = j.name(e.ID)
	}
	j.buf = appendEvent(j.buf[:0], e, name)
	_, j.err = j.w.Write(j.buf)
}

func appendEvent(b []byte, e *core.Event, name string) []byte {
	b = append(b, `{"at_us":`...)
	b = strconv.AppendInt(b, int64(e.At), 10)
	b = append(b, `,"event":"`...)
	b = append(b, e.Kind.String()...)
	b = append(b, '"')
	if e.ID != 0 {
		b = append(b, `,"id":`...)
		b = strconv.AppendUint(b, uint64(e.ID), 10)
	}
	b = appendText(b, "request", name)
	if e.Slot != -1 {
		b = append(b, `,"slot":`...)
		b = strconv.AppendInt(b, int64(e.Slot), 10)
	}
	b = appendInt(b, "from", int64(e.From))
	b = appendInt(b, "rows", int64(e.Rows))
	b = appendInt(b, "windows", int64(e.Windows))
	b = appendInt(b, "launches", int64(e.Launches))
	b = appendInt(b, "drafts", int64(e.Drafts))
	b = appendInt(b, "kept", int64(e.Kept))
	b = appendInt(b, "tokens", int64(e.Tokens))
	b = appendInt(b, "total", int64(e.Total))
	b = appendInt(b, "price_ns", int64(e.Price))
	b = appendInt(b, "wall_us", int64(e.Wall))
	b = appendInt(b, "device_us", int64(e.Device))
	b = appendInt(b, "owed_us", int64(e.Owed))
	b = appendBool(b, "beside", e.Beside)
	b = appendBool(b, "last", e.Last)
	b = appendText(b, "reason", e.Reason)
	return append(b, '}', '\n')
}

func appendKey(b []byte, key string) []byte {
	b = append(b, ',', '"')
	b = append(b, key...)
	return append(b, '"', ':')
}

func appendInt(b []byte, key string, v int64) []byte {
	if v == 0 {
		return b
	}
	return strconv.AppendInt(appendKey(b, key), v, 10)
}

func appendBool(b []byte, key string, v bool) []byte {
	if !v {
		return b
	}
	return append(appendKey(b, key), "true"...)
}

func appendText(b []byte, key, s string) []byte {
	if s == "" {
		return b
	}
	b = appendKey(b, key)
	if plain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	quoted, _ := json.Marshal(s) // a string always has a JSON form
	return append(b, quoted...)
}

// plain says that a string needs no escapes.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
