//go:build unix

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// stream is one of the two streams of the protocol.
type stream struct{ in, out *os.File }

func (s stream) Read(b []byte) (int, error)  { return s.in.Read(b) }
func (s stream) Write(b []byte) (int, error) { return s.out.Write(b) }

// streams are standard input and output, for turns, and files 3 and 4, for
// asides. Standard output is taken for the protocol alone: what a library
// prints goes to standard error instead.
func streams() (turns, asides stream, err error) {
	out, err := unix.Dup(1)
	if err != nil {
		return stream{}, stream{}, err
	}
	for _, fd := range []int{out, 3, 4} {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, unix.FD_CLOEXEC); err != nil {
			return stream{}, stream{}, fmt.Errorf("files 3 and 4 are not open; only tfsim starts this program: %w", err)
		}
	}
	if err := redirect(2, 1); err != nil {
		return stream{}, stream{}, err
	}
	turns = stream{os.Stdin, os.NewFile(uintptr(out), "replies")}
	return turns, stream{os.NewFile(3, "asides"), os.NewFile(4, "answers")}, nil
}
