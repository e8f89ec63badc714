package llamacpp

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
	"github.com/tfsim/tfsim/device/remote"
)

// Program is the name of the program that llama.cpp runs in.
const Program = "tfsim-llama"

// ProgramEnv names the program's file.
const ProgramEnv = "TFSIM_LLAMA"

// Options say what to open.
type Options struct {
	Settings
	// Program is the file of cmd/tfsim-llama; empty to look for it.
	Program string
	// Answer is how long the program may say nothing while a call waits, before
	// it is killed and the call returns device.ErrLost; 0 waits for ever.
	// Loading may take longer: see Ready.
	Answer time.Duration
}

// Device is a device on llama.cpp, in another process.
type Device struct {
	*remote.Client
	dialer *dialer
}

var _ device.Killer = (*Device)(nil)

// Open starts the program and waits until the models are loaded, or until
// Ready is over (remote.ErrNotReady). The context bounds the start alone.
func Open(ctx context.Context, o Options) (*Device, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	for _, file := range []string{o.Model, o.Drafter} {
		if file == DrafterNone || file == DrafterLookup {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
	}
	var err error
	if o.Library, err = libs.Find(o.Library); err != nil {
		return nil, err
	}
	if o.Program, err = findProgram(o.Program); err != nil {
		return nil, err
	}
	d := &dialer{program: o.Program, args: o.args()}
	c, err := remote.Open(ctx, d.dial, remote.Patience{Ready: o.Ready(), Answer: o.Answer})
	if err != nil {
		return nil, err
	}
	return &Device{Client: c, dialer: d}, nil
}

// PID is the process that llama.cpp runs in.
func (d *Device) PID() int { return d.dialer.pid() }

// Kill ends the process, from any goroutine: a call that hangs then returns
// device.ErrLost.
func (d *Device) Kill() { d.dialer.kill() }

func findProgram(named string) (string, error) {
	if named != "" {
		_, err := os.Stat(named)
		return named, err
	}
	if file := os.Getenv(ProgramEnv); file != "" {
		if _, err := os.Stat(file); err != nil {
			return "", fmt.Errorf("%s: %w", ProgramEnv, err)
		}
		return file, nil
	}
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe), filepath.Join(filepath.Dir(exe), libs.Folder))
	}
	dirs = append(dirs, libs.Folder)
	for _, dir := range dirs {
		if file, err := filepath.Abs(filepath.Join(dir, Program)); err == nil {
			if _, err := os.Stat(file); err == nil {
				return file, nil
			}
		}
	}
	if file, err := exec.LookPath(Program); err == nil {
		return file, nil
	}
	return "", fmt.Errorf("%s not found: run make llama, put it beside this program, or name it in %s", Program, ProgramEnv)
}
