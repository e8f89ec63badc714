package study

import (
	"fmt"
	"runtime"
	"strings"
)

// Panic is a fault of the simulation itself, and where it happened.
type Panic struct {
	Value any
	Site  string
}

func (p *Panic) Error() string { return fmt.Sprintf("%v (in %s)", p.Value, p.Site) }

// guard runs f and turns a panic into an error. Runs have goroutines of their
// own, so that nobody else could.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{v, panicSite()}
		}
	}()
	return f()
}

// panicSite names the function and line that panicked: the first frame below
// the runtime's own.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for panicking := false; ; {
		f, more := frames.Next()
		inside := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !inside {
			return fmt.Sprintf("%s, %s:%d", f.Function, f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
