package gguf

import (
	"bytes"
	"errors"
	"os"
	"testing"
)

const demo = "../testdata/models/draft-q8_0.gguf"

func TestOpen(t *testing.T) {
	h, err := Open(demo)
	if err != nil {
		t.Fatal(err)
	}
	matrices := 0
	for _, k := range h.Tensors {
		if k.Matrix() {
			matrices++
			if !k.Type.Quantized() {
				t.Errorf("%s %v is of type %d", k.Name, k.Shape, k.Type)
			}
		} else if k.Type != F32 {
			t.Errorf("%s %v is of type %d", k.Name, k.Shape, k.Type)
		}
	}
	// Two layers of seven matrices, and the embedding.
	if matrices != 15 || h.Parts != 1 {
		t.Errorf("%d matrices in %d parts", matrices, h.Parts)
	}
}

// The demo pair's layers have one head of 64 and two, for keys and values each.
func TestRowBytes(t *testing.T) {
	for file, want := range map[string]int64{demo: 2 * 2 * 64 * 2, "../testdata/models/target-q8_0.gguf": 8 * 2 * 128 * 2} {
		h, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := h.RowBytes(); got != want {
			t.Errorf("%s: %d bytes, want %d", file, got, want)
		}
	}
}

func TestDamaged(t *testing.T) {
	b, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 10, 100, 5000} {
		if _, err := Read(bytes.NewReader(b[:n])); !errors.Is(err, ErrFormat) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("GGUF\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = Read(bytes.NewReader(b))
	})
}
