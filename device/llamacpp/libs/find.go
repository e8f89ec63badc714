package libs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Env names a folder of libraries.
const Env = "TFSIM_LLAMA_LIB"

// Folder is where fetched libraries go, in a checkout or beside the program.
const Folder = ".llama"

// Find gives the folder of the libraries: the one named, that of the
// environment, or one that was fetched for this platform into .llama, in the
// working folder, one above it, or the program's own. A package that had to be
// asked for by name comes before the default one.
func Find(named string) (string, error) {
	for _, dir := range []string{named, os.Getenv(Env)} {
		if dir == "" {
			continue
		}
		if !holds(dir) {
			return "", fmt.Errorf("no %s in %s", File("llama"), dir)
		}
		return dir, nil
	}
	for _, base := range bases() {
		for _, p := range slices.Backward(Packages) {
			if p.Platform != runtime.GOOS+"/"+runtime.GOARCH {
				continue
			}
			if dir := filepath.Join(base, Folder, p.Name); holds(dir) {
				return dir, nil
			}
		}
	}
	return "", fmt.Errorf("llama.cpp libraries not found: run make llama, or name their folder with --llama-lib or %s", Env)
}

func bases() (dirs []string) {
	if dir, err := os.Getwd(); err == nil {
		for {
			dirs = append(dirs, dir)
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	return dirs
}

// File is the file name of a library on this platform.
func File(name string) string {
	if runtime.GOOS == "darwin" {
		return "lib" + name + ".dylib"
	}
	return "lib" + name + ".so"
}

func holds(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, File("llama")))
	return err == nil
}

// CheckVersion refuses a llama.cpp of another release by name.
func CheckVersion(version string) error {
	if version == Release || strings.HasPrefix(version, Release+"-") {
		return nil
	}
	return fmt.Errorf("the libraries are llama.cpp %q; this program is made for %s and no other", version, Release)
}
