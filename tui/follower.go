package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/live"
	"github.com/tfsim/tfsim/tui/state"
)

// restarted is how far time must step back for the server to be a new one, where
// its numbers do not tell.
const restarted core.Micros = 1_000_000

// follower shows a running server.
type follower struct {
	ctx      context.Context
	feed     *live.Feed
	state    *state.State
	news     live.News
	connects int
	changed  bool
}

func newFollower(ctx context.Context, feed *live.Feed) *follower {
	return &follower{ctx: ctx, feed: feed, state: state.New(state.Setup{}), news: live.News{Trouble: "connecting"}}
}

// newsMsg is what came from the server.
type newsMsg live.News

// wait gives the command that waits for news.
func (f *follower) wait() tea.Cmd {
	return func() tea.Msg {
		news, ok := f.feed.Take(f.ctx)
		if !ok {
			return nil
		}
		return newsMsg(news)
	}
}

func (f *follower) take(news newsMsg) {
	if news.Restarts != f.news.Restarts {
		f.state = state.New(state.Setup{})
	}
	f.news, f.changed = live.News(news), true
	for i := range news.Lines {
		line := &news.Lines[i]
		if line.At < f.state.Now-restarted {
			f.state = state.New(state.Setup{}) // the new server's counts follow
		}
		f.state.Apply(&line.Event, line.Request)
	}
	f.news.Lines = nil
	if news.Connects > max(f.connects, 1) {
		// Events were missed, perhaps the ends of requests.
		f.state.Rejoin()
	}
	f.connects = news.Connects
	f.state.Know(news.Counts)
}

func (f *follower) title() string { return f.feed.URL() }

func (f *follower) mode() string {
	if f.news.Connected {
		return "● live"
	}
	return "○ offline"
}

// trouble is what to say of a lost connection.
func (f *follower) trouble() string {
	if f.news.Connects == 0 && f.news.Trouble == "connecting" {
		return "connecting to " + f.feed.URL()
	}
	return fmt.Sprintf("no connection: %s; it is tried again", f.news.Trouble)
}

// settingsMsg is the server's settings, changedMsg what came of a change.
type (
	settingsMsg struct {
		values settings.Values
		unset  map[string]string
		err    error
	}
	changedMsg struct {
		said   string
		failed bool
	}
)

// settings gives the command that asks for them.
func (f *follower) settings() tea.Cmd {
	return func() tea.Msg {
		values, unset, err := f.feed.Settings(f.ctx)
		return settingsMsg{values, unset, err}
	}
}

// change gives the command that changes one.
func (f *follower) change(name, text string) tea.Cmd {
	return func() tea.Msg {
		notes, err := f.feed.Change(f.ctx, name, text)
		if err != nil {
			return changedMsg{err.Error(), true}
		}
		said := changeOf(study.Assignment{Name: name, Text: text})
		for _, n := range notes {
			if strings.HasPrefix(n, name+"=") {
				said = n // it has no effect, and why
			}
		}
		return changedMsg{said, false}
	}
}
