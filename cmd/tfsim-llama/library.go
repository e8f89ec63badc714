package main

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/hybridgroup/yzma/pkg/llama"
	"github.com/hybridgroup/yzma/pkg/loader"
	"github.com/jupiterrider/ffi"

	"github.com/tfsim/tfsim/device/llamacpp/libs"
)

// build is what the library calls itself.
var build string

// load opens the libraries in a folder, refuses any release but the one the
// bindings are made for, and starts llama.cpp. A symbol that is missing is
// named in the error.
func load(dir string) error {
	if dir == "" {
		return fmt.Errorf("no folder of libraries: -lib is empty")
	}
	lib, err := loader.LoadLibrary(dir, "llama")
	if err != nil {
		return fmt.Errorf("cannot open %s: %w", loader.GetLibraryFilename(dir, "llama"), err)
	}
	version, err := lib.Prep("llama_version", &ffi.TypePointer)
	if err != nil {
		return fmt.Errorf("%s has no llama_version: it is not llama.cpp %s", loader.GetLibraryFilename(dir, "llama"), libs.Release)
	}
	var name *byte
	version.Call(unsafe.Pointer(&name))
	build = cString(name)
	if err := libs.CheckVersion(build); err != nil {
		return err
	}
	if err := llama.Load(dir); err != nil {
		return fmt.Errorf("llama.cpp %s in %s: %w", build, dir, err)
	}
	// Set once: each callback made is one of a few that a process can have.
	llama.LogSet(purego.NewCallback(logLine))
	llama.Init()
	return nil
}

// logLine passes on warnings and errors.
func logLine(level int32, text *byte, _ uintptr) uintptr {
	const warn, failure = 3, 4
	if level == warn || level == failure {
		fmt.Fprintln(os.Stderr, strings.TrimSpace(cString(text)))
	}
	return 0
}

func cString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
