package sim

import (
	"fmt"
	"math"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
)

var (
	_ device.Doer  = (*Device)(nil)
	_ engine.Clock = (*Device)(nil)
)

func root(x float64) float64 { return math.Sqrt(x) }

// Device does actions in virtual time: it is the clock of its run as well.
type Device struct {
	now   core.Micros
	truth truth
	slots []slot
	// tail is when the device is done with the part of a prompt step that its
	// host did not wait for.
	tail   core.Micros
	staged staged
	// early is what a pass launched with the last round takes beyond what the
	// round hid, and earlyEnd when that is over.
	early, earlyEnd core.Micros
	kept            keptStates
	find            func(core.ID) *Request
	twins           bool
	loads           []costmodel.Load
	windows         []costmodel.StreamWindow
}

// staged is the prompt chunk that the last step prepared: the next rows of
// the prompt in slot, size of them at most.
type staged struct {
	slot int
	size int
}

// slot is what the device holds of one request.
type slot struct {
	request *Request
	text    text
	rest    float64 // expected drafts not yet kept
}

// NewDevice makes a device with a number of slots. find gives the request of
// an id when it first gets a slot.
func NewDevice(t *costmodel.Table, w World, slots int, cacheGiB float64, find func(core.ID) *Request) *Device {
	return &Device{
		truth:  newTruth(t, w),
		slots:  make([]slot, slots),
		staged: staged{slot: -1},
		kept:   newKeptStates(cacheGiB, t.KeptMiBPer1K),
		find:   find,
	}
}

// Now is the virtual time.
func (d *Device) Now() core.Micros { return d.now }

// Wait lets the time pass; the machine cools.
func (d *Device) Wait(until core.Micros) {
	if until > d.now {
		rest := until - max(d.now, min(d.tail, until))
		d.truth.idle = d.truth.idle || rest >= costmodel.IdleLeast
		d.truth.heat.rest(rest)
		d.now = until
	}
}

// Worst is the least trustworthy grade of any price that was charged.
func (d *Device) Worst() costmodel.Grade { return d.truth.worst }

// Do charges an action's time and plays its outcome.
func (d *Device) Do(a *core.Action, o *core.Outcome) error {
	o.Status, o.Rows, o.End, o.EarlyHit = core.OK, 0, false, false
	o.Slots, o.Confidences = o.Slots[:0], o.Confidences[:0]
	for _, s := range a.Release {
		d.slots[s].request = nil
		if d.staged.slot == s {
			d.staged.slot = -1
		}
	}
	started := d.now
	d.drop(a)
	switch a.Kind {
	case core.Begin:
		d.take(a)
		o.Rows, o.Device = d.restore(a.Slot)
		d.truth.idle = d.truth.idle && o.Rows == 0
	case core.Step:
		if a.First {
			d.take(a)
		}
		d.step(a, o)
	case core.Pass:
		d.truth.idle = false
		d.pass(a, o)
	case core.Round:
		d.truth.idle = false
		d.round(a, o)
	default:
		return fmt.Errorf("sim: cannot do an action of kind %s", a.Kind)
	}
	if a.Kind != core.Step {
		// What the last step left running comes first.
		d.now = later(max(d.now, d.tail), o.Device)
	}
	if d.early > 0 {
		d.earlyEnd = later(d.now, d.early)
	}
	if d.now > endOfTime {
		return errEndOfTime
	}
	o.Wall = d.now - started
	return nil
}

func (d *Device) take(a *core.Action) {
	s := &d.slots[a.Slot]
	s.request = d.find(a.ID)
	s.text = s.request.text(d.truth.table, d.truth.world.Seed)
	s.rest = 0
	d.twins = d.twins || s.request.Twin
}

// pass gives each ask's confidences.
func (d *Device) pass(a *core.Action, o *core.Outcome) {
	asked := costmodel.Asked{Asked: core.AskedBy(a.Asks)}
	for _, k := range a.Asks {
		s := &d.slots[k.Slot]
		rows := int64(s.request.Prompt + s.request.emitted)
		asked.Context += rows
		asked.Longest = max(asked.Longest, rows)
		for j := range k.Depth {
			o.Confidences = append(o.Confidences, s.text.confidence(s.request.emitted+j, j, d.truth.world.Confidence))
		}
	}
	price, grade := d.truth.table.Pass(asked)
	if a.Early {
		// It has been running since the round's outcome was known.
		price = max(price-d.truth.overlap(), 0)
		d.early, d.earlyEnd = 0, 0
	}
	d.truth.grade(grade)
	o.Device = d.truth.spendRound(price, d.truth.world.Pass)
}

