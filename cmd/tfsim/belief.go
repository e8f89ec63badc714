package main

import (
	"bytes"
	"encoding/json"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// belief says in a record what prices its scheduler chose by.
type belief struct {
	// Machine is a table's name or file, empty for none.
	Machine string `json:"machine,omitempty"`
	Kind    string `json:"belief"`
	Version string `json:"version"`
	// Table is a file's, which may be another by the time of a replay.
	Table json.RawMessage `json:"table,omitempty"`
	// Steps is how many drafts a pass makes one after another, where a formula
	// is believed and the drafter works that way.
	Steps int `json:"steps,omitempty"`
	// Measured says that the table is of the very device, by 'tfsim calibrate'.
	Measured bool `json:"measured,omitempty"`
}

// hold keeps a table with the belief.
func (b *belief) hold(t *costmodel.Table) error {
	var out bytes.Buffer
	err := t.WriteJSON(&out)
	b.Table = out.Bytes()
	return err
}

// table is the one believed in; one without costs for none.
func (b *belief) table() (*costmodel.Table, error) {
	switch {
	case len(b.Table) > 0:
		return costmodel.Parse("the record's table", b.Table)
	case b.Machine != "":
		return costmodel.Open(b.Machine)
	}
	return costmodel.Unmeasured(b.Steps), nil
}

// prices makes the belief again.
func (b *belief) prices() (core.Prices, error) {
	t, err := b.table()
	if err != nil {
		return nil, err
	}
	return t.Belief(b.Kind)
}
