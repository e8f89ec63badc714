package report

import (
	"bufio"
	"fmt"
	"os"
)

// File is written beside its name and moved there when it is whole, so that
// its name never holds half of it.
type File struct {
	path string
	file *os.File
	*bufio.Writer
}

// Create opens a file for writing; nothing is at path until Keep.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory", path)
	}
	file, err := os.Create(path + ".part")
	if err != nil {
		return nil, err
	}
	return &File{path: path, file: file, Writer: bufio.NewWriterSize(file, 1<<16)}, nil
}

// Keep ends the writing and moves the file to its name.
func (f *File) Keep() error {
	if err := f.Flush(); err != nil {
		return err
	}
	if err := f.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.file.Name(), f.path); err != nil {
		return err
	}
	f.file = nil
	return nil
}

// Discard removes what was not kept. It is for a defer.
func (f *File) Discard() {
	if f == nil || f.file == nil {
		return
	}
	_ = f.file.Close()
	_ = os.Remove(f.file.Name())
	f.file = nil
}
