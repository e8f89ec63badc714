package trace

import "github.com/tfsim/tfsim/core"

// recording reads what a server's --record writes: the requests and cancels
// that went into its scheduler, and the outcomes that tell how long replies
// were. The prefixes of requests are left out: they name states of that
// server's own.
type recording struct {
	awaited
	action core.Action
	begun  bool
}

func newRecording(r *rows, left *leftOut) source {
	return &recording{awaited: newAwaited(r, left)}
}

func (x *recording) next(r *Request) error { return x.read(r, x.take) }

// take reads one line.
func (x *recording) take(line []byte) error {
	var e struct {
		Config  *struct{}     `json:"config"`
		At      core.Micros   `json:"at"`
		Submit  *core.Request `json:"submit"`
		Cancel  core.ID       `json:"cancel"`
		Action  *core.Action  `json:"action"`
		Outcome *core.Outcome `json:"outcome"`
	}
	if err := unmarshal(line, &e); err != nil {
		return err
	}
	if !x.begun && e.Config == nil {
		return wrong("no record: its first line has no configuration", string(line), "what tfsim serve --record writes")
	}
	x.begun = true
	if err := recorded(e.At); err != nil {
		return err
	}
	switch {
	case e.Submit != nil:
		s := e.Submit
		return x.send(s.ID, Request{
			At: e.At, Prompt: s.Prompt, Output: s.Output,
			Background: s.Background, NoDraft: s.NoDraft, CancelAt: core.Never,
		})
	case e.Cancel != 0:
		x.cancelled(e.Cancel, e.At)
	case e.Action != nil:
		x.action = *e.Action
	case e.Outcome != nil:
		x.outcome(e.Outcome)
	}
	return nil
}

// outcome counts the tokens that an action brought.
func (x *recording) outcome(o *core.Outcome) {
	switch a := &x.action; {
	case a.Kind == core.Step && o.Status == core.Failed:
		x.failed(a.ID)
	case a.Kind == core.Step && a.Last && o.Status == core.OK:
		x.more(a.ID, 1, o.End)
	case a.Kind == core.Round && o.Status == core.OK:
		for i := range min(len(a.Windows), len(o.Slots)) {
			switch s := o.Slots[i]; s.Status {
			case core.OK:
				x.more(a.Windows[i].ID, s.Emitted, s.End)
			case core.Failed:
				x.failed(a.Windows[i].ID)
			}
		}
	}
}

// more counts tokens of a reply. A prompt that is run again after a loss
// brings no second first token.
func (x *recording) more(id core.ID, tokens int, end bool) {
	q := x.open[id]
	if q == nil || x.action.Kind == core.Step && q.got > 0 {
		return
	}
	q.got += min(max(tokens, 0), mostTokens)
	if end || q.got >= q.Output {
		x.done(id)
	}
}
