package result

import (
	"math"
	"strconv"
)

// Num is a figure that may be absent; the zero value is. In JSON it is a
// number of 6 significant digits, or null.
type Num struct {
	// Value is the figure in full; its unit is that of the field.
	Value float64
	// Valid says that there is a figure.
	Valid bool
}

// Some is a present figure. Infinities and NaN are no figures.
func Some(v float64) Num {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Num{}
	}
	return Num{Value: v, Valid: true}
}

// ratio is a/b, absent where b is 0.
func ratio(a, b float64) Num {
	if b == 0 {
		return Num{}
	}
	return Some(a / b)
}

// Rounded is the figure as it is printed.
func (n Num) Rounded() Num {
	if !n.Valid {
		return Num{}
	}
	return Some(round(n.Value))
}

// String is the printed figure, empty where absent.
func (n Num) String() string {
	if !n.Valid {
		return ""
	}
	return string(appendNumber(nil, n.Value))
}

// MarshalJSON gives a number of 6 significant digits, or null.
func (n Num) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return appendNumber(nil, n.Value), nil
}

// UnmarshalJSON reads a number or null.
func (n *Num) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Num{}
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return err
	}
	*n = Some(v)
	return nil
}

// Count is a number of things. Whole counts print all their digits; means
// over several runs are rounded like any figure.
type Count float64

func (c Count) String() string { return string(c.append(nil)) }

// MarshalJSON gives an integer where the count is whole.
func (c Count) MarshalJSON() ([]byte, error) { return c.append(nil), nil }

func (c Count) append(b []byte) []byte {
	const exact = 1 << 53
	if v := float64(c); v == math.Trunc(v) && math.Abs(v) <= exact {
		return strconv.AppendInt(b, int64(v), 10)
	}
	return appendNumber(b, float64(c))
}

// digits is the number of significant digits of a printed figure.
const digits = 6

func round(v float64) float64 {
	var buf [32]byte
	r, _ := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], v, 'e', digits-1, 64)), 64)
	return r
}

// appendNumber prints a figure as a JSON number: plain digits, with an
// exponent only for the very large and the very small.
func appendNumber(b []byte, v float64) []byte {
	v = round(v)
	if v == 0 {
		return append(b, '0')
	}
	if a := math.Abs(v); a < 1e-6 || a >= 1e21 {
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}
