package tui

import (
	"bytes"
	"os"

	"github.com/charmbracelet/x/ansi"
)

// canvas is the terminal that the dashboard draws on. It is blank when the
// alternate screen is left, however that comes about: tmux 3.2 and 3.3 wrap what
// is on it to the width that the window had at the start and put the surplus
// lines above the prompt.
type canvas struct{ *os.File }

func (c canvas) Write(p []byte) (int, error) {
	leave := []byte(ansi.ResetModeAltScreenSaveCursor)
	if !bytes.Contains(p, leave) {
		return c.File.Write(p)
	}
	blank := append([]byte(ansi.EraseEntireScreen), leave...)
	if _, err := c.File.Write(bytes.ReplaceAll(p, leave, blank)); err != nil {
		return 0, err
	}
	return len(p), nil
}
