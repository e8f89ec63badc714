package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notRun are the starts of commands that the documentation shows and this test
// leaves out, and why.
var notRun = map[string]string{
	"top":                                   "needs a running server",
	"serve":                                 "runs until it is stopped",
	"worker":                                "works until it is stopped; tested with processes beside it",
	"tune --listen":                         "waits for workers of other machines",
	"calibrate":                             "needs a model",
	"replay":                                "needs a record: tested beside the server",
	"compare":                               "needs a record: tested beside the server",
	"scenario --tui":                        "needs a terminal",
	"scenario --html":                       "drawing is tested beside it",
	"scenario --plot":                       "drawing is tested beside it",
	"scenario --trace":                      "drawing is tested beside it",
	"machine fit --machine m":               "takes minutes",
	"scenario --seed 901":                   "takes a minute; a case of it is run",
	"scenario scenarios/draft-pricing.yaml": "takes ten seconds; a case of it is run",
}

// shown is a command line of the documentation.
type shown struct {
	at   string // file:line
	line string
	// output is what the next block of text says it prints, if there is one.
	output string
}

var fence = regexp.MustCompile("^```([a-z]*)$")

// documented gives the command lines in a file's sh and console blocks.
func documented(t *testing.T, path string) (all []shown) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	open, block, before := false, "", ""
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if m := fence.FindStringSubmatch(line); m != nil {
			if open = !open; open {
				before, block = block, m[1]
			}
			continue
		}
		switch {
		case !open:
		case block == "sh" || block == "console":
			command, prompted := strings.CutPrefix(strings.TrimSpace(line), "$ ")
			if command != "" && (prompted || block == "sh") {
				all = append(all, shown{at: fmt.Sprintf("%s:%d", filepath.Base(path), n), line: command})
			}
		case block == "text" && before == "console" && len(all) > 0:
			all[len(all)-1].output += line + "\n"
		}
	}
	return all
}

// Every command in the documentation works as it stands, from the root of the
// repository.
func TestDocumentedCommands(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	commands := 0
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		for _, c := range documented(t, file) {
			t.Run(c.at, func(t *testing.T) {
				line, _, _ := strings.Cut(c.line, " #")
				line = strings.TrimSpace(line)
				if targets, ok := strings.CutPrefix(line, "make "); ok {
					for target := range strings.FieldsSeq(targets) {
						if !strings.Contains(target, "=") {
							require.Regexp(t, "(?m)^"+regexp.QuoteMeta(target)+":", string(makefile))
						}
					}
					return
				}
				line, ok := strings.CutPrefix(strings.TrimPrefix(line, "go run ./cmd/"), "tfsim ")
				if !ok {
					t.Skip("another program's")
				}
				for start, why := range notRun {
					if strings.HasPrefix(line, start) {
						t.Skip(why)
					}
				}
				commands++
				copied(t, root)
				stdout, stderr, code := run(words(t, line)...)
				require.Equal(t, 0, code, stderr)
				if c.output != "" {
					require.Contains(t, stdout, c.output, "what %s shows is what it prints", filepath.Base(file))
				}
			})
		}
	}
	require.Positive(t, commands)
}

// copied makes a copy of what the documented commands read, for them to write
// in, and goes there.
func copied(t *testing.T, root string) {
	dir := t.TempDir()
	for _, name := range []string{"docs", "scenarios", "sim/validate/receipts", "costmodel/machines"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))))
	}
	t.Chdir(dir)
}

// words splits a command line at blanks, with names that match a pattern in
// its place; quotes keep blanks.
func words(t *testing.T, line string) (all []string) {
	for _, w := range regexp.MustCompile(`(?:[^\s'"]|'[^']*'|"[^"]*")+`).FindAllString(line, -1) {
		plain := strings.NewReplacer(`'`, "", `"`, "").Replace(w)
		require.NotContains(t, []string{"|", ">", "&&", ";"}, plain, "one command a line")
		if plain == w && strings.ContainsAny(w, "*?") {
			names, err := fs.Glob(os.DirFS("."), w)
			require.NoError(t, err)
			require.NotEmpty(t, names, w)
			all = append(all, names...)
			continue
		}
		all = append(all, plain)
	}
	return all
}

// The files that the documentation links to are there.
func TestDocumentedLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	link := regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	for _, file := range append(files, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			_, err := os.Stat(filepath.Join(filepath.Dir(file), m[1]))
			require.NoError(t, err, "%s links to %s", file, m[1])
		}
	}
}
