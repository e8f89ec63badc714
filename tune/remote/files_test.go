package remote

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/tune"
)

// A worker that cannot write the files of a search says so and leaves.
func TestUnwritableFiles(t *testing.T) {
	b, _ := asked(t)
	c := newCluster(t)
	r := coordinated(t, c.access(), b, &lines{})
	sum := b.Files[0].SHA256
	data, err := json.Marshal(tune.Bundle{Question: b.Question, Files: []tune.File{{Name: "a/b", SHA256: sum}, {Name: "a", SHA256: sum}}})
	require.NoError(t, err)
	ctx := context.Background()
	objects, err := r.js.ObjectStore(ctx, store(r.run))
	require.NoError(t, err)
	_, err = objects.PutBytes(ctx, bundleObject, data)
	require.NoError(t, err)
	err = Work(ctx, WorkerOptions{Access: c.access(), Program: "p", Idle: 10 * time.Second})
	require.ErrorContains(t, err, "/a: is a directory")
}

// Files that change during a search are not handed out for what they were.
func TestChangedFiles(t *testing.T) {
	b, f := asked(t)
	c := newCluster(t)
	r := coordinated(t, c.access(), b, &lines{})
	file, err := b.Open(b.Files[0])
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, os.WriteFile(file.(*os.File).Name(), []byte("changed"), 0o600))
	require.NoError(t, r.js.DeleteObjectStore(context.Background(), store(r.run)))
	err = r.Run(context.Background(), []tune.Unit{{Point: f.Space().Default()}}, nil)
	require.EqualError(t, err, "x.yaml: the file has changed since the search began")
	_, err = NewCoordinator(Options{Access: c.access(), Program: "p"}, b)
	require.ErrorContains(t, err, "x.yaml: the file has changed since the search began")
}
