//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is no regular file is left alone until there are costs.
func TestCanHoldCostsOfAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	text := make(chan string)
	go func() {
		data, _ := os.ReadFile(pipe)
		text <- string(data)
	}()
	require.NoError(t, canHoldCosts(pipe))
	go func() { _ = os.WriteFile(pipe, []byte("costs"), 0o600) }()
	require.Equal(t, "costs", <-text)
}
