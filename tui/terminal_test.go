package tui

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/live"
	"github.com/tfsim/tfsim/tui/view"
)

// childMode names the variable by which this test's program becomes a
// dashboard, to be run in a real terminal.
const childMode = "TUI_TEST_CHILD"

func TestMain(m *testing.M) {
	mode := os.Getenv(childMode)
	if mode == "" {
		os.Exit(m.Run())
	}
	if err := child(mode); err != nil {
		fmt.Fprintln(os.Stderr, "child:", strings.Split(err.Error(), "\n")[0])
		os.Exit(3)
	}
	os.Exit(0)
}

// faulty is a dialog that fails once a key is pressed.
type faulty struct{ pressed bool }

func (f *faulty) press(*Model, tea.KeyPressMsg) (bool, tea.Cmd) {
	f.pressed = true
	return true, nil
}

func (f *faulty) overlay() *view.Overlay {
	if f.pressed {
		panic("a fault of the view")
	}
	return nil
}

func child(mode string) error {
	terminal := Terminal{In: os.Stdin, Out: os.Stdout, Color: os.Getenv("NO_COLOR") == ""}
	if strings.HasPrefix(mode, "http") {
		return Attach(context.Background(), mode, "", terminal)
	}
	f, err := scenario.Load(os.Getenv("TUI_TEST_FILE"))
	if err != nil {
		return err
	}
	if mode == "play" {
		return Simulate(context.Background(), f, study.Options{}, terminal)
	}
	m := newModel(true)
	if m.show, err = newShow(f, study.Options{}); err != nil {
		return err
	}
	switch mode {
	case "panic":
		m.dialog = &faulty{}
	case "error":
		m.err = fmt.Errorf("the simulation failed")
	}
	return run(context.Background(), m, terminal)
}

// screen is a terminal of tmux with a shell in it.
type screen struct {
	*testing.T
	socket string
	before string // what it showed when the dashboard started
}

