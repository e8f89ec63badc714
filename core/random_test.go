package core

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMain sets the number of random runs, unless the command line does.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		checks := "8000"
		if testing.Short() || raceEnabled {
			checks = "400"
		}
		if err := flag.Set("rapid.checks", checks); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// TestRandomRuns drives schedulers of random settings over random requests,
// cancels and failures, each action and event checked against a twin.
func TestRandomRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newRandomRun(t)
		for p.submitted < p.requests || len(p.s.byID) > 0 {
			p.inputs(false)
			p.act()
		}
		p.drained()
	})
}

// randomRun is one random run.
type randomRun struct {
	*rapid.T
	cfg    Config
	s      *Scheduler
	twin   *twin
	device randomDevice
	now    Micros
	told   []string // events of tokens and ends
	err    error    // of an event

	requests, submitted int
	cancels             float64
	ids                 int
	prompts, outputs    int

	actions, bound int // the bound holds without faults
}

func newRandomRun(t *rapid.T) *randomRun {
	p := &randomRun{T: t}
	chance := func(name string, most float64) float64 {
		return rapid.SampledFrom([]float64{0, 0, most / 10, most}).Draw(t, name)
	}
	p.cfg = drawConfig(t)
	p.cfg.Sink = p
	p.cfg.PrefixWait = rapid.SampledFrom([]Micros{0, 300, 2000, 1 << 40}).Draw(t, "prefix wait")
	p.requests = rapid.IntRange(1, 25).Draw(t, "requests")
	p.prompts = rapid.IntRange(1, 80).Draw(t, "prompts")
	p.outputs = rapid.IntRange(1, 20).Draw(t, "outputs")
	p.ids = rapid.IntRange(1, 12).Draw(t, "ids")
	p.cancels = chance("cancels", 0.2)
	p.device.faults = chance("faults", 0.2)
	p.device.ends = chance("ends", 0.1)
	p.device.Rand = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var err error
	if p.s, err = New(p.cfg); err != nil {
		t.Fatal(err)
	}
	p.twin = newTwin(p.cfg)
	return p
}

func drawConfig(t *rapid.T) Config {
	n := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
	some := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	is := func(name string) bool { return rapid.Bool().Draw(t, name) }
	prices := randomPrices{rapid.Uint64().Draw(t, "prices"), is("pads")}
	return Config{
		Lanes: n("lanes", 1, 6), Context: some("context", 0, 0, 60), Queue: some("queue", 0, 0, 1, 3),
		Steps: is("steps"), StepRows: n("step rows", 1, 40),
		PolicyRows: some("policy", 0, 0, 7, 20), DecodeShareRows: some("decode share", 0, 0, 1, 13),
		BudgetRows: some("budget", 0, 0, 1, 30), Order: Order(n("order", 0, 2)), PassedOver: n("passed over", 1, 8),
		PromptShare:  PPM(some("share", 1_000_000, 750_000, 500_000, 333_333, 100_000)),
		CarryOverrun: is("carry"),
		LaunchRows:   some("launch", 1, 2, 8, 16), RoundStreams: some("streams", 0, 0, 1, 3), RoundRows: some("rows", 0, 0, 1, 4, 20),
		Drafts: is("drafts"), Block: n("block", 1, 20), DraftDepth: n("depth", 0, 15),
		PlainStreams: some("plain", 0, 0, 1, 3), Depth: DepthRule(some("rule", 0, 0, 0, 1)), Skip: is("skip"),
		Joint: n("joint", 0, 2), Fair: 0.5, HostNanos: 3_000_000, DepthRows: some("depth rows", 1, 6, 64),
		Rule: DraftRule(n("draft rule", 0, int(RuleOracle))), Truth: randomTruth{prices},
		LaunchEarly: is("early"), Prices: prices,
		MostBehind: some("behind", 0, 0, 1, 5),
		Packing:    Packing{Least: some("least", 0, 0, 2), Multiple: some("multiple", 0, 0, 1, 2), Equal: is("equal"), Longest: is("longest")},
	}
}

// Record checks that admissions are in order, and keeps the events that end
// in tokens or an end.
func (p *randomRun) Record(e *Event) {
	switch e.Kind {
	case EventAdmitted:
		if err := p.twin.admit(e.ID, e.Slot); err != nil && p.err == nil {
			p.err = err
		}
	case EventTokens:
		p.told = append(p.told, fmt.Sprint(e.Kind, e.ID, e.Slot, e.Total, e.Tokens))
	case EventFinished, EventCancelled, EventFailed, EventLost:
		p.told = append(p.told, fmt.Sprint(e.Kind, e.ID, e.Slot, e.Total, e.Reason))
	}
}

