//go:build unix

package llamacpp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
)

// A process that is stopped answers nothing: it is killed, and another goes on.
func TestStopped(t *testing.T) {
	t.Setenv(hopEnv, "device")
	o := Options{Settings: Defaults(), Program: os.Args[0], Answer: time.Second}
	o.Library, o.Model = t.TempDir(), "testdata/models/target-q8_0.gguf"
	if err := os.WriteFile(filepath.Join(o.Library, libs.File("llama")), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for name, call := range map[string]func() error{
		"begin": func() error {
			_, err := d.Begin(0, device.BeginOptions{})
			return err
		},
		"tokenize": func() error {
			_, err := d.Tokenize("x", false, false)
			return err
		},
	} {
		if err := call(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		stopped := d.PID()
		if err := syscall.Kill(stopped, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(stopped, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
			t.Fatalf("%v, %v", status, err)
		}
		if err := call(); !errors.Is(err, device.ErrLost) || !strings.HasSuffix(err.Error(), "no answer within 1s") {
			t.Fatalf("%s of a stopped process: %v", name, err)
		}
		if err := syscall.Kill(stopped, 0); !errors.Is(err, syscall.ESRCH) {
			t.Fatalf("the stopped process: %v", err)
		}
		if err := d.Restart(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := call(); err != nil {
			t.Fatalf("%s after a restart: %v", name, err)
		}
	}
}

// Who exits without closing its devices ends all of their programs, also those
// that are stopped.
func TestKillAll(t *testing.T) {
	t.Setenv(hopEnv, "device")
	var all []*process
	for i := range 2 {
		d := &dialer{program: os.Args[0]}
		c, err := d.dial(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c.(*process))
		if i > 0 {
			if err := syscall.Kill(d.pid(), syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}
	}
	KillAll()
	running.Unlock() // this process goes on
	for _, p := range all {
		_ = p.wait()
		if s := p.cmd.ProcessState.Sys().(syscall.WaitStatus); s.Signal() != syscall.SIGKILL {
			t.Errorf("ended by %v", s)
		}
	}
	if n := len(running.all); n > 0 {
		t.Errorf("%d are still kept", n)
	}
}
