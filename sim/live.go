package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/ledger"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/sim/random"
)

// LiveOptions say how a simulated machine is served in real time.
type LiveOptions struct {
	// Slots and Context size it; at least 1.
	Slots, Context int
	// Speed is how many times faster than the machine it is, 1 if 0.
	Speed float64
	// World is the truth; the zero value is DefaultWorld.
	World World
	// Load is the kind of text that drafts fare as, "chat" if empty.
	Load string
	// Clock is the wall's if nil.
	Clock engine.Clock
}

// Live is a simulated machine as a token-level device in real time: a call
// takes as long as the table says that the machine would. What follows a text
// is a hash of the whole of it, put into words (see Words); the drafter guesses
// as well as the machine's does.
type Live struct {
	info  device.Info
	books *ledger.Ledger
	words *Words
	truth truth
	kinds costmodel.DraftLoad
	speed float64
	clock engine.Clock
	slots []liveSlot
	// tail is when the machine is done with the part of a prompt piece that its
	// host does not wait for, in the machine's time.
	tail    core.Micros
	asked   core.Micros // the time of the last wait
	staged  staged
	worked  core.Micros
	loads   []costmodel.Load
	windows []costmodel.StreamWindow
	drawn   []device.Token
}

var (
	_ device.Device    = (*Live)(nil)
	_ device.Tokenizer = (*Live)(nil)
)

// liveSlot is what the machine knows of a slot besides its books.
type liveSlot struct {
	history history
	// first is the number of rows of the prompt, guess how well the rest is
	// guessed.
	first  int
	guess  text
	behind int // rounds decoded without ingest
	// held is the drafts of its last pass, unread that all were kept.
	held   int
	unread bool
}

// OpenLive makes a machine of a table.
func OpenLive(t *costmodel.Table, o LiveOptions) (*Live, error) {
	if o.Load == "" {
		o.Load = "chat"
	}
	if o.Speed == 0 {
		o.Speed = 1
	}
	if o.Clock == nil {
		o.Clock = engine.WallClock()
	}
	if o.World == (World{}) {
		o.World = DefaultWorld()
	}
	kinds, drafts := t.Drafts.Loads[o.Load]
	switch {
	case o.Slots < 1 || o.Slots > core.MostLanes || o.Context < 1:
		return nil, fmt.Errorf("sim: %d slots of %d rows; want 1 to %d slots of at least 1 row", o.Slots, o.Context, core.MostLanes)
	case !(o.Speed > 0) || o.Speed > 1e6:
		return nil, fmt.Errorf("sim: speed %g; want over 0, at most 1,000,000", o.Speed)
	case !drafts && len(t.Drafts.Loads) > 0:
		return nil, fmt.Errorf("sim: the machine has no text of kind %q", o.Load)
	}
	depth, drafter := 0, ""
	if drafts && t.Drafts.Block > 0 {
		depth, drafter = t.Drafts.Block, o.Load+", as the table has it"
	}
	words := NewWords()
	m := &Live{
		words: words, truth: newTruth(t, o.World), kinds: kinds, speed: o.Speed, clock: o.Clock,
		slots: make([]liveSlot, o.Slots), staged: staged{slot: -1},
		info: device.Info{
			Name: t.Device + ", simulated", Backend: "simulated", Build: "1", Model: t.Machine,
			Weights: "words by a hash of the text", Drafter: drafter, StateKey: "simulated words 1",
			Slots: o.Slots, Context: o.Context, DraftDepth: depth, StateBytes: 4,
			Vocabulary: words.Len(), Begin: device.NoToken, Ends: []device.Token{endToken},
			Shapes:  shapes(t),
			Promise: device.Promise{Level: device.Exact, Reason: "tokens are a hash of the text"},
		},
	}
	if t.Drafter != nil {
		m.info.DraftBehind = t.Drafter.MostBehind
	}
	m.books = ledger.New(&m.info)
	return m, nil
}

// Info describes the machine.
func (m *Live) Info() *device.Info { return &m.info }

// Worked is how long the machine worked in the last call, at its speed here.
func (m *Live) Worked() time.Duration { return time.Duration(m.real(m.worked)) * time.Microsecond }

// Close ends it.
func (m *Live) Close() error {
	m.books.Close()
	return nil
}

// real is a span or time of the machine on the clock.
func (m *Live) real(t core.Micros) core.Micros { return core.Micros(float64(t) / m.speed) }

// now is the machine's time.
func (m *Live) now() core.Micros { return core.Micros(float64(m.clock.Now()) * m.speed) }

// late is how much later than asked a sleep may end: work that follows within
// it starts when the sleep should have ended, so that a busy machine keeps its
// pace.
const late core.Micros = 2000

// free is the time from which the machine can work on something new.
func (m *Live) free() core.Micros {
	now := m.now()
	if m.asked <= now && m.real(now-m.asked) < late {
		now = m.asked
	}
	return max(now, m.tail)
}

// until waits for a time of the machine.
func (m *Live) until(at core.Micros) {
	m.asked = at
	m.clock.Wait(m.real(at))
}

