package llamacpp

import (
	"testing"

	"github.com/tfsim/tfsim/device/llamacpp/gguf"
)

func TestRule(t *testing.T) {
	for _, c := range []struct {
		exact, backend, arch string
		threads              int
		quantized            bool
		want                 RuleKind
		fails                bool
	}{
		{"auto", "cpu", "amd64", 1, true, Even, false},
		{"on", "cpu", "amd64", 2, false, Even, false},
		{"whole", "cpu", "amd64", 1, true, Whole, false},
		{"whole", "cpu", "amd64", 2, true, None, true},
		{"whole", "cpu", "amd64", 1, false, None, true},
		{"off", "cpu", "amd64", 1, true, None, false},
		{"auto", "cpu", "arm64", 1, true, None, false},
		{"auto", "metal", "arm64", 1, true, None, false},
		{"on", "metal", "arm64", 1, true, None, true},
		{"whole", "cuda", "amd64", 1, true, None, true},
	} {
		r, err := RuleFor(Settings{Exact: c.exact, Threads: c.threads}, c.backend, c.arch, c.quantized)
		if (err != nil) != c.fails || r.Kind != c.want {
			t.Errorf("%+v: %+v, %v", c, r, err)
		}
	}
}

func TestPadded(t *testing.T) {
	s := Rule{Kind: Even}.Shapes(Defaults())
	for rows, want := range map[int]int{1: 2, 2: 2, 3: 4, 5: 6, 8: 8} {
		if got := s.Padded(rows); got != want {
			t.Errorf("%d rows take %d, want %d", rows, got, want)
		}
	}
	if got := (Rule{Kind: Whole}).Shapes(Defaults()).Padded(1); got != 1 {
		t.Errorf("under the whole rule one row takes %d", got)
	}
}

func TestQuantized(t *testing.T) {
	matrix := func(k gguf.Type) gguf.Tensor { return gguf.Tensor{Shape: []uint64{64, 64}, Type: k} }
	norm := gguf.Tensor{Shape: []uint64{64}, Type: gguf.F32}
	for _, c := range []struct {
		h    gguf.Head
		want bool
	}{
		{gguf.Head{Parts: 1, Tensors: []gguf.Tensor{matrix(8), matrix(12), norm}}, true},
		{gguf.Head{Parts: 1, Tensors: []gguf.Tensor{matrix(8), matrix(gguf.F32)}}, false},
		{gguf.Head{Parts: 1, Tensors: []gguf.Tensor{matrix(gguf.BF16)}}, false},
		{gguf.Head{Parts: 3, Tensors: []gguf.Tensor{matrix(8)}}, false},
	} {
		if got := Quantized(c.h); got != c.want {
			t.Errorf("%+v: %v", c.h, got)
		}
	}
}
