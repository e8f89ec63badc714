package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/tfsim/tfsim/device/remote"
)

// ErrorMark begins the line in which the program says why it cannot start.
const ErrorMark = Program + ": "

// dialer starts the program.
type dialer struct {
	program string
	args    []string
	mu      sync.Mutex
	last    *process
}

func (d *dialer) pid() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last == nil {
		return 0
	}
	return d.last.cmd.Process.Pid
}

func (d *dialer) kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last != nil {
		d.last.signalKill()
	}
}

func (d *dialer) dial(context.Context) (remote.Conn, error) {
	p := &process{cmd: exec.Command(d.program, d.args...)}
	// Without it a failed assertion starts a debugger.
	p.cmd.Env = append(os.Environ(), "GGML_NO_BACKTRACE=1")
	p.cmd.Stderr = &p.words
	p.cmd.WaitDelay = time.Second
	theirs, err := p.streams()
	if err != nil {
		p.closeStreams()
		return nil, err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.ExtraFiles = theirs[0], theirs[1], theirs[2:]
	endWithParent(p.cmd)
	err = p.start()
	for _, f := range theirs {
		_ = f.Close() // the program has its own
	}
	if err != nil {
		p.closeStreams()
		return nil, fmt.Errorf("cannot start %s: %w", d.program, err)
	}
	d.mu.Lock()
	d.last = p
	d.mu.Unlock()
	return p, nil
}

// process is the program as a connection.
type process struct {
	turns, asides stream
	cmd           *exec.Cmd
	words         lastWords
	once          sync.Once
	how           error
}

// stream is two pipes.
type stream struct{ in, out *os.File }

func (s stream) Read(b []byte) (int, error)  { return s.in.Read(b) }
func (s stream) Write(b []byte) (int, error) { return s.out.Write(b) }

func (p *process) Turns() io.ReadWriter  { return p.turns }
func (p *process) Asides() io.ReadWriter { return p.asides }

// streams makes the pipes, and gives the program's ends of them: its standard
// input and output for turns, files 3 and 4 for asides.
func (p *process) streams() (theirs []*os.File, err error) {
	for _, s := range []*stream{&p.turns, &p.asides} {
		var in, out *os.File
		if in, s.out, err = blockingPipe(); err == nil {
			s.in, out, err = blockingPipe()
		}
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, in, out)
	}
	return theirs, nil
}

func (p *process) closeStreams() {
	for _, s := range []stream{p.turns, p.asides} {
		_ = s.in.Close() // a file that was never opened says so
		_ = s.out.Close()
	}
}

// patience is how long the program has to end by itself.
const patience = 2 * time.Second

// Close ends the program: it leaves when its input ends, and is killed if it
// does not. The error says how it ended, if that was not in order.
func (p *process) Close() error {
	p.once.Do(func() {
		p.closeInput()
		timer := time.AfterFunc(patience, p.signalKill)
		err := p.wait()
		if timer.Stop() {
			p.how = p.told(err)
		}
	})
	return p.how
}

// Kill ends the program at once.
func (p *process) Kill() {
	p.once.Do(func() {
		p.signalKill()
		p.closeInput()
		_ = p.wait()
	})
}

// signalKill ends a program that is stopped, too. It may have ended.
func (p *process) signalKill() { _ = p.cmd.Process.Kill() }

func (p *process) closeInput() {
	_ = p.turns.out.Close()
	_ = p.asides.out.Close()
}

// start starts the program.
func (p *process) start() error {
	running.Lock()
	defer running.Unlock()
	err := p.cmd.Start()
	if err == nil {
		running.all[p] = true
	}
	return err
}

// wait waits until the program has ended.
func (p *process) wait() error {
	err := p.cmd.Wait()
	running.Lock()
	delete(running.all, p)
	running.Unlock()
	// What reads them has seen their end.
	_ = p.turns.in.Close()
	_ = p.asides.in.Close()
	return err
}

// told makes an error of how the program ended and what it said last.
func (p *process) told(err error) error {
	if err == nil {
		return nil
	}
	words := p.words.String()
	if i := strings.LastIndex(words, ErrorMark); i >= 0 {
		return errors.New(strings.TrimSpace(words[i:]))
	}
	if strings.Contains(words, "libffi") {
		return errors.New(Program + " needs libffi.so.8: on Debian and Ubuntu, apt install libffi8")
	}
	if words = strings.TrimSpace(words); words != "" {
		return fmt.Errorf("%s: %w: %s", Program, err, words)
	}
	return fmt.Errorf("%s: %w", Program, err)
}

// lastWords keeps the end of what is written to it.
type lastWords struct {
	mu sync.Mutex
	b  []byte
}

func (w *lastWords) Write(b []byte) (int, error) {
	const most = 4 << 10
	w.mu.Lock()
	defer w.mu.Unlock()
	w.b = append(w.b, b...)
	if n := len(w.b) - most; n > 0 {
		w.b = append(w.b[:0], w.b[n:]...)
	}
	return len(b), nil
}

func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.b)
}
