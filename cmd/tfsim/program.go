package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// program names what decides the results of a run besides its input: the
// release or commit that this was built from or, where the build names none,
// the hash of the program itself.
var program = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if v := info.Main.Version; ok && v != "" && v != "(devel)" && !strings.HasSuffix(v, "+dirty") {
		return v
	}
	sum := sha256.New()
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	file, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer func() { _ = file.Close() }()
	if _, err := io.Copy(sum, file); err != nil {
		return "unknown"
	}
	return "build " + hex.EncodeToString(sum.Sum(nil))[:16]
})
