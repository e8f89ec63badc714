package tune

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfsim/tfsim/costmodel"
)

// Bundle is a question with all files that it reads, by names that hold
// wherever the files are: relative to the folder that has them all. Equal
// bundles ask the same.
type Bundle struct {
	Question Question `json:"question"`
	Files    []File   `json:"files"`

	root string
}

// File is a file of a bundle.
type File struct {
	// Name is relative, with slashes.
	Name string `json:"name"`
	// SHA256 is of what it holds, in hex.
	SHA256 string `json:"sha256"`
}

// NewBundle finds the files of a question, which has been opened as a field.
func NewBundle(q *Question, f *Field) (*Bundle, error) {
	paths := slices.Clone(q.Scenarios)
	for i, p := range f.probes {
		for _, name := range p.File().Reads {
			if filepath.IsAbs(name) {
				return nil, fmt.Errorf("%s: it reads %s; a path relative to the scenario is wanted, which holds elsewhere too", q.Scenarios[i], name)
			}
		}
		paths = append(paths, p.File().ReadPaths()...)
	}
	machine := q.Machine != "" && !slices.Contains(costmodel.Library(), q.Machine)
	if machine {
		paths = append(paths, q.Machine)
	}
	for i := range paths {
		var err error
		if paths[i], err = filepath.Abs(paths[i]); err != nil {
			return nil, err
		}
	}
	b := &Bundle{Question: *q, root: commonFolder(paths)}
	for _, path := range paths {
		name, err := filepath.Rel(b.root, path)
		if err != nil {
			return nil, err
		}
		sum, err := sha256Of(path)
		if err != nil {
			return nil, err
		}
		b.Files = append(b.Files, File{filepath.ToSlash(name), sum})
	}
	b.Question.Scenarios = nil
	for i := range q.Scenarios {
		b.Question.Scenarios = append(b.Question.Scenarios, b.Files[i].Name)
	}
	if machine {
		b.Question.Machine = b.Files[len(b.Files)-1].Name
	}
	return b, nil
}

// Open gives what a file holds.
func (b *Bundle) Open(f File) (io.ReadCloser, error) {
	return os.Open(filepath.Join(b.root, filepath.FromSlash(f.Name)))
}

// At is the question over the bundle's files in another folder.
func (b *Bundle) At(folder string) *Question {
	q := b.Question
	q.Scenarios = slices.Clone(q.Scenarios)
	at := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	for i, name := range q.Scenarios {
		q.Scenarios[i] = at(name)
	}
	if slices.ContainsFunc(b.Files, func(f File) bool { return f.Name == q.Machine }) {
		q.Machine = at(q.Machine)
	}
	return &q
}

// commonFolder is the deepest folder that has all paths, which are absolute.
func commonFolder(paths []string) string {
	folder := filepath.Dir(paths[0])
	for _, path := range paths {
		for {
			if rel, err := filepath.Rel(folder, path); err != nil || rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				break
			}
			folder = filepath.Dir(folder)
		}
	}
	return folder
}

func sha256Of(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
