package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tfsim/tfsim/tune"
)

// errGone says that a search ended before a worker had its bundle.
var errGone = errors.New("the search is gone")

// open gets a search's bundle and opens its question. The files are needed as
// long as it is played; those of the search before are not.
func (w *worker) open(ctx context.Context, run string) (*tune.Field, error) {
	w.run, w.field = "", nil
	folder := filepath.Join(w.folder, "search")
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	objects, err := w.js.ObjectStore(ctx, store(run))
	if err != nil {
		return nil, errGone
	}
	data, err := objects.GetBytes(ctx, bundleObject)
	if err != nil {
		return nil, errGone
	}
	var b tune.Bundle
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("the search's bundle: %w", err)
	}
	for _, f := range b.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return nil, fmt.Errorf("the search's bundle: %q is no name of a file in it", f.Name)
		}
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		err := objects.GetFile(ctx, f.SHA256, path)
		if here := (*fs.PathError)(nil); errors.As(err, &here) {
			return nil, err // such as a full disk: another time it would be the same
		}
		if err != nil {
			return nil, errGone
		}
	}
	field, err := b.At(folder).Open()
	if err != nil {
		return nil, fmt.Errorf("the search's bundle: %w", err)
	}
	return field, nil
}