// inputs submits and cancels by chance.
func (p *randomRun) inputs(outstanding bool) {
	p.twin.now = p.now
	for p.submitted < p.requests && p.device.chance(0.3) {
		p.submit()
	}
	if p.device.chance(p.cancels) {
		id := ID(p.device.IntN(p.ids))
		if got, want := p.s.Cancel(p.now, id), p.twin.cancel(id, outstanding); got != want {
			p.Fatalf("cancel of %d: %v, want %v", id, got, want)
		}
	}
	p.check()
}

func (p *randomRun) submit() {
	p.submitted++
	r := Request{
		ID:     ID(p.device.IntN(p.ids)),
		Prompt: 1 + p.device.IntN(p.prompts), Output: 1 + p.device.IntN(p.outputs),
		Prefix: p.device.Uint64N(3), PrefixRows: p.device.IntN(30), Background: p.device.chance(0.3), NoDraft: p.device.chance(0.2),
	}
	waiting, _, _ := p.twin.count()
	refused := p.twin.find(r.ID) != nil ||
		p.cfg.Context > 0 && r.Prompt+r.Output > p.cfg.Context || p.cfg.Queue > 0 && waiting >= p.cfg.Queue
	if err := p.s.Submit(p.now, r); (err != nil) != refused {
		p.Fatalf("submit of %+v: %v, refused %v", r, err, refused)
	}
	if !refused {
		p.twin.submit(r)
		p.bound += 1 + r.Prompt + 2*r.Output
	}
}

// act does one action.
func (p *randomRun) act() {
	a := p.s.Next(p.now)
	if a.Kind == Wait {
		if err := p.twin.next(a); err != nil {
			p.Fatal(err)
		}
		p.now += 100
		return
	}
	p.releases(a)
	if err := p.twin.next(a); err != nil {
		p.Fatal(err)
	}
	before := fmt.Sprintf("%+v", *a)
	p.inputs(true)
	o := p.device.do(a)
	if a.Kind == Round && p.device.chance(0.1) {
		if p.s.Done(p.now, &Outcome{}) == nil {
			p.Fatal("an outcome without slots is taken for a round")
		}
	}
	if again := p.s.Next(p.now); again != a || fmt.Sprintf("%+v", *again) != before {
		p.Fatalf("next repeats as\n%+v, want\n%s", *again, before)
	}
	p.now += o.Wall
	p.twin.now = p.now
	p.twin.done(a, o)
	if err := p.s.Done(p.now, o); err != nil {
		p.Fatal(err)
	}
	p.actions++
	if p.device.faults == 0 && p.actions > p.bound {
		p.Fatalf("%d actions; all requests need at most %d", p.actions, p.bound)
	}
	p.check()
}

// releases checks that the slots freed after use are released, each once, with
// the first action after.
func (p *randomRun) releases(a *Action) {
	for _, slot := range a.Release {
		if !p.twin.dirty[slot] {
			p.Fatalf("slot %d is released without need", slot)
		}
		delete(p.twin.dirty, slot)
	}
	if len(p.twin.dirty) > 0 {
		p.Fatalf("slots %v are not released", p.twin.dirty)
	}
}

// check compares the events told with those due, and the counts.
func (p *randomRun) check() {
	if p.err != nil {
		p.Fatal(p.err)
	}
	if !slices.Equal(p.told, p.twin.want) {
		p.Fatalf("events\n%q, want\n%q", p.told, p.twin.want)
	}
	p.told, p.twin.want = p.told[:0], p.twin.want[:0]
	waiting, filling, decoding := p.twin.count()
	if p.s.Waiting() != waiting || p.s.Filling() != filling || p.s.Decoding() != decoding {
		p.Fatalf("%d waiting, %d filling, %d decoding; want %d, %d, %d",
			p.s.Waiting(), p.s.Filling(), p.s.Decoding(), waiting, filling, decoding)
	}
	if owed := max(p.twin.ledger.debt, 0); int64(p.s.Owed()) != owed {
		p.Fatalf("%d µs owed, want %d", p.s.Owed(), owed)
	}
	for _, r := range p.twin.admitted {
		bound := p.cfg.Lanes
		if p.cfg.Order == OrderSRPT {
			bound += p.cfg.PassedOver
		}
		if p.cfg.Steps && p.cfg.Order != OrderFCFS && r.passed > bound {
			p.Fatalf("request %d is passed over %d times", r.ID, r.passed)
		}
	}
	if err := audit(p.s); err != nil {
		p.Fatal(err)
	}
}

// drained checks that nothing is left behind.
func (p *randomRun) drained() {
	p.twin.dirty = nil
	if a := p.s.Next(p.now); a.Kind != Wait {
		p.Fatalf("%s with nothing in flight", a.Kind)
	}
	if len(p.s.free) != len(p.s.streams) || len(p.s.freeSlots) != p.cfg.Lanes {
		p.Fatalf("%d of %d entries and %d of %d slots are free", len(p.s.free), len(p.s.streams), len(p.s.freeSlots), p.cfg.Lanes)
	}
}
