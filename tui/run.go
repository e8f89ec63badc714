package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/live"
)

// Terminal is where the dashboard is shown.
type Terminal struct {
	In, Out *os.File
	// Color says whether to use colours.
	Color bool
}

// ErrPanic says that the dashboard itself failed; the terminal is restored.
var ErrPanic = tea.ErrProgramPanic

// Check says why nothing can be shown on the terminal, if it is none.
func (t Terminal) Check() error {
	for _, f := range []struct {
		file *os.File
		name string
	}{{t.In, "input"}, {t.Out, "output"}} {
		if f.file == nil || !term.IsTerminal(f.file.Fd()) {
			return fmt.Errorf("the dashboard needs a terminal: standard %s is none", f.name)
		}
	}
	if os.Getenv("TERM") == "dumb" {
		return errors.New("the dashboard needs a terminal that can place its cursor: TERM is dumb")
	}
	return nil
}

// Simulate plays a file until the user quits.
func Simulate(ctx context.Context, f *scenario.File, o study.Options, t Terminal) error {
	if err := t.Check(); err != nil {
		return err
	}
	s, err := newShow(f, o)
	if err != nil {
		return err
	}
	m := newModel(t.Color)
	m.show = s
	return run(ctx, m, t)
}

// Attach follows the server at a URL until the user quits; key is the API key it
// wants, "" for none.
func Attach(ctx context.Context, url, key string, t Terminal) error {
	if err := t.Check(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	feed, err := live.OpenAs(ctx, url, key)
	if err != nil {
		return err
	}
	m := newModel(t.Color)
	m.live = newFollower(ctx, feed)
	return run(ctx, m, t)
}

func run(ctx context.Context, m *Model, t Terminal) error {
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(canvas{t.Out}), tea.WithFPS(30),
		tea.WithFilter(quitOnInterrupt),
	}
	if !t.Color {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	p := tea.NewProgram(m, options...)
	defer quitOnHangUp(ctx, p)()
	_, err := p.Run()
	switch {
	case ctx.Err() != nil:
		return context.Canceled
	case err != nil:
		return err
	}
	return m.err
}

// quitOnInterrupt makes an interrupt end the program as a termination does. One
// that is interrupted closes its input while it is still read.
func quitOnInterrupt(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.InterruptMsg); ok {
		return tea.QuitMsg{}
	}
	return msg
}

// quitOnHangUp makes a hang-up end the program as a termination does, which it
// handles itself, until the returned function is called.
func quitOnHangUp(ctx context.Context, p *tea.Program) (stop func()) {
	hung, forget := signal.NotifyContext(ctx, syscall.SIGHUP)
	unhook := context.AfterFunc(hung, p.Quit)
	return func() {
		unhook()
		forget()
	}
}
