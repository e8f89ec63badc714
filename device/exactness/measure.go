package exactness

import (
	"context"
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/device"
)

// Schedule is a way to run a reply.
type Schedule struct {
	// Piece is the rows of a prompt piece; 0 is the whole prompt.
	Piece int
	// Window is the rows of a window.
	Window int
	// Others is the number of other slots that decode beside it, and
	// OthersWindow the rows of their windows.
	Others, OthersWindow int
}

func (s Schedule) String() string {
	text := fmt.Sprintf("windows of %d", s.Window)
	if s.Piece > 0 {
		text += fmt.Sprintf(", pieces of %d", s.Piece)
	}
	if s.Others > 0 {
		text += fmt.Sprintf(", beside %d × %d", s.Others, s.OthersWindow)
	}
	return text
}

// Schedules are those measured by default, on a device of so many slots.
func Schedules(slots int) []Schedule {
	all := []Schedule{
		{Window: 1}, {Window: 2}, {Window: 3}, {Window: 4}, {Window: 8},
		{Window: 1, Piece: 7}, {Window: 1, Piece: 32}, {Window: 1, Piece: 100},
	}
	if others := min(slots-1, 3); others > 0 {
		all = append(all,
			Schedule{Window: 1, Others: others, OthersWindow: 1},
			Schedule{Window: 4, Others: others, OthersWindow: 4},
			Schedule{Window: 3, Others: others, OthersWindow: 2},
			Schedule{Window: 1, Piece: 32, Others: others, OthersWindow: 3})
	}
	return all
}

// Result is what a schedule did.
type Result struct {
	Schedule Schedule
	// Changed is the number of positions, of Tokens, at which the device
	// would have gone another way.
	Changed, Tokens int
	// First is the first of them, or -1.
	First int
}

// Text is what is measured: a reply of some tokens to a prompt. A sampled one is
// the sharper test, for a greedy reply soon repeats itself, and is sure of it.
type Text struct {
	Prompt   []device.Token
	Tokens   int
	Sampling device.Sampling
}

// Measure runs schedules of a text. All slots of the device must be free; they
// are afterwards.
func Measure(ctx context.Context, d device.Device, text Text, schedules []Schedule) ([]Result, error) {
	m := &measure{d: d, prompt: text.Prompt, options: device.FinishOptions{Sampling: text.Sampling}}
	defer m.free()
	if err := m.reference(ctx, text.Tokens); err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(schedules))
	for _, s := range schedules {
		r, err := m.run(ctx, s)
		if err != nil {
			return results, fmt.Errorf("%s: %w", s, err)
		}
		results = append(results, r)
	}
	return results, nil
}

type measure struct {
	d       device.Device
	prompt  []device.Token
	options device.FinishOptions
	reply   []device.Token // the reference
	others  []device.Window
	taken   []int
}

func (m *measure) free() {
	if len(m.taken) > 0 {
		_ = m.d.Release(m.taken...) // a lost device holds nothing
	}
	m.taken = m.taken[:0]
}

func (m *measure) begin(slot int) error {
	_, err := m.d.Begin(slot, device.BeginOptions{NoDraft: true})
	if err == nil {
		m.taken = append(m.taken, slot)
	}
	return err
}

func (m *measure) reference(ctx context.Context, tokens int) error {
	if tokens < 1 {
		return errors.New("a reply of no tokens")
	}
	if err := m.begin(0); err != nil {
		return err
	}
	first, _, err := m.d.Finish(ctx, 0, 0, m.prompt, m.options)
	if err != nil {
		return err
	}
	m.reply = append(m.reply[:0], first)
	for len(m.reply) < tokens {
		v, err := m.d.Verify([]device.Window{{Slot: 0, Position: len(m.prompt) + len(m.reply) - 1}}, nil)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		m.reply = append(m.reply, v[0].Tokens...)
	}
	m.free()
	return nil
}

func (m *measure) run(ctx context.Context, s Schedule) (Result, error) {
	defer m.free()
	r := Result{Schedule: s, Tokens: len(m.reply), First: -1}
	if err := m.neighbours(ctx, s); err != nil {
		return r, err
	}
	for at := 0; at < len(m.reply); {
		// The slot goes along the reference: from its start, or again from
		// where it went another way.
		first, err := m.fill(ctx, s, at)
		if err != nil {
			return r, err
		}
		if first != m.reply[at] {
			r.note(at)
			at++
			continue
		}
		if at, err = m.follow(ctx, s, at, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Result) note(at int) {
	if r.Changed++; r.First < 0 {
		r.First = at
	}
}

// fill puts the prompt and the first tokens of the reply into slot 0, and gives
// what the device draws then.
func (m *measure) fill(ctx context.Context, s Schedule, reply int) (device.Token, error) {
	if len(m.taken) > len(m.others) {
		m.taken = m.taken[:len(m.taken)-1]
		if err := m.d.Release(0); err != nil {
			return 0, err
		}
	}
	if err := m.begin(0); err != nil {
		return 0, err
	}
	text := append(append([]device.Token{}, m.prompt...), m.reply[:reply]...)
	from := 0
	for ; s.Piece > 0 && len(text)-from > s.Piece; from += s.Piece {
		if _, err := m.d.Piece(ctx, 0, from, text[from:from+s.Piece]); err != nil {
			return 0, err
		}
	}
	first, _, err := m.d.Finish(ctx, 0, from, text[from:], m.options)
	return first, err
}

// follow verifies the reference from after the token at; it returns the place
// to start from again.
func (m *measure) follow(ctx context.Context, s Schedule, at int, r *Result) (int, error) {
	windows := make([]device.Window, 1+len(m.others))
	for at+1 < len(m.reply) {
		n := min(s.Window-1, len(m.reply)-at-2)
		windows[0] = device.Window{Slot: 0, Position: len(m.prompt) + at, Drafts: m.reply[at+1 : at+1+n]}
		copy(windows[1:], m.others)
		v, err := m.d.Verify(windows, nil)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return at, err
		}
		for i := range m.others {
			m.others[i].Position += len(v[1+i].Tokens)
		}
		got := v[0].Tokens
		last := at + len(got)
		if got[len(got)-1] != m.reply[last] {
			r.note(last)
			return last + 1, nil
		}
		at = last
	}
	return len(m.reply), nil
}

// neighbours fills the other slots with parts of the prompt.
func (m *measure) neighbours(ctx context.Context, s Schedule) error {
	m.others = m.others[:0]
	for i := range s.Others {
		slot := 1 + i
		if err := m.begin(slot); err != nil {
			return err
		}
		text := m.prompt[:max(len(m.prompt)*(i+1)/(s.Others+1), 1)]
		first, _, err := m.d.Finish(ctx, slot, 0, text, device.FinishOptions{})
		if err != nil {
			return err
		}
		w := device.Window{Slot: slot, Position: len(text)}
		for range s.OthersWindow - 1 {
			w.Drafts = append(w.Drafts, first)
		}
		m.others = append(m.others, w)
	}
	return nil
}
