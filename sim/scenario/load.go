package scenario

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Load reads the scenario file at path. The error is the file system's, or
// one line that names a place in the file.
func Load(path string) (*File, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// mostBytes bounds a file, a device that never ends among them.
const mostBytes = 64 << 20

// ReadFile is os.ReadFile for a file of a bounded size.
func ReadFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("%s has over %d MiB", path, mostBytes>>20)
	}
	return data, err
}

// Parse reads a scenario from data. The filename starts every error, and
// paths inside the file are relative to its folder. The error is an *Error.
func Parse(filename string, data []byte) (*File, error) {
	p := &parser{file: filename}
	root := p.document(data)
	if p.err != nil {
		return nil, p.err
	}
	f := p.scenario(root)
	if p.err == nil {
		p.cross(f)
	}
	if p.err != nil {
		return nil, p.err
	}
	f.Reads = p.reads
	return f, nil
}

// parser walks a file's nodes and keeps the error that comes first in the
// file. Its methods return zero values where they fail.
type parser struct {
	file    string
	err     error
	errPos  Pos
	anchors anchors
	// claims are the objects of the file's expects, for places.
	claims []*object
	// reads are the paths of other files, as written.
	reads []string
	// read counts the nodes read, so that aliases cannot multiply them
	// without bound.
	read int
}

// fail records an error, unless an earlier place has one.
func (p *parser) fail(at Pos, what, value, accepted string, args ...any) {
	at = Pos{max(at.Line, 1), max(at.Col, 1)}
	if p.err != nil && !at.before(p.errPos) {
		return
	}
	if len(args) > 0 {
		accepted = fmt.Sprintf(accepted, args...)
	}
	p.errPos = at
	p.err = &Error{File: p.file, Pos: at, What: what, Value: value, Accepted: accepted}
}

// path makes a path of the file relative to the working directory.
func (p *parser) path(s string) string {
	if s != "" && !slices.Contains(p.reads, s) {
		p.reads = append(p.reads, s)
	}
	return beside(p.file, s)
}

// beside is the path of what a file names.
func beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
}

// ReadPaths are the paths of Reads.
func (f *File) ReadPaths() []string {
	var paths []string
	for _, name := range f.Reads {
		paths = append(paths, beside(f.Path, name))
	}
	return paths
}

// baseName is what a scenario without a name is called.
func baseName(file string) string {
	b := filepath.Base(file)
	return strings.TrimSuffix(b, filepath.Ext(b))
}

// deepest is the most levels that a file may nest.
const deepest = 200

// tooDeep finds a place where a file nests beyond reason, before the YAML
// library recurses into it.
func tooDeep(data []byte) (Pos, bool) {
	open, line := 0, 0
	for text := range bytes.Lines(data) {
		line++
		lead := len(text) - len(bytes.TrimLeft(text, " -?:\t"))
		if lead > 4*deepest {
			return Pos{line, 1}, true
		}
		for col, b := range text {
			switch b {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			if open > deepest {
				return Pos{line, col + 1}, true
			}
		}
	}
	return Pos{}, false
}
