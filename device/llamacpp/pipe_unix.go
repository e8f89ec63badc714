//go:build unix

package llamacpp

import (
	"os"
	"syscall"
)

// blockingPipe is a pipe whose reader waits in the system, not in the
// runtime's poller: the one that waits for a reply is then woken directly,
// which is what most of the time of a short call goes to.
func blockingPipe() (r, w *os.File, err error) {
	var fd [2]int
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(fd[:]); err != nil {
		return nil, nil, os.NewSyscallError("pipe", err)
	}
	syscall.CloseOnExec(fd[0])
	syscall.CloseOnExec(fd[1])
	return os.NewFile(uintptr(fd[0]), "|0"), os.NewFile(uintptr(fd[1]), "|1"), nil
}
