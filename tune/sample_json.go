package tune

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// sampleJSON is a sample outside of this process: in a journal, or on its way
// from a worker. It comes back with the same bits.
type sampleJSON struct {
	Costs     []bits    `json:"costs"`
	Parts     [][3]bits `json:"parts,omitempty"`
	Trace     uint64    `json:"trace"`
	Saturated bool      `json:"saturated,omitempty"`
	Notes     []string  `json:"notes,omitempty"`
}

// MarshalJSON writes a sample without loss.
func (s Sample) MarshalJSON() ([]byte, error) {
	out := sampleJSON{Trace: s.Trace, Saturated: s.Saturated, Notes: s.Notes}
	for _, c := range s.Costs {
		out.Costs = append(out.Costs, bits(c))
	}
	for _, p := range s.Parts {
		out.Parts = append(out.Parts, [3]bits{bits(p.Value), bits(p.Bound), bits(p.Excess)})
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Sample) UnmarshalJSON(data []byte) error {
	var in sampleJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*s = Sample{Trace: in.Trace, Saturated: in.Saturated, Notes: in.Notes}
	for _, c := range in.Costs {
		s.Costs = append(s.Costs, float64(c))
	}
	for _, p := range in.Parts {
		s.Parts = append(s.Parts, Part{float64(p[0]), float64(p[1]), float64(p[2])})
	}
	return nil
}

// bits is a number in JSON that may be infinite, which JSON's cannot be.
type bits float64

func (b bits) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(b), 'g', -1, 64)
	if math.IsInf(float64(b), 0) || math.IsNaN(float64(b)) {
		text = strconv.Quote(text)
	}
	return []byte(text), nil
}

func (b *bits) UnmarshalJSON(data []byte) error {
	text := string(data)
	if unquoted, err := strconv.Unquote(text); err == nil {
		text = unquoted
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%s is no number", data)
	}
	*b = bits(v)
	return nil
}
