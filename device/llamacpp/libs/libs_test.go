package libs

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func archive(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(name))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	a := archive(t, "package/bins/x/libllama.v0.4.0.so", "package/bins/x/libggml.metal.v0.4.0.dylib",
		"package/bins/x/libggml-base.so", "package/bins/x/addon.node", "../../libescape.so", "package/LICENSE")
	sum := sha512.Sum512(a)
	p := Package{Name: "test", SHA512: base64.StdEncoding.EncodeToString(sum[:])}
	dir := t.TempDir()
	for range 2 { // the second time it replaces the first
		into, err := p.Unpack(a, dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		files, _ := os.ReadDir(into)
		for _, f := range files {
			names = append(names, f.Name())
		}
		want := "LICENSE libescape.so libggml-base.so libggml.dylib libggml.metal.v0.4.0.dylib libllama.so libllama.v0.4.0.so"
		if got := strings.Join(names, " "); got != want {
			t.Errorf("unpacked %s, want %s", got, want)
		}
		if b, err := os.ReadFile(filepath.Join(into, "libllama.so")); err != nil || string(b) != "package/bins/x/libllama.v0.4.0.so" {
			t.Errorf("the plain name leads to %q: %v", b, err)
		}
	}
	p.SHA512 = "another"
	if _, err := p.Unpack(a, dir); err == nil || !strings.Contains(err.Error(), "sha512") {
		t.Errorf("an archive that is not the pinned one: %v", err)
	}
}

func TestFind(t *testing.T) {
	t.Setenv(Env, "")
	dir := t.TempDir()
	if _, err := Find(dir); err == nil || !strings.Contains(err.Error(), File("llama")) {
		t.Errorf("a folder without the library: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, File("llama")), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(dir); err != nil || got != dir {
		t.Errorf("found %s: %v", got, err)
	}
	t.Setenv(Env, dir)
	if got, err := Find(""); err != nil || got != dir {
		t.Errorf("found %s by the environment: %v", got, err)
	}
}

func TestCheckVersion(t *testing.T) {
	for v, good := range map[string]bool{"0.4.0": true, "0.4.0-dev": true, "0.4.1": false, "1.0.0": false, "": false, "0.4.01": false} {
		if err := CheckVersion(v); (err == nil) != good {
			t.Errorf("version %q: %v", v, err)
		}
	}
}
