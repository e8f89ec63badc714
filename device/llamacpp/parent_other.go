//go:build !linux

package llamacpp

import "os/exec"

// endWithParent does nothing: the program leaves when its input ends.
func endWithParent(*exec.Cmd) {}
