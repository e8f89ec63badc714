package main

import (
	"errors"
	"fmt"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/ledger"
)

func (d *llamaDevice) Begin(slot int, o device.BeginOptions) (int, error) {
	defer d.clock()()
	tokens, parts, err := d.books.Begin(slot, o)
	if err != nil {
		return 0, err
	}
	if o.State != nil {
		if err := d.restore(slot, tokens, parts, o); err != nil {
			return 0, errors.Join(fmt.Errorf("%w: %w", device.ErrState, err), d.target.cut(slot, 0), d.drafter.forget(slot))
		}
	}
	d.books.Begun(slot, tokens, o)
	return len(tokens), nil
}

func (d *llamaDevice) restore(slot int, tokens []device.Token, parts [][]byte, o device.BeginOptions) error {
	if len(parts) != 2 {
		return fmt.Errorf("%d parts", len(parts))
	}
	if err := d.target.setState(slot, parts[0]); err != nil {
		return err
	}
	if n := d.target.length(slot); n < len(tokens) {
		return fmt.Errorf("%d rows of %d", n, len(tokens))
	}
	if err := d.target.cut(slot, len(tokens)); err != nil {
		return err
	}
	if o.NoDraft {
		return nil
	}
	return d.drafter.restore(slot, tokens, parts[1])
}

func (d *llamaDevice) Save(slot int) ([]byte, error) {
	defer d.clock()()
	s, err := d.books.Save(slot)
	if err != nil {
		return nil, err
	}
	rows, err := d.target.state(slot)
	if err != nil {
		return nil, failed(err)
	}
	drafts, err := d.drafter.save(slot)
	if err != nil {
		return nil, failed(err)
	}
	return ledger.Seal(d.info.StateKey, s.Tokens[:s.Rows], rows, drafts), nil
}

// stateBytes is what a row takes in a state: the keys and values of all
// layers, of 2 bytes each, and a little more.
func (d *llamaDevice) stateBytes() int {
	m := d.target.model
	heads := int(llama.ModelNHead(m))
	if heads == 0 {
		return 0
	}
	return int(llama.ModelNLayer(m)) * 2 * 2 * int(llama.ModelNEmbd(m)) / heads * int(llama.ModelNHeadKV(m))
}

// length is the number of rows in a slot's cache.
func (m *model) length(slot int) int {
	last, err := llama.MemorySeqPosMax(m.memory, llama.SeqId(slot))
	if err != nil {
		return 0
	}
	return int(last) + 1
}

func (m *model) state(slot int) ([]byte, error) {
	size := llama.StateSeqGetSize(m.ctx, llama.SeqId(slot))
	b := make([]byte, size)
	if got := llama.StateSeqGetData(m.ctx, b, llama.SeqId(slot)); got != size {
		return nil, fmt.Errorf("state of slot %d: %d bytes of %d", slot, got, size)
	}
	return b, nil
}

func (m *model) setState(slot int, state []byte) error {
	if len(state) == 0 || llama.StateSeqSetData(m.ctx, state, llama.SeqId(slot)) == 0 {
		return fmt.Errorf("llama.cpp refuses %d bytes", len(state))
	}
	return nil
}