// spend lets work's time pass.
func (m *Live) spend(price core.Nanos, factor, sensitivity float64) {
	from := m.free()
	took := m.truth.spend(price, factor, sensitivity)
	m.worked += took
	m.until(from + took)
}

// Begin takes a slot, with a kept state where one is given.
func (m *Live) Begin(slot int, o device.BeginOptions) (int, error) {
	m.worked = 0
	tokens, _, err := m.books.Begin(slot, o)
	if err != nil {
		return 0, err
	}
	if len(tokens) > 0 {
		m.spend(m.truth.table.Restore(len(tokens)), 1, 0)
	}
	s := &m.slots[slot]
	*s = liveSlot{}
	for _, t := range tokens {
		s.history.add(t)
	}
	m.books.Begun(slot, tokens, o)
	return len(tokens), nil
}

// Piece feeds prompt rows. The host does not wait for the last part of it.
func (m *Live) Piece(ctx context.Context, slot, from int, tokens []device.Token) (int, error) {
	m.worked = 0
	s, err := m.books.Piece(slot, from, tokens)
	if err != nil {
		return 0, err
	}
	rows, end, err := m.feed(ctx, slot, s, tokens, false)
	m.tail = end
	if err != nil {
		m.until(end)
		return rows, err
	}
	m.until(end - m.truth.scaled(m.truth.prompts().Tail(rows), m.truth.world.Chunk, 1))
	return rows, nil
}

// Finish feeds the last prompt rows and draws the first token.
func (m *Live) Finish(ctx context.Context, slot, from int, tokens []device.Token, o device.FinishOptions) (device.Token, int, error) {
	m.worked = 0
	s, err := m.books.Finish(slot, from, tokens, o)
	if err != nil {
		return device.NoToken, 0, err
	}
	rows, end, err := m.feed(ctx, slot, s, tokens, true)
	m.until(end)
	if err != nil {
		return device.NoToken, rows, err
	}
	l := &m.slots[slot]
	first := o.Known
	if !o.Resumed {
		first = m.words.Next(l.history, o.Sampling)
	}
	s.Finished(first, o)
	l.first = s.Rows
	kind := m.kinds.Greedy
	if !o.Sampling.Greedy() {
		kind = m.kinds.Sampled
	}
	seed := random.New(m.truth.world.Seed, "text").Sub(l.history.hash)
	l.guess = newText([2]costmodel.DraftText{kind, kind}, 0, seed)
	return first, rows, nil
}

// feed runs prompt rows chunk by chunk. It gives the machine's time at their
// end, for which it does not wait.
func (m *Live) feed(ctx context.Context, slot int, s *ledger.Slot, tokens []device.Token, last bool) (done int, end core.Micros, err error) {
	costs := m.truth.prompts()
	m.truth.stepped()
	beside := m.decoding()
	end = m.free()
	charge := func(price core.Nanos) {
		took := m.truth.spend(price, m.truth.world.Chunk, 1)
		m.worked += took
		end += took
	}
	m.truth.idle = end-max(m.asked, m.tail) >= costmodel.IdleLeast
	if s.Rows == 0 {
		charge(costs.Begin())
	}
	for done < len(tokens) {
		if done > 0 {
			m.until(end)
		}
		if err := ctx.Err(); err != nil {
			return done, end, err
		}
		n := min(chunkRows, len(tokens)-done)
		price, grade := m.truth.table.Chunk(n, s.Rows, !beside || m.staged == staged{slot, n})
		m.truth.grade(grade)
		if beside {
			price += costs.Beside(n)
		}
		charge(price + m.truth.wakes(price))
		for _, t := range tokens[done : done+n] {
			m.slots[slot].history.add(t)
		}
		s.Fed(tokens[done : done+n])
		done += n
		m.staged = staged{slot, n}
	}
	if last {
		charge(costs.Finish(s.Rows))
		m.staged = staged{slot: -1}
	}
	return done, end, nil
}

// shapes are the batches of a table's machine.
func shapes(t *costmodel.Table) device.Shapes {
	p := t.Packing()
	return device.Shapes{
		LaunchRows: t.Limits.Rows, ChunkRows: chunkRows, Least: max(p.Least, 1), Multiple: max(p.Multiple, 1),
		Equal: p.Equal, Compact: p.Equal, Longest: p.Equal,
	}
}

// decoding says that a reply decodes in some slot.
func (m *Live) decoding() bool {
	for i := range m.slots {
		if m.books.Slot(i).Phase == ledger.Decoding {
			return true
		}
	}
	return false
}

