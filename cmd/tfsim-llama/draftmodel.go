package main

import (
	"errors"
	"fmt"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/ledger"
	"github.com/tfsim/tfsim/device/sampling"
)

// draftModel drafts with a small model of the same vocabulary. It reads
// prompts beside the target, chunk by chunk; what was decoded since it was
// last asked, it reads at the next pass.
type draftModel struct {
	*model
	sampler sampling.Sampler
	// rows holds, of each slot, the tokens in its cache, which begin at from of
	// the text. The first good of them are known to be the text's.
	rows   [][]device.Token
	from   []int
	good   []int
	drafts [][]device.Draft // of each ask of a pass
}

// maxDepth is the most drafts of an ask that any settings allow.
const maxDepth = 64

// mostBehind is the most rows that a slot reads to catch up: one that is
// further behind starts anew from the last of them. To read all that was
// decoded plainly can cost more than drafts then win back.
const mostBehind = 64

func openDraftModel(file string, z sizes, target *model) (*draftModel, error) {
	z.outputs = z.slots
	z.context += maxDepth
	z.exact, z.flash = false, true // drafts need not be exact
	m, err := openModel(file, z)
	if err != nil {
		return nil, err
	}
	if m.vocabulary != target.vocabulary {
		return nil, fmt.Errorf("drafter %s has a vocabulary of %d, the model one of %d", file, m.vocabulary, target.vocabulary)
	}
	for t := range m.vocabulary {
		if llama.VocabGetText(m.vocab, llama.Token(t)) != llama.VocabGetText(target.vocab, llama.Token(t)) {
			return nil, fmt.Errorf("drafter %s has another vocabulary than the model: token %d differs", file, t)
		}
	}
	return &draftModel{model: m, rows: make([][]device.Token, z.slots), from: make([]int, z.slots), good: make([]int, z.slots), drafts: make([][]device.Draft, z.slots)}, nil
}

// agree cuts a slot to the rows that are the text's, of the first most tokens
// of it.
func (d *draftModel) agree(slot int, s *ledger.Slot, most int) error {
	from := d.from[slot]
	if most < from {
		return d.forget(slot)
	}
	rows, n := d.rows[slot], min(d.good[slot], most-from)
	for n < len(rows) && from+n < most && rows[n] == s.Tokens[from+n] {
		n++
	}
	d.good[slot] = n
	if n == len(rows) {
		return nil
	}
	d.rows[slot] = rows[:n]
	return d.cut(slot, from+n)
}

// near lets a slot that is more than most rows behind the first n tokens start
// anew.
func (d *draftModel) near(slot, n, most int) error {
	if n-d.from[slot]-len(d.rows[slot]) <= most {
		return nil
	}
	err := d.forget(slot)
	d.from[slot] = n - mostBehind
	return err
}

// read brings a slot up to the first n tokens of the text; of the last, with
// flag, it leaves the row in the batch, flagged, to be run with others.
func (d *draftModel) read(slot int, s *ledger.Slot, n int, flag bool) error {
	for d.from[slot]+len(d.rows[slot]) < n {
		at := d.from[slot] + len(d.rows[slot])
		t := s.Tokens[at]
		last := flag && at == n-1
		if d.batch.rows() == d.batch.most {
			if _, err := d.run(); err != nil {
				return err
			}
			d.batch.clear()
		}
		if err := d.batch.add(slot, at, t, last); err != nil {
			return err
		}
		d.rows[slot] = append(d.rows[slot], t)
	}
	d.good[slot] = n - d.from[slot]
	return nil
}

func (d *draftModel) fed(slot int, s *ledger.Slot) error {
	if err := d.agree(slot, s, s.Rows); err != nil {
		return err
	}
	// A kept state may come without the drafter's part of it.
	if err := d.near(slot, s.Rows, d.batch.most+mostBehind); err != nil {
		return err
	}
	d.batch.clear()
	if err := d.read(slot, s, s.Rows, false); err != nil || d.batch.rows() == 0 {
		return err
	}
	_, err := d.run()
	return err
}

func (d *draftModel) pass(books *ledger.Ledger, asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	out, err := d.draft(books, asks, drafts)
	if err == nil {
		return out, nil
	}
	// What the cache holds is unknown: it reads the slots anew next time.
	for _, a := range asks {
		err = errors.Join(err, d.forget(a.Slot))
	}
	return drafts, err
}

func (d *draftModel) draft(books *ledger.Ledger, asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	// All that is to be read but the last row of each slot comes first, so
	// that the flagged rows share a batch.
	d.batch.clear()
	for _, a := range asks {
		s := books.Slot(a.Slot)
		if err := d.agree(a.Slot, s, s.Rows); err != nil {
			return nil, err
		}
		if err := d.near(a.Slot, s.Rows, mostBehind); err != nil {
			return nil, err
		}
		if err := d.read(a.Slot, s, s.Rows, false); err != nil {
			return nil, err
		}
	}
	if d.batch.rows() > d.batch.most-len(asks) {
		if _, err := d.run(); err != nil {
			return nil, err
		}
		d.batch.clear()
	}
	// The flagged rows' logits come in the order they were added.
	for i, a := range asks {
		s := books.Slot(a.Slot)
		if err := d.read(a.Slot, s, s.Rows+1, true); err != nil {
			return nil, err
		}
		d.drafts[i] = d.drafts[i][:0]
	}
	for step := 0; d.batch.rows() > 0; step++ {
		logits, err := d.run()
		if err != nil {
			return nil, err
		}
		d.batch.clear()
		for i, a := range asks {
			if a.Depth <= step {
				continue
			}
			s := books.Slot(a.Slot)
			t := d.sampler.Draw(logits[:d.vocabulary], s.Sampling, s.Rows+1+step)
			if t == device.NoToken {
				return nil, errNoLogits
			}
			d.drafts[i] = append(d.drafts[i], device.Draft{Token: t, Confidence: sampling.Confidence(logits[:d.vocabulary], t)})
			logits = logits[d.vocabulary:]
			if step+1 < a.Depth {
				if err := d.batch.add(a.Slot, s.Rows+1+step, t, true); err != nil {
					return nil, err
				}
				d.rows[a.Slot] = append(d.rows[a.Slot], t)
			}
		}
	}
	for i := range asks {
		drafts = append(drafts, d.drafts[i]...)
	}
	return drafts, nil
}

func (d *draftModel) forget(slot int) error {
	d.rows[slot], d.from[slot], d.good[slot] = d.rows[slot][:0], 0, 0
	return d.cut(slot, 0)
}

// save gives the rows that are surely the text's, if they are all from its
// beginning.
func (d *draftModel) save(slot int) ([]byte, error) {
	n := d.good[slot]
	if n == 0 || d.from[slot] > 0 {
		return nil, nil
	}
	if err := d.cut(slot, n); err != nil {
		return nil, err
	}
	d.rows[slot] = d.rows[slot][:n]
	return d.state(slot)
}

func (d *draftModel) restore(slot int, tokens []device.Token, state []byte) error {
	if len(state) == 0 {
		return nil
	}
	if err := d.setState(slot, state); err != nil {
		return err
	}
	n := min(d.length(slot), len(tokens))
	d.from[slot] = 0
	d.rows[slot] = append(d.rows[slot][:0], tokens[:n]...)
	d.good[slot] = n
	return d.cut(slot, n)
}
