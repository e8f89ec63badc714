package report

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is written beside its name and moved there when it is whole, so that
// its name never holds half of it. What is no regular file, such as a pipe or
// a device, is written as the bytes come.
type File struct {
	path   string
	file   *os.File
	beside bool
	*bufio.Writer
}

// CanBe says why no file can be at path: its folder is missing or is none, or
// path is one.
func CanBe(path string) error {
	dir := filepath.Dir(path)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no folder %s", dir)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory", path)
	}
	return nil
}

// Create opens a file for writing, in a folder that is there; nothing is at path
// until Keep.
func Create(path string) (*File, error) {
	if err := CanBe(path); err != nil {
		return nil, err
	}
	f := &File{path: path, beside: true}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		f.beside = false
		f.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		f.file, err = os.Create(path + ".part")
	}
	if err != nil {
		return nil, err
	}
	f.Writer = bufio.NewWriterSize(f.file, 1<<16)
	return f, nil
}

// Keep ends the writing and moves the file to its name.
func (f *File) Keep() error {
	if err := f.Flush(); err != nil {
		return err
	}
	if err := f.file.Close(); err != nil {
		return err
	}
	if f.beside {
		if err := os.Rename(f.file.Name(), f.path); err != nil {
			return err
		}
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
	if f.beside {
		_ = os.Remove(f.file.Name())
	}
	f.file = nil
}
