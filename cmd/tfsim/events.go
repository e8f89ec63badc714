package main

import (
	"bufio"
	"fmt"

	draw "github.com/tfsim/tfsim/report"
)

// eventFile is the file of --events; its methods do nothing where there is
// none.
type eventFile struct {
	file   *draw.File
	buffer *bufio.Writer
}

func newEventFile(path string) (*eventFile, error) {
	if path == "" {
		return nil, nil
	}
	file, err := draw.Create(path)
	if err != nil {
		return nil, fmt.Errorf("--events: %w", err)
	}
	return &eventFile{file, file.Writer}, nil
}

// keep ends the writing and gives the file its name.
func (e *eventFile) keep() error {
	if e == nil {
		return nil
	}
	if err := e.file.Keep(); err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	return nil
}

// discard removes what was not kept.
func (e *eventFile) discard() {
	if e != nil {
		e.file.Discard()
	}
}
