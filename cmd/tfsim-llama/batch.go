package main

import (
	"fmt"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/tfsim/tfsim/device"
)

// batch is a batch that refuses what would end the process: more rows, or
// more flagged ones, than the context takes, or a slot it does not have.
type batch struct {
	b       llama.Batch
	most    int
	outputs int
	slots   int
	flagged int
	seq     [1]llama.SeqId
}

func newBatch(z sizes) batch {
	return batch{b: llama.BatchInit(int32(z.rows), 0, 1), most: z.rows, outputs: z.outputs, slots: z.slots}
}

func (b *batch) rows() int { return int(b.b.NTokens) }

func (b *batch) clear() {
	b.flagged = 0
	_ = b.b.Clear() // always nil
}

// add appends a row; with flag its logits are wanted.
func (b *batch) add(slot, position int, t device.Token, flag bool) error {
	switch {
	case slot < 0 || slot >= b.slots:
		return fmt.Errorf("a row of slot %d of %d", slot, b.slots)
	case position < 0:
		return fmt.Errorf("a row at %d", position)
	case b.rows() >= b.most:
		return fmt.Errorf("more than %d rows in a batch", b.most)
	case flag && b.flagged >= b.outputs:
		return fmt.Errorf("more than %d rows with logits in a batch", b.outputs)
	}
	if flag {
		b.flagged++
	}
	b.seq[0] = llama.SeqId(slot)
	return b.b.Add(llama.Token(t), llama.Pos(position), b.seq[:], flag)
}
