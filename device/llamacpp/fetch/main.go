// Command fetch gets the prebuilt llama.cpp libraries with npm pack, checks
// them against the pinned sha512, and unpacks them.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tfsim/tfsim/device/llamacpp/libs"
)

func main() {
	dir := flag.String("dir", libs.Folder, "folder to put them in")
	name := flag.String("package", "", "package to get; by default the one of this platform")
	flag.Parse()
	if err := fetch(*dir, *name); err != nil {
		fmt.Fprintln(os.Stderr, "fetch:", err)
		os.Exit(1)
	}
}

func fetch(dir, name string) error {
	p, ok := libs.Default()
	if name != "" {
		p, ok = libs.Named(name)
	}
	if !ok {
		var names []string
		for _, p := range libs.Packages {
			names = append(names, p.Name)
		}
		return fmt.Errorf("no package %q for this platform; there are %s", name, strings.Join(names, ", "))
	}
	temporary, err := os.MkdirTemp("", "llama")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	spec := "@node-llama-cpp/" + p.Name + "@" + libs.Version
	npm := exec.Command("npm", "pack", "--silent", "--pack-destination", temporary, spec)
	npm.Stderr = os.Stderr
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm pack %s: %w", spec, err)
	}
	archives, err := filepath.Glob(filepath.Join(temporary, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("npm pack %s left %d archives", spec, len(archives))
	}
	archive, err := os.ReadFile(archives[0])
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// Nothing in the folder is for the repository.
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o644); err != nil {
		return err
	}
	into, err := p.Unpack(archive, dir)
	if err == nil {
		fmt.Printf("llama.cpp %s in %s\n", libs.Release, into)
	}
	return err
}
