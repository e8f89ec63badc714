package llamacpp

import (
	"os/exec"
	"syscall"
)

// endWithParent has the system kill the program when this process is gone,
// however it ended: one that is stopped, or hangs, does not see the end of its
// input. The system means the thread that starts the program: the runtime keeps
// that, as no goroutine here ends while it is locked to one.
func endWithParent(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
