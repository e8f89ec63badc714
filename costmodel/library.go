package costmodel

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"
)

//go:embed machines/*.yaml
var machines embed.FS

// Library gives the names of the built-in tables, sorted.
func Library() []string {
	entries, err := machines.ReadDir("machines")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}

// Open reads a table: a built-in one by its name, or a file by its path. What
// holds a slash or ends in .yaml or .yml is a path. An unknown name's error
// lists the names there are; a file's errors are those of [Parse] and of
// reading it.
func Open(nameOrPath string) (*Table, error) {
	if isPath(nameOrPath) {
		data, err := os.ReadFile(nameOrPath)
		if err != nil {
			return nil, err
		}
		return Parse(nameOrPath, data)
	}
	if !slices.Contains(Library(), nameOrPath) {
		return nil, fmt.Errorf("unknown machine %q; accepted: a path of a .yaml file, or %s",
			nameOrPath, strings.Join(Library(), ", "))
	}
	file := "machines/" + nameOrPath + ".yaml"
	data, err := machines.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, data)
}

func isPath(s string) bool {
	return strings.ContainsAny(s, `/\`) || strings.HasSuffix(s, ".yaml") || strings.HasSuffix(s, ".yml")
}
