package main

import (
	"fmt"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/ledger"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/ngram"
)

// drafter guesses tokens. What it guesses never changes what is drawn.
type drafter interface {
	// fed tells that prompt rows came to a slot.
	fed(slot int, s *ledger.Slot) error
	// pass appends the drafts of asks.
	pass(books *ledger.Ledger, asks []device.Ask, drafts []device.Draft) ([]device.Draft, error)
	// forget empties a slot.
	forget(slot int) error
	// save gives what a slot holds, restore takes the first rows of it back.
	save(slot int) ([]byte, error)
	restore(slot int, tokens []device.Token, state []byte) error
}

func (d *llamaDevice) openDrafter(s llamacpp.Settings, z sizes) error {
	d.info.DraftDepth = s.DraftDepth
	switch s.Drafter {
	case llamacpp.DrafterNone:
		d.info.DraftDepth, d.drafter = 0, noDrafter{}
	case llamacpp.DrafterLookup:
		d.info.Drafter = "n-gram look-up"
		d.drafter = &lookup{texts: make([]ngram.Index, s.Slots)}
	default:
		m, err := openDraftModel(s.Drafter, z, d.target)
		if err != nil {
			return err
		}
		d.drafter, d.info.DraftSteps, d.info.DraftBehind = m, true, mostBehind
		if d.info.Drafter, err = identity(s.Drafter); err != nil {
			return err
		}
	}
	return nil
}

func (d *llamaDevice) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	defer d.clock()()
	if err := d.books.Pass(asks); err != nil {
		return drafts, err
	}
	out, err := d.drafter.pass(d.books, asks, drafts)
	if err != nil {
		return drafts, failed(err)
	}
	return out, nil
}

// noDrafter drafts nothing and is never asked to.
type noDrafter struct{}

func (noDrafter) fed(int, *ledger.Slot) error               { return nil }
func (noDrafter) forget(int) error                          { return nil }
func (noDrafter) save(int) ([]byte, error)                  { return nil, nil }
func (noDrafter) restore(int, []device.Token, []byte) error { return nil }
func (noDrafter) pass(*ledger.Ledger, []device.Ask, []device.Draft) ([]device.Draft, error) {
	return nil, fmt.Errorf("there is no drafter")
}

// lookup drafts from the text itself.
type lookup struct {
	noDrafter
	texts []ngram.Index
}

func (l *lookup) pass(books *ledger.Ledger, asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	for _, a := range asks {
		x, s := &l.texts[a.Slot], books.Slot(a.Slot)
		x.Append(s.Tokens[x.Len():]...)
		drafts = x.Draft(a.Depth, drafts)
	}
	return drafts, nil
}

func (l *lookup) forget(slot int) error {
	l.texts[slot].Reset()
	return nil
}