// round keeps each window's drafts as far as the text was guessed.
func (d *Device) round(a *core.Action, o *core.Outcome) {
	price, grade := d.truth.table.Round(d.weigh(a))
	d.truth.grade(grade)
	o.Device = d.truth.spendRound(price+d.truth.afterStep(), d.truth.world.Rows)
	o.EarlyHit = a.LaunchEarly
	drafted, depth := 0, 0
	for _, w := range a.Windows {
		depth = max(depth, w.Held)
		s := &d.slots[w.Slot]
		r := s.request
		if w.Drafts > 0 {
			drafted++
		}
		k := core.SlotOutcome{Kept: s.keep(w.Drafts, d.truth.world.Expected)}
		if w.Drafts == 0 && w.Held > 0 {
			k.Matched = s.text.guessed(r.emitted, 0)
		}
		k.Emitted = min(k.Kept+1, r.Output-r.emitted)
		r.emitted += k.Emitted
		if r.emitted == r.Output {
			o.EarlyHit = false
		}
		o.Slots = append(o.Slots, k)
	}
	d.early = 0
	if a.LaunchEarly && drafted > 0 {
		price, _ := d.truth.table.Pass(costmodel.Asked{Asked: core.Asked{Asks: drafted, Depth: depth}})
		d.early = d.truth.scaled(max(price-d.truth.overlap(), 0), d.truth.world.Pass, d.truth.heat.rounds())
	}
}

// drop lets a pass that was launched early and is not wanted run out: what
// comes next waits for what of it was not hidden.
func (d *Device) drop(a *core.Action) {
	if a.Kind != core.Pass || !a.Early {
		d.tail = max(d.tail, d.earlyEnd)
		d.early, d.earlyEnd = 0, 0
	}
}

// keep is the number of drafts kept of a window.
func (s *slot) keep(drafts int, expected bool) int {
	at := s.request.emitted
	if !expected {
		for j := range drafts {
			if !s.text.guessed(at+j, j) {
				return j
			}
		}
		return drafts
	}
	chain := 1.0
	for j := range drafts {
		chain = float64(chain * s.text.likely(at+j, j))
		s.rest += chain
	}
	kept := min(int(s.rest), drafts)
	s.rest -= float64(kept)
	return kept
}

// weigh gives the load of each launch of a round.
func (d *Device) weigh(a *core.Action) []costmodel.Load {
	d.loads = d.loads[:0]
	at := 0
	streams, packing := d.truth.table.Caches == costmodel.StreamCaches, d.truth.table.Packing()
	for _, n := range a.Launches {
		var l costmodel.Load
		d.windows = d.windows[:0]
		for k := at; k < at+n; k++ {
			w := &a.Windows[k]
			r := d.slots[w.Slot].request
			l.Windows++
			l.Rows += packing.Padded(w.Rows())
			l.Context += int64(w.Position)
			l.Longest = max(l.Longest, int64(w.Position))
			if r.Temperature > 0 {
				l.Sampled += w.Rows()
			}
			if streams {
				d.windows = append(d.windows, costmodel.StreamWindow{Slot: w.Slot, Rows: w.Rows(), Tokens: int64(w.Position)})
			}
			if d.twins {
				if rows := d.duplicates(a.Windows[at:k], w); rows > 0 {
					l.Duplicate += rows
					l.Twins++
				}
			}
		}
		if at += n; streams {
			d.loads = costmodel.Passes(d.loads, packing, d.windows, l.Sampled)
			continue
		}
		d.loads = append(d.loads, l)
	}
	return d.loads
}

// duplicates is how many of a window's rows equal those of a window before it
// in the launch: greedy requests of one text at one position.
func (d *Device) duplicates(before []core.Window, w *core.Window) int {
	r := d.slots[w.Slot].request
	if r.Temperature > 0 {
		return 0
	}
	most := 0
	for k := range before {
		other := d.slots[before[k].Slot].request
		if other.Text == r.Text && other.Temperature == 0 && before[k].Position == w.Position {
			most = max(most, min(before[k].Rows(), w.Rows()))
		}
	}
	return most
}