func newScreen(t *testing.T, width, height int) *screen {
	if testing.Short() {
		t.Skip("a real terminal takes seconds")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: no real terminal to test in")
	}
	s := &screen{T: t, socket: filepath.Join(t.TempDir(), "s")}
	cmd := exec.Command("tmux", "-S", s.socket, "-f", "/dev/null", "new-session", "-d",
		"-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "env PS1='ready> ' ENV= sh")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "TMUX=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Skipf("tmux does not start here: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	s.until("ready>")
	s.keys("seq 3", "Enter")
	s.until("3\nready>")
	return s
}

func (s *screen) tmux(args ...string) string {
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	require.NoError(s, err, "tmux %v: %s", args, out)
	return string(out)
}

// run starts the dashboard in a mode.
func (s *screen) run(mode, environment string) {
	program, err := os.Executable()
	require.NoError(s, err)
	file, err := filepath.Abs("testdata/busy.yaml")
	require.NoError(s, err)
	s.tmux("send-keys", "-l", fmt.Sprintf("%s %s=%s TUI_TEST_FILE=%s %s; echo status=$?", environment, childMode, mode, file, program))
	s.until("status=$?")
	s.before = s.all()
	s.keys("Enter")
}

func (s *screen) resize(width, height int) {
	s.tmux("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
}

func (s *screen) signal(name string) {
	shell := strings.TrimSpace(s.tmux("display-message", "-p", "#{pane_pid}"))
	require.NoError(s, exec.Command("sh", "-c", fmt.Sprintf("kill -%s $(ps -o pid= --ppid %s)", name, shell)).Run())
}

func (s *screen) keys(keys ...string) { s.tmux(append([]string{"send-keys"}, keys...)...) }

func (s *screen) text() string { return s.tmux("capture-pane", "-p") }

// all is the text with what has scrolled off, wrapped lines as one.
func (s *screen) all() string {
	return strings.TrimSpace(s.tmux("capture-pane", "-p", "-J", "-S", "-"))
}

// until waits until the screen shows a text.
func (s *screen) until(text string) string {
	s.Helper()
	for range 200 {
		if got := s.text(); strings.Contains(got, text) {
			return got
		}
		time.Sleep(50 * time.Millisecond)
	}
	require.Contains(s, s.text(), text)
	return ""
}

// restored waits for the shell and looks at the state of its terminal. Nothing
// but what the program says after its end is added to what was there.
func (s *screen) restored(status int, said string) {
	s.Helper()
	end := fmt.Sprintf("status=%d\nready>", status)
	s.until(end)
	got, kept := strings.CutPrefix(s.all(), s.before+"\n")
	require.True(s, kept, s.all())
	require.Regexp(s, "^"+said+end+"$", got)
	require.Equal(s, "0 1 0", strings.TrimSpace(s.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")))
	s.keys("clear; stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo -e isig -e opost | tr '\\n' ' '; echo do''ne.", "Enter")
	got = s.until("done.")
	for _, flag := range []string{"icanon", "echo", "isig", "opost"} {
		require.Regexp(s, regexp.MustCompile(`(?m)^[^>]*\b`+flag+`\b`), got)
	}
}

func TestRealTerminal(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.run("play", "")
	s.until("device, the last")
	s.keys("space")
	s.until("‖ 1×")
	s.keys("l", "l", "l")
	s.until("3 · 3")
	s.keys("h")
	s.until("2 · 2")
	s.keys("Tab", "Down", "Enter")
	s.until("─ round 1 ")
	s.keys("?")
	s.until("half a strip back")
	s.keys("Escape")
	s.until("totals")
	s.resize(200, 60)
	s.until("costs: believed, measured")
	s.resize(40, 10)
	s.until("The window is too small")
	s.resize(60, 20)
	s.until("device, the last")
	s.resize(80, 24)
	s.until("totals")
	s.keys("m", "q")
	s.restored(0, "")
}

// However it ends, and whatever sizes the window had, the terminal is restored.
func TestRealTerminalRestored(t *testing.T) {
	press := func(key string) func(*screen) { return func(s *screen) { s.keys(key) } }
	signal := func(name string) func(*screen) { return func(s *screen) { s.signal(name) } }
	for name, c := range map[string]struct {
		mode   string
		end    func(*screen)
		status int
		said   string
	}{
		"quit":        {"play", press("q"), 0, ""},
		"control C":   {"play", press("C-c"), 0, ""},
		"interrupted": {"play", signal("INT"), 0, ""},
		"terminated":  {"play", signal("TERM"), 0, ""},
		"hung up":     {"play", signal("HUP"), 0, ""},
		"error":       {"error", press("q"), 3, "child: the simulation failed\n"},
		"panic":       {"panic", press("x"), 3, `(?s)Caught panic:.*a fault of the view.*\n`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			s.run(c.mode, "")
			s.until("device, the last")
			s.resize(40, 10)
			s.until("The window is too small")
			s.resize(130, 40)
			s.until("costs: believed, measured")
			c.end(s)
			s.restored(c.status, c.said)
		})
	}
}

func TestRealTerminalWithoutColor(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.run("play", "NO_COLOR=yes")
	s.until("device, the last")
	require.NotRegexp(t, regexp.MustCompile(`\x1b\[(\d+;)*(3[0-7]|38|9[0-7]|4[0-7]|48)[;m]`), s.tmux("capture-pane", "-p", "-e"))
	s.keys("C-c")
	s.restored(0, "")
}

func TestRealTerminalLive(t *testing.T) {
	data, err := os.ReadFile("testdata/busy.jsonl")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, l := range lines[:300] {
			_, _ = fmt.Fprintf(w, "data: %s\n", l)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	s := newScreen(t, 120, 40)
	s.run(server.URL, "")
	s.until("● live")
	s.until("gamma")
	s.keys("space")
	s.until("only watched")
	server.CloseClientConnections()
	s.until("○ offline")
	s.until("● live") // connected again
	server.Listener.Close()
	server.CloseClientConnections()
	s.until("no connection")
	s.keys("q")
	s.restored(0, "")
}

// What comes over HTTP shows what the same events show from a file.
func TestFollower(t *testing.T) {
	m := newModel(false)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	data, err := os.ReadFile("testdata/busy.jsonl")
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(data)
		<-r.Context().Done()
	}))
	defer server.Close()
	feed, err := live.Open(ctx, server.URL)
	require.NoError(t, err)
	m.live = newFollower(ctx, feed)
	for m.live.state.Total.Events < int64(strings.Count(string(data), "\n")) {
		_, _ = m.Update(m.live.wait()())
	}
	require.EqualValues(t, strings.Count(string(data), `"event":"round"`), m.state().Total.Rounds)
	require.EqualValues(t, 6, m.state().Total.Done)
	m.stale = true
	require.Contains(t, m.View().Content, "● live")
	_, _ = m.Update(tea.KeyPressMsg{Text: "l"})
	require.Contains(t, m.message, "only watched")
	stop()
}
