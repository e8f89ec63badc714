//go:build unix

package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// stream is one of the two streams of the protocol.
type stream struct{ in, out *os.File }

// linger is how long a turn is looked for before it is waited for: while
// replies decode, the next one comes within it, and to be woken takes longer
// than to look. An idle process looks once.
const linger = 100 * time.Microsecond

// turnStream is a stream whose reader lingers.
type turnStream struct{ stream }

func (s turnStream) Read(b []byte) (int, error) {
	fds := []unix.PollFd{{Fd: int32(s.in.Fd()), Events: unix.POLLIN}}
	for started := time.Now(); time.Since(started) < linger; {
		if n, _ := unix.Poll(fds, 0); n != 0 {
			break // there, or what is wrong shows when it is read
		}
	}
	return s.stream.Read(b)
}

func (s stream) Read(b []byte) (int, error)  { return s.in.Read(b) }
func (s stream) Write(b []byte) (int, error) { return s.out.Write(b) }

// streams are standard input and output, for turns, and files 3 and 4, for
// asides. Standard output is taken for the protocol alone: what a library
// prints goes to standard error instead.
func streams() (turns turnStream, asides stream, err error) {
	out, err := unix.Dup(1)
	if err != nil {
		return turns, asides, err
	}
	for _, fd := range []int{out, 3, 4} {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, unix.FD_CLOEXEC); err != nil {
			return turns, asides, fmt.Errorf("files 3 and 4 are not open; only tfsim starts this program: %w", err)
		}
	}
	if err := redirect(2, 1); err != nil {
		return turns, asides, err
	}
	turns = turnStream{stream{os.Stdin, os.NewFile(uintptr(out), "replies")}}
	return turns, stream{os.NewFile(3, "asides"), os.NewFile(4, "answers")}, nil
}
