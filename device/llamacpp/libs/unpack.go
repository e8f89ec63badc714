package libs

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Unpack puts the libraries of an archive into a folder of the package's name
// under dir, which it replaces, and returns it. The archive must be the one
// that is pinned.
func (p Package) Unpack(archive []byte, dir string) (string, error) {
	sum := sha512.Sum512(archive)
	if got := base64.StdEncoding.EncodeToString(sum[:]); got != p.SHA512 {
		return "", fmt.Errorf("%s: sha512 is %s, want %s", p.Name, got, p.SHA512)
	}
	into := filepath.Join(dir, p.Name)
	made := into + ".new"
	if err := os.RemoveAll(made); err != nil {
		return "", err
	}
	if err := os.MkdirAll(made, 0o755); err != nil {
		return "", err
	}
	if err := unpack(archive, made); err != nil {
		return "", fmt.Errorf("%s: %w", p.Name, err)
	}
	if err := link(made); err != nil {
		return "", err
	}
	if err := os.RemoveAll(into); err != nil {
		return "", err
	}
	return into, os.Rename(made, into)
}

// unpack writes the libraries and licences of an archive, without folders.
func unpack(archive []byte, dir string) error {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return err
	}
	t := tar.NewReader(z)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := path.Base(h.Name)
		wanted := strings.HasPrefix(name, "lib") || name == "LICENSE"
		if h.Typeflag != tar.TypeReg || !wanted {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, t)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
}

// versioned is a library whose name holds its release: libllama.v0.4.0.so,
// libggml.metal.v0.4.0.dylib.
var versioned = regexp.MustCompile(`^lib(llama|ggml)(\.[a-z0-9]+)?\.v[0-9.]+\.(so|dylib)$`)

// link gives versioned libraries their plain names too.
func link(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		m := versioned.FindStringSubmatch(f.Name())
		if m == nil {
			continue
		}
		plain := filepath.Join(dir, "lib"+m[1]+"."+m[3])
		if err := os.Symlink(f.Name(), plain); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}
