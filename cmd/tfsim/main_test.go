package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/internal/demopair"
)

// broken, in the environment, makes a process of the program fail.
const broken = "TFSIM_TEST_BROKEN"

// TestMain keeps the environment of whoever runs the tests out of them.
func TestMain(m *testing.M) {
	// With a command, the test binary is the program itself: for tests that
	// need it as a process of its own, and for workers that it starts.
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		if os.Getenv(broken) != "" {
			_, _ = fmt.Fprintln(os.Stderr, "tfsim: broken")
			os.Exit(exitUsage)
		}
		main()
	}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, envPrefix) || name == "NO_COLOR" {
			_ = os.Unsetenv(name)
		}
	}
	for _, name := range []string{"NATS_URL", "NATS_TOKEN", "NATS_CREDS"} {
		_ = os.Unsetenv(name)
	}
	dir, err := os.MkdirTemp("", "tfsim-config-")
	if err != nil {
		panic(err)
	}
	_ = os.Setenv("XDG_CONFIG_HOME", dir)
	code := m.Run()
	_ = os.RemoveAll(dir)
	demopair.Clean()
	os.Exit(code)
}

// process is a command line in a process of its own, to be started.
func process(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	self, err := os.Executable()
	require.NoError(t, err)
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.CommandContext(t.Context(), self, args...)
	// One that is killed leaves its files.
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// run runs one command line in this process.
func run(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = Execute(args, &out, &errs)
	return out.String(), errs.String(), code
}

// runWith is run on a tree that also has a command "probe", which body runs.
func runWith(o *options, body func(*cobra.Command) error, args ...string) (stdout, stderr string, code int) {
	root := newRoot(o)
	root.AddCommand(&cobra.Command{
		Use:  "probe",
		RunE: func(cmd *cobra.Command, _ []string) error { return body(cmd) },
	})
	var out, errs bytes.Buffer
	code = execute(root, append([]string{"probe"}, args...), &out, &errs)
	return out.String(), errs.String(), code
}

func TestExitStatus(t *testing.T) {
	cause := errors.New("cause")
	for _, c := range []struct {
		name   string
		err    error
		code   int
		stderr string
	}{
		{"nothing", nil, 0, ""},
		{"unmarked", cause, 2, "tfsim: cause\n"},
		{"usage", usage(cause), 2, "tfsim: cause\n"},
		{"failed", failed(cause), 1, "tfsim: cause\n"},
		{"failed, already said", failed(nil), 1, ""},
		{"wrapped", fmt.Errorf("file: %w", failed(cause)), 1, "tfsim: file: cause\n"},
		{"joined", errors.Join(cause, errors.New("other")), 2, "tfsim: cause; other\n"},
		{"of several lines", errors.New("yaml:\n  line 2: bad\n\n"), 2, "tfsim: yaml: line 2: bad\n"},
		{"fault", fault(cause), 3, "tfsim: internal fault: cause; please report this with " +
			"the command line, its input and what 'tfsim version' prints\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, code := runWith(&options{}, func(*cobra.Command) error { return c.err })
			assert.Equal(t, c.code, code)
			assert.Equal(t, c.stderr, stderr)
			assert.Empty(t, stdout)
		})
	}
	assert.ErrorIs(t, failed(cause), cause)
}

func TestPanicIsAFault(t *testing.T) {
	for name, body := range map[string]func(*cobra.Command) error{
		"index": func(cmd *cobra.Command) error { _ = make([]int, 2)[len(cmd.Use)]; return nil },
		"nil":   func(*cobra.Command) error { var o *options; o.Width = 1; return nil },
		"value": func(*cobra.Command) error { panic("of several\nlines") },
	} {
		t.Run(name, func(t *testing.T) {
			_, stderr, code := runWith(&options{}, body)
			assert.Equal(t, 3, code)
			assert.Contains(t, stderr, "internal fault")
			assert.Contains(t, stderr, "main_test.go:")
			assert.Contains(t, stderr, "please report")
			assertOneLine(t, stderr)
		})
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputCutShortIsAnError(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, 2, Execute([]string{"version"}, brokenWriter{}, &stderr))
	assert.Equal(t, "tfsim: writing standard output: no space left\n", stderr.String())
}

func TestOneLine(t *testing.T) {
	assert.Equal(t, "", oneLine("\n\n"))
	assert.Equal(t, "a", oneLine("a"))
	assert.Equal(t, "a; b", oneLine("a\r\n\r\n\tb\n"))
	assert.Equal(t, "errors: a; b", oneLine("errors:\n  a\n  b"))
}

func assertOneLine(t *testing.T, s string) {
	t.Helper()
	require.NotEmpty(t, s)
	assert.Equal(t, strings.Index(s, "\n"), len(s)-1, "not one line: %q", s)
	assert.True(t, strings.HasPrefix(s, "tfsim: "), "no prefix: %q", s)
}