// Pass drafts.
func (m *Live) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	m.worked = 0
	if err := m.books.Pass(asks); err != nil {
		return drafts, err
	}
	var asked costmodel.Asked
	asked.Asks = len(asks)
	for _, a := range asks {
		asked.Depth = max(asked.Depth, a.Depth)
		rows := int64(m.books.Slot(a.Slot).Rows)
		asked.Context += rows
		asked.Longest = max(asked.Longest, rows)
		l := &m.slots[a.Slot]
		if l.behind > 0 {
			asked.CatchUps++
			asked.Rounds += l.behind
			l.behind = 0
		}
		if l.unread {
			asked.Unread++
		}
		l.held, l.unread = a.Depth, false
		drafts = m.draft(a, drafts)
	}
	price, grade := m.truth.table.Pass(asked)
	m.truth.grade(grade)
	m.spend(price, m.truth.world.Pass, m.truth.heat.rounds())
	return drafts, nil
}

// draft guesses a slot's next tokens: right as often as the machine's drafter.
func (m *Live) draft(a device.Ask, drafts []device.Draft) []device.Draft {
	l, s := &m.slots[a.Slot], m.books.Slot(a.Slot)
	h := l.history
	h.add(s.Pending())
	at := s.Rows + 1 - l.first
	for j := range a.Depth {
		t := m.words.Next(h, s.Sampling)
		if !l.guess.guessed(at+j, j) {
			t = (t + 1) % device.Token(m.words.Len())
		}
		drafts = append(drafts, device.Draft{Token: t, Confidence: l.guess.confidence(at+j, j, m.truth.world.Confidence)})
		h.add(t)
	}
	return drafts
}

// Verify runs a launch.
func (m *Live) Verify(windows []device.Window, verdicts []device.Verdict) ([]device.Verdict, error) {
	m.worked = 0
	if err := m.books.Verify(windows); err != nil {
		return verdicts, err
	}
	price, grade := m.truth.table.Round(m.weigh(windows))
	m.truth.grade(grade)
	m.drawn = m.drawn[:0]
	for i := range windows {
		w := &windows[i]
		l, s := &m.slots[w.Slot], m.books.Slot(w.Slot)
		if len(w.Drafts) == 0 {
			if l.behind++; m.info.DraftBehind > 0 {
				l.behind = min(l.behind, m.info.DraftBehind)
			}
		}
		from := len(m.drawn)
		l.history.add(s.Pending())
		for k := 0; ; k++ {
			t := m.words.Next(l.history, s.Sampling)
			m.drawn = append(m.drawn, t)
			if k == len(w.Drafts) || w.Drafts[k] != t {
				break
			}
			l.history.add(t)
		}
		s.Verified(m.drawn[from:])
		if kept := len(m.drawn) - from - 1; l.held > 0 {
			l.unread = kept == l.held
			l.held = 0
		}
		verdicts = append(verdicts, device.Verdict{Kept: len(m.drawn) - from - 1, Tokens: m.drawn[from:]})
	}
	m.spend(price+m.truth.afterStep(), m.truth.world.Rows, m.truth.heat.rounds())
	return verdicts, nil
}

// weigh gives the load of a launch. Greedy windows of one text at one place
// are twins.
func (m *Live) weigh(windows []device.Window) []costmodel.Load {
	var l costmodel.Load
	packing := m.truth.table.Packing()
	m.windows = m.windows[:0]
	for i := range windows {
		w := &windows[i]
		m.windows = append(m.windows, costmodel.StreamWindow{Slot: w.Slot, Rows: w.Rows(), Tokens: int64(w.Position)})
		l.Windows++
		l.Rows += packing.Padded(w.Rows())
		l.Context += int64(w.Position)
		l.Longest = max(l.Longest, int64(w.Position))
		if !m.books.Slot(w.Slot).Sampling.Greedy() {
			l.Sampled += w.Rows()
			continue
		}
		rows := 0
		for k := range windows[:i] {
			v := &windows[k]
			if m.slots[v.Slot].history == m.slots[w.Slot].history && m.books.Slot(v.Slot).Sampling.Greedy() {
				rows = max(rows, min(v.Rows(), w.Rows()))
			}
		}
		if rows > 0 {
			l.Duplicate += rows
			l.Twins++
		}
	}
	if m.truth.table.Caches == costmodel.StreamCaches {
		m.loads = costmodel.Passes(m.loads[:0], packing, m.windows, l.Sampled)
		return m.loads
	}
	m.loads = append(m.loads[:0], l)
	return m.loads
}

// Release frees slots.
func (m *Live) Release(slots ...int) error {
	m.worked = 0
	if err := m.books.Release(slots); err != nil {
		return err
	}
	for _, s := range slots {
		if m.staged.slot == s {
			m.staged.slot = -1
		}
	}
	return nil
}

// Save gives a slot's state: its tokens say all.
func (m *Live) Save(slot int) ([]byte, error) {
	m.worked = 0
	s, err := m.books.Save(slot)
	if err != nil {
		return nil, err
	}
	return ledger.Seal(m.info.StateKey, s.Tokens[:s.Rows]), nil
}

// Tokenize gives the tokens of a text.
func (m *Live) Tokenize(text string, _, _ bool) ([]device.Token, error) {
	return m.words.Tokenize(text), nil
}

// AppendText appends the text of tokens.
func (m *Live) AppendText(dst []byte, tokens ...device.Token) []byte {
	return m.words.AppendText(dst, tokens...)
}
