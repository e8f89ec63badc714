package main

import (
	"bufio"
	"fmt"
	"os"
)

// eventFile is written beside its name and moved there when it is whole. What
// is no file, such as a pipe, is written as the events come.
type eventFile struct {
	path   string
	file   *os.File
	beside bool
	buffer *bufio.Writer
}

func newEventFile(path string) (*eventFile, error) {
	if path == "" {
		return nil, nil
	}
	e := &eventFile{path: path, beside: true}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("--events: %s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		e.beside = false
		e.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		e.file, err = os.Create(path + ".part")
	}
	if err != nil {
		return nil, fmt.Errorf("--events: %w", err)
	}
	e.buffer = bufio.NewWriterSize(e.file, 1<<16)
	return e, nil
}

// keep ends the writing and gives the file its name.
func (e *eventFile) keep() error {
	if e == nil {
		return nil
	}
	if err := e.buffer.Flush(); err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	if err := e.file.Close(); err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	if e.beside {
		if err := os.Rename(e.file.Name(), e.path); err != nil {
			return fmt.Errorf("--events: %w", err)
		}
	}
	e.file = nil
	return nil
}

// discard removes what was not kept.
func (e *eventFile) discard() {
	if e == nil || e.file == nil {
		return
	}
	_ = e.file.Close()
	if e.beside {
		_ = os.Remove(e.file.Name())
	}
}
