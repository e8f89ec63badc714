package core

import (
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestTranscripts plays the stories of testdata. Each command prints what the
// scheduler answered and the events it told; -rewrite writes them anew.
//
//	new SETTING=VALUE…       a scheduler, at time 0
//	submit id=NAME prompt=N out=N [background] [nodraft] [prefix=N]
//	cancel id=NAME
//	next                     the action to do
//	done SPAN [rows=N] [kept=N,…] [emitted=N,…] [conf=X,…] [end=NAME]
//	     [failed|lost|aborted] [failed=NAME] [lost=NAME] [hit]
//	run N [kept=N] [conf=X] [step=SPAN] [miss] [until=KIND]   N actions at fixed costs,
//	                         told in short; miss: early passes do not fit
//	rounds N [NAME=CHANCE…]  N rounds at the costs believed, told by who asked and what was
//	                         kept: drafts of NAME are kept, and trusted, with the chance
//	state                    who is where
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		var p *play
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "new" {
				var err error
				if p, err = newPlay(t, d); err != nil {
					return err.Error()
				}
				return "ok"
			}
			p.told.Reset()
			switch d.Cmd {
			case "submit":
				p.submit(t, d)
			case "cancel":
				p.cancel(t, d)
			case "next":
				p.tell("%s", p.action(p.s.Next(p.now)))
			case "done":
				p.done(t, d)
			case "run":
				p.run(t, d)
			case "rounds":
				p.rounds(t, d)
			case "state":
				p.state()
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			if p.told.Len() == 0 {
				return "ok"
			}
			return p.told.String()
		})
	})
}

func (p *play) submit(t *testing.T, d *datadriven.TestData) {
	var name string
	d.ScanArgs(t, "id", &name)
	r := Request{ID: p.id(name), Background: d.HasArg("background"), NoDraft: d.HasArg("nodraft")}
	d.ScanArgs(t, "prompt", &r.Prompt)
	d.ScanArgs(t, "out", &r.Output)
	d.MaybeScanArgs(t, "prefix", &r.Prefix)
	if err := p.s.Submit(p.now, r); err != nil {
		p.tell("%v", err)
	}
}

func (p *play) cancel(t *testing.T, d *datadriven.TestData) {
	var name string
	d.ScanArgs(t, "id", &name)
	if !p.s.Cancel(p.now, p.id(name)) {
		p.tell("%s is not in flight", name)
	}
}

func (p *play) state() {
	for i := range p.s.streams {
		st := &p.s.streams[i]
		if at, ok := p.s.byID[st.req.ID]; !ok || int(at) != i {
			continue
		}
		switch st.phase {
		case queued:
			p.tell("%s waits", p.name(st.req.ID))
		case filling:
			p.tell("%s in slot %d: %d of %d rows in", p.name(st.req.ID), st.slot, st.filled, st.need)
		case decoding:
			p.tell("%s in slot %d: %d of %d tokens out", p.name(st.req.ID), st.slot, st.emitted, st.req.Output)
		}
	}
	p.tell("free lanes %d, owed %s", len(p.s.freeSlots), span(p.s.Owed()))
}

func span(m Micros) string { return (time.Duration(m) * time.Microsecond).String() }

func (p *play) tell(format string, args ...any) { fmt.Fprintf(&p.told, format+"\n", args...) }
