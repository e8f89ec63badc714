//go:build !unix

package llamacpp

import "os"

func blockingPipe() (r, w *os.File, err error) { return os.Pipe() }
