package core

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// done makes the outcome of the outstanding action from a done command: OK
// and whole where nothing else is said, no drafts kept, confidences of 0.9.
func (p *play) done(t *testing.T, d *datadriven.TestData) {
	a := p.s.Next(p.now)
	o := p.whole(a, 0.9, 0)
	o.Wall = parseSpan(t, d, d.CmdArgs[0].Key)
	o.Device = o.Wall
	d.MaybeScanArgs(t, "rows", &o.Rows)
	o.EarlyHit = d.HasArg("hit")
	for name, status := range map[string]Status{"aborted": Aborted, "failed": Failed, "lost": Lost} {
		arg, ok := d.Arg(name)
		switch {
		case ok && len(arg.Vals) == 0:
			o.Status = status
		case ok:
			for k, w := range a.Windows {
				if p.name(w.ID) == arg.Vals[0] {
					o.Slots[k].Status = status
				}
			}
		}
	}
	if n := max(len(values(d, "kept")), len(values(d, "emitted"))); n > len(o.Slots) {
		d.Fatalf(t, "%d slots for a round of %d windows", n, len(o.Slots))
	}
	for k, text := range values(d, "kept") {
		o.Slots[k].Kept = atoi(t, d, text)
		o.Slots[k].Emitted = o.Slots[k].Kept + 1
	}
	for k, text := range values(d, "emitted") {
		o.Slots[k].Emitted = atoi(t, d, text)
	}
	if arg, ok := d.Arg("end"); ok {
		o.End = a.Kind == Step
		for k, w := range a.Windows {
			o.Slots[k].End = p.name(w.ID) == arg.Vals[0]
		}
	}
	if conf := values(d, "conf"); len(conf) > 0 {
		o.Confidences = o.Confidences[:0]
		for _, text := range conf {
			c, err := strconv.ParseFloat(text, 64)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			o.Confidences = append(o.Confidences, c)
		}
	}
	p.now += o.Wall
	if err := p.s.Done(p.now, o); err != nil {
		p.tell("%v", err)
	}
}

// whole is the outcome of an action that did all it was asked.
func (p *play) whole(a *Action, confidence float64, kept int) *Outcome {
	o := &Outcome{}
	switch a.Kind {
	case Step:
		o.Rows = a.Rows
	case Pass:
		for _, k := range a.Asks {
			for range k.Depth {
				o.Confidences = append(o.Confidences, confidence)
			}
		}
	case Round:
		o.EarlyHit = a.LaunchEarly
		for _, w := range a.Windows {
			n := min(kept, w.Drafts)
			o.Slots = append(o.Slots, SlotOutcome{Kept: n, Emitted: n + 1})
		}
	}
	return o
}

// deed is equal actions in a row, up to the first that has events to tell.
type deed struct {
	text   string
	times  int
	end    Micros
	events string
}

// run does actions that cost 1 ms a prompt row, 4 ms a pass and 20 ms a
// round. Equal actions in a row are told once, with the time of the last.
func (p *play) run(t *testing.T, d *datadriven.TestData) {
	kept, confidence, until, step := 0, 0.9, "wait", ""
	d.MaybeScanArgs(t, "kept", &kept)
	d.MaybeScanArgs(t, "conf", &confidence)
	d.MaybeScanArgs(t, "until", &until)
	d.MaybeScanArgs(t, "step", &step)
	p.quiet = true
	deeds := []deed{{}}
	for range atoi(t, d, d.CmdArgs[0].Key) {
		a := p.s.Next(p.now)
		if kind := a.Kind.String(); kind == until || kind == "wait" {
			break
		}
		o := p.whole(a, confidence, kept)
		o.EarlyHit = o.EarlyHit && !d.HasArg("miss")
		switch {
		case a.Kind == Step && step != "":
			o.Wall = parseSpan(t, d, step)
		case a.Kind == Step:
			o.Wall = Micros(a.Rows) * 1000
		case a.Kind == Pass:
			o.Wall = 4000
		case a.Kind == Round:
			o.Wall = 20_000
		}
		o.Device = o.Wall
		p.now += o.Wall
		last, text := &deeds[len(deeds)-1], p.action(a)
		if last.text != text || last.events != "" {
			deeds = append(deeds, deed{text: text})
			last = &deeds[len(deeds)-1]
		}
		if err := p.s.Done(p.now, o); err != nil {
			p.tell("%v", err)
		}
		last.times++
		last.end, last.events = p.now, p.told.String()
		p.told.Reset()
	}
	p.quiet = false
	rest := p.told.String()
	p.told.Reset()
	for _, k := range deeds[1:] {
		times := ""
		if k.times > 1 {
			times = fmt.Sprintf(", %d times", k.times)
		}
		p.tell("%s %s%s", span(k.end), k.text, times)
		p.told.WriteString(k.events)
	}
	p.told.WriteString(rest)
}

func values(d *datadriven.TestData, key string) []string {
	arg, ok := d.Arg(key)
	if !ok {
		return nil
	}
	return strings.Split(strings.Join(arg.Vals, ","), ",")
}

func atoi(t *testing.T, d *datadriven.TestData, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return n
}
