package result

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNumRounding(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{27, "27"},
		{0.25, "0.25"},
		{138500.2, "138500"},
		{1234567, "1234570"},
		{3.2912345, "3.29123"},
		{-3.2912355, "-3.29124"},
		{0.99999951, "1"},
		{999999.5, "1000000"},
		{0.0000123456789, "0.0000123457"},
		{1.23456789e-9, "1.23457e-09"},
		{-1.23456789e-300, "-1.23457e-300"},
		{1.23456789e20, "123457000000000000000"},
		{1.23456789e21, "1.23457e+21"},
		{math.MaxFloat64, "1.79769e+308"},
		{5e-324, "5e-324"},
	} {
		assert.Equal(t, c.want, Some(c.v).String())
		b, err := json.Marshal(Some(c.v))
		require.NoError(t, err)
		assert.Equal(t, c.want, string(b))
	}
}

func TestNumAbsent(t *testing.T) {
	for _, n := range []Num{{}, Some(math.NaN()), Some(math.Inf(1)), Some(math.Inf(-1)), ratio(1, 0)} {
		b, err := json.Marshal(n)
		require.NoError(t, err)
		assert.Equal(t, "null", string(b))
		assert.Empty(t, n.String())
	}
}

func TestCountKeepsWholeDigits(t *testing.T) {
	for c, want := range map[Count]string{0: "0", 7654321: "7654321", 1e15: "1000000000000000", 2.5: "2.5", 1234567.5: "1234570"} {
		b, err := json.Marshal(c)
		require.NoError(t, err)
		assert.Equal(t, want, string(b))
	}
}

func TestNumJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := Some(rapid.Float64().Draw(t, "v"))
		b, err := json.Marshal(n)
		require.NoError(t, err)
		var back Num
		require.NoError(t, json.Unmarshal(b, &back))
		want := n.Rounded()
		require.Equal(t, want, back)
		require.Equal(t, want, want.Rounded(), "rounding twice is rounding once")
		if n.Valid && n.Value != 0 {
			text := strconv.FormatFloat(n.Value, 'e', 5, 64)
			v, err := strconv.ParseFloat(text, 64)
			require.NoError(t, err)
			require.Equal(t, v, want.Value)
		}
	})
}
