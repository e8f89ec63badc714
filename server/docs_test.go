package server

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The documentation has every field of what a reply says of itself.
func TestDocsOfReplies(t *testing.T) {
	text, err := os.ReadFile("../docs/serving.md")
	require.NoError(t, err)
	for f := range reflect.TypeFor[about]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		require.Contains(t, string(text), "`"+name+"`")
	}
}
