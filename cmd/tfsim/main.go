// Command tfsim studies how a server that answers a few people at once from
// one machine schedules its prompts, drafts and replies. Each command lives in
// a file of its own; this one turns what they return into an exit status.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1 // an expect of a scenario did not hold
	exitUsage  = 2 // bad input or usage
	exitFault  = 3 // a fault of the program itself

	exitInterrupted = 130 // ended by Ctrl-C; what is printed is what was done, if anything
)

// exitError is an error that chose its exit status. Its err may be nil: then
// the command has already said what there is to say.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage marks err as bad input or usage. An error that no one marked counts as
// one too; usage is for where that should be plain to read.
func usage(err error) error { return &exitError{code: exitUsage, err: err} }

// failed marks err as an expectation that did not hold.
func failed(err error) error { return &exitError{code: exitFailed, err: err} }

// fault marks err as a fault of the program itself.
func fault(err error) error { return &exitError{code: exitFault, err: err} }

// interrupted marks err as an end by Ctrl-C.
func interrupted(err error) error { return &exitError{code: exitInterrupted, err: err} }

func main() {
	os.Exit(Execute(os.Args[1:], os.Stdout, os.Stderr))
}

// Execute runs one command line and returns its exit status. An error is
// printed once, as one line on stderr.
func Execute(args []string, stdout, stderr io.Writer) int {
	return execute(newRoot(&options{}), args, stdout, stderr)
}

func execute(root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	err := runRecovered(root, args, out, stderr)
	if err == nil && out.err != nil {
		err = usage(fmt.Errorf("writing standard output: %w", out.err))
	}
	return report(err, stderr)
}

// report prints err and returns the exit status that it stands for.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	code := exitUsage
	if e := (*exitError)(nil); errors.As(err, &e) {
		code = e.code
	}
	msg := oneLine(err.Error())
	if code == exitFault {
		msg = "internal fault: " + msg +
			"; please report this with the command line, its input and what 'tfsim version' prints"
	}
	if msg != "" {
		fmt.Fprintf(stderr, "tfsim: %s\n", msg)
	}
	return code
}

// recovered turns a panic into a fault that names where it happened. It is to
// be deferred directly. It sees only its own goroutine: a command that starts
// others recovers there and returns the fault.
func recovered(err *error) {
	p := recover()
	if p == nil {
		return
	}
	*err = fault(fmt.Errorf("%v%s", p, panicSite()))
}

// panicSite names the function and line that panicked: the first frame below
// the runtime's own.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && !strings.HasPrefix(f.Function, "runtime."):
			file := f.File[strings.LastIndexByte(f.File, '/')+1:]
			return fmt.Sprintf(" (in %s, %s:%d)", f.Function, file, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// oneLine joins the lines of s, so that an error of a library or several
// joined errors print as one.
func oneLine(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.ReplaceAll(strings.Join(kept, "; "), ":; ", ": ")
}

// output is standard output that remembers its first error, so that commands
// need not check each print and results cut short never exit with 0.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// Unwrap is the writer beneath, which may be a terminal.
func (o *output) Unwrap() io.Writer { return o.w }
