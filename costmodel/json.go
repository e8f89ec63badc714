package costmodel

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// WriteJSON writes the table as indented JSON that mirrors the YAML, the same
// bytes for the same table. [Parse] reads it back.
func (t *Table) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(t)
}

// MarshalJSON gives an object of ms by entry, in the entries' order.
func (c Curve) MarshalJSON() ([]byte, error) {
	return object(len(c), func(i int) (int, any) { return c[i].At, c[i].Ms })
}

// MarshalJSON gives an object of curves by entry, in the entries' order.
func (g Grid) MarshalJSON() ([]byte, error) {
	return object(len(g), func(i int) (int, any) { return g[i].At, g[i].Ms })
}

func object(n int, entry func(i int) (key int, value any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		key, value := entry(i)
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(strconv.Itoa(key)) + ":")
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
