package jsontype

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		into               any
		json, found, wants string
	}{
		{new(int64), `"1"`, "a string", "a whole number of 64 bits"},
		{new(int), `1.5`, "1.5", "a whole number of 64 bits"},
		{new(int), `99999999999999999999`, "99999999999999999999", "a whole number of 64 bits"},
		{new(uint64), `-1`, "-1", "a whole number from 0, of 64 bits"},
		{new(uint8), `256`, "256", "a whole number from 0 to 255"},
		{new(float64), `true`, "true or false", "a number"},
		{new(bool), `{}`, "an object", "true or false"},
		{new(string), `[]`, "an array", "a string"},
		{new([]int), `1`, "a number", "an array"},
		{new(struct{}), `1`, "a number", "an object"},
	} {
		var e *json.UnmarshalTypeError
		require.True(t, errors.As(json.Unmarshal([]byte(c.json), c.into), &e), c.json)
		require.Equal(t, c.found, Found(e.Value), c.json)
		require.Equal(t, c.wants, Wanted(e.Type), c.json)
	}
}
