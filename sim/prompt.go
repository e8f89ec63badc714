package sim

import (
	"github.com/tfsim/tfsim/core"
)

// chunkRows is the most prompt rows that the device runs in one go; it looks
// at the stop flag between chunks.
const chunkRows = 4096

// step runs a step's rows chunk by chunk. Beside a decoder a chunk costs more
// unless the one before it was the same prompt's and so prepared ("staged")
// it. The host of a step that yields no token does not wait for its last part: that
// tail lands in whatever comes next.
func (d *Device) step(a *core.Action, o *core.Outcome) {
	table := d.truth.table
	costs := d.truth.prompts()
	request := d.slots[a.Slot].request
	d.truth.stepped()
	d.now = max(d.now, d.tail)
	started := d.now
	if a.First || a.From == 0 {
		d.prompt(costs.Begin())
	}
	for o.Rows < a.Rows {
		if o.Rows > 0 && request.CancelAt <= d.now {
			o.Status = core.Aborted
			break
		}
		rows := min(chunkRows, a.Rows-o.Rows)
		start := a.From + o.Rows
		price, grade := table.Chunk(rows, start, !a.Beside || d.staged == staged{a.Slot, rows})
		d.truth.grade(grade)
		if a.Beside {
			price += costs.Beside(rows)
		}
		d.prompt(price + d.truth.wakes(price))
		o.Rows += rows
		left := request.Prompt + max(request.emitted-1, 0) - start - rows
		d.staged = staged{a.Slot, min(rows, left)}
	}
	if o.Status == core.OK && a.Last {
		d.prompt(costs.Finish(request.Prompt))
		d.staged = staged{slot: -1}
		if request.emitted == 0 {
			request.emitted = 1
			d.kept.store(request)
		}
	}
	o.Device = d.now - started
	if o.Status == core.OK && !a.Last {
		d.tail = d.now
		d.now = max(started, d.now-d.truth.scaled(costs.Tail(o.Rows), d.truth.world.Chunk, 1))
	}
}

// shared is how many rows a request would find restored once another of its
// prefix is in.
func (d *Device) shared(r *Request) int {
	if r.Prefix == 0 || !d.kept.fits(r.PrefixTokens) {
		return 0
	}
	return min(r.PrefixTokens, r.Prompt-1)
}

// prompt lets the time of prompt work pass.
func (d *Device) prompt(price core.Nanos) {
	d.now = later(d.now, d.truth.spend(price, d.truth.world.Chunk, 1))
}

// restore gives the rows of a kept state and the time that restoring takes.
func (d *Device) restore(at int) (rows int, took core.Micros) {
	r := d.slots[at].request
	rows = min(max(d.kept.restore(r), r.Restored), r.Prompt-1)
	if rows == 0 {
		return 0, 0
	}
	d.truth.grade(d.truth.table.Provenance.Restore.Grade)
	return rows, d.truth.spend(d.truth.table.Restore(rows), 1, 0)
}
