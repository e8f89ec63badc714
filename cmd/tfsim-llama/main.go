// Command tfsim-llama is the process in which llama.cpp runs: it serves the
// device protocol on its standard input and output, and on files 3 and 4. Package llamacpp starts
// it, and again if it dies. It is of use to nobody else.
//
// It is a program of its own because a failed assertion in llama.cpp ends the
// process, and because the bindings stop it before main where libffi.so.8 is
// missing.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/remote"
	"github.com/tfsim/tfsim/device/warm"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, llamacpp.ErrorMark+err.Error())
		os.Exit(1)
	}
}

func run() error {
	s := llamacpp.Defaults()
	s.Flags(flag.CommandLine)
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("arguments that are no flags: %q", flag.Args())
	}
	if err := s.Check(); err != nil {
		return err
	}
	// A terminal's interrupt is for the server, which lets its replies end.
	signal.Ignore(os.Interrupt)
	// The Go side of this process does one small thing at a time; more
	// processors only wake each other up. llama.cpp has threads of its own.
	runtime.GOMAXPROCS(1)
	turns, asides, err := streams()
	if err != nil {
		return err
	}
	if err := load(s.Library); err != nil {
		return err
	}
	d, err := open(s)
	if err != nil {
		return err
	}
	if s.WarmUp && d.info.Backend != cpuBackend {
		if err := warm.Up(context.Background(), d); err != nil {
			return fmt.Errorf("warming up: %w", err)
		}
	}
	return remote.Serve(d, turns, asides)
}
