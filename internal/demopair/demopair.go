// Package demopair gives tests what they need to run the demo pair of models
// through llama.cpp.
package demopair

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
)

var built struct {
	once    sync.Once
	dir     string
	program string
	err     error
}

// Settings are those of the demo pair on one thread of a CPU. Where the
// libraries are not, the test is skipped. The program for llama.cpp is built
// once, unless one is named in the environment.
func Settings(t testing.TB) llamacpp.Options {
	t.Helper()
	lib, err := libs.Find("")
	if err != nil {
		t.Skipf("no llama.cpp here: %v", err)
	}
	built.once.Do(build)
	if built.err != nil {
		t.Fatalf("cannot build the program: %v", built.err)
	}
	o := llamacpp.Options{Settings: llamacpp.Defaults(), Program: built.program}
	o.Library, o.Model, o.Drafter, o.GPULayers = lib, file("target-q8_0.gguf"), file("draft-q8_0.gguf"), 0
	return o
}

// file is a file of the pair.
func file(name string) string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "device", "llamacpp", "testdata", "models", name)
}

func build() {
	if built.program = os.Getenv(llamacpp.ProgramEnv); built.program != "" {
		return
	}
	if built.dir, built.err = os.MkdirTemp("", "tfsim-llama"); built.err != nil {
		return
	}
	built.program = filepath.Join(built.dir, llamacpp.Program)
	cmd := exec.Command("go", "build", "-o", built.program, "github.com/tfsim/tfsim/cmd/tfsim-llama")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		built.err = errors.New(string(out))
	}
}

// Missing skips a test that failed to open the pair for want of a system's
// library.
func Missing(t testing.TB, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), "libffi") {
		t.Skip(err)
	}
}

// Clean removes what was built; a TestMain calls it last.
func Clean() {
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
}
