package validate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tfsim/tfsim/sim/result"
)

// Groups of cells.
const (
	GroupFill   = "fill"
	GroupDecode = "decode"
	GroupCold   = "cold"
)

// cell is one published figure and the bench that should give it.
type cell struct {
	group, machine, id string
	published          float64
	note               string
	fitted             bool
	bench              *bench
	figure             func(result.Run) result.Num
}

// cells are the published figures of receipts, in a fixed order. A receipt of
// another kind, such as a cost table as it was measured, has none.
func cells(all []Receipt) ([]cell, error) {
	var out []cell
	for _, r := range all {
		more, err := r.cells()
		if err != nil {
			return nil, err
		}
		for _, c := range more {
			if !(c.published > 0) || math.IsInf(c.published, 0) {
				return nil, fmt.Errorf("%s: no figure for %s; accepted: a number above 0, or a list of them", r.Name, c.id)
			}
		}
		out = append(out, more...)
	}
	for i := range out {
		out[i].note = notes[out[i].id]
		out[i].fitted = fitted(&out[i])
	}
	return out, nil
}

// cells reads a receipt by what it holds.
func (r Receipt) cells() ([]cell, error) {
	var keys map[string]any
	if err := r.into(&keys); err != nil {
		return nil, err
	}
	has := func(key string) bool { _, ok := keys[key]; return ok }
	switch {
	case has("arms"):
		return r.fillCells()
	case has("cells"):
		return r.concurrentCells()
	case has("unit"):
		return r.defaultCells()
	case has("windows_ms"), has("rows_ms"):
		return nil, nil
	case has("source"):
		return r.coldCells()
	default:
		return nil, fmt.Errorf("%s: not a receipt; accepted: files like those in sim/validate/receipts", r.Name)
	}
}

// fillFigures are the figures of one order of the fill bench.
var fillFigures = []struct {
	name      string
	published func(fillCase) float64
	figure    func(result.Run) result.Num
}{
	{"reply.done_s", func(c fillCase) float64 { return c.ReplyDone }, func(r result.Run) result.Num { return r.Requests[0].Done }},
	{"long.ttft_s", func(c fillCase) float64 { return c.LongTTFT }, func(r result.Run) result.Num { return r.Requests[1].TTFT }},
	{"reply.gap_max_ms", func(c fillCase) float64 { return c.GapMax }, func(r result.Run) result.Num { return r.Requests[0].GapMax }},
}

func (r Receipt) fillCells() ([]cell, error) {
	var f fillReceipt
	if err := r.into(&f); err != nil {
		return nil, err
	}
	var all []cell
	for _, arm := range armsOf(append(f.Arms, f.RepeatUnset...)) {
		for _, order := range []struct {
			name          string
			of            func(fillArm) fillCase
			replyAt, long float64
		}{
			{"reply first", func(a fillArm) fillCase { return a.ReplyFirst }, 0, f.FirstGapS},
			{"long first", func(a fillArm) fillCase { return a.LongFirst }, f.LeadS, 0},
		} {
			b := fill(seconds(order.replyAt), seconds(order.long), startHeat[f.Device][order.name], arm.set...)
			for _, figure := range fillFigures {
				all = append(all, cell{
					group: GroupFill, machine: f.Device,
					id:        fmt.Sprintf("%s/fill/%s/%s/%s", f.Device, arm.name, order.name, figure.name),
					published: arm.mean(func(a fillArm) float64 { return figure.published(order.of(a)) }),
					bench:     b, figure: figure.figure,
				})
			}
		}
		all = append(all, coldCell(f.Device, arm.name, longPrompt, arm.mean(func(a fillArm) float64 { return a.Alone }), arm.set))
	}
	return all, nil
}

// arm is the runs of the same settings.
type arm struct {
	name string
	set  []pair
	runs []fillArm
}

// mean is a figure's over the runs.
func (a *arm) mean(of func(fillArm) float64) float64 {
	sum := 0.0
	for _, run := range a.runs {
		sum += of(run)
	}
	return sum / float64(len(a.runs))
}

func armsOf(runs []fillArm) []*arm {
	var arms []*arm
	byName := map[string]*arm{}
	for _, run := range runs {
		name, set := run.settings()
		a := byName[name]
		if a == nil {
			a = &arm{name: name, set: set}
			byName[name] = a
			arms = append(arms, a)
		}
		a.runs = append(a.runs, run)
	}
	return arms
}

var noDrafts = pair{"no-drafts", "true"}

func rate(r result.Run) result.Num { return r.Totals.DecodeRate }

func decodeCell(machine, arm, what string, published float64, b *bench) cell {
	return cell{
		group: GroupDecode, machine: machine, id: fmt.Sprintf("%s/decode/%s/%s/decode_tok_s", machine, arm, what),
		published: published, bench: b, figure: rate,
	}
}

func (r Receipt) concurrentCells() ([]cell, error) {
	var c concurrentReceipt
	if err := r.into(&c); err != nil {
		return nil, err
	}
	var all []cell
	for _, k := range c.Cells {
		if loads := slices.Sorted(maps.Keys(shortPrompts)); !slices.Contains(loads, k.Load) {
			return nil, fmt.Errorf("%s: load %q; accepted: %s", r.Name, k.Load, strings.Join(loads, ", "))
		}
		if k.Streams < 1 || k.Streams > lanes || !(k.T >= 0) {
			return nil, fmt.Errorf("%s: %d streams at temperature %g; accepted: 1 to %d streams, a temperature of at least 0",
				r.Name, k.Streams, k.T, lanes)
		}
		what := fmt.Sprintf("%d %s T%g 256", k.Streams, k.Load, k.T)
		all = append(all,
			decodeCell(c.Device, "no-drafts", what, mean(k.NoDrafts), decode(k.Load, k.Streams, 256, k.T, noDrafts)),
			decodeCell(c.Device, "earlier", what, mean(k.Earlier), decode(k.Load, k.Streams, 256, k.T)))
	}
	for _, k := range c.Single {
		what := fmt.Sprintf("%s T%g 64", k.Prompt, k.T)
		all = append(all,
			decodeCell(c.Device, "no-drafts", what, mean(k.NoDrafts), decode("code", 1, 64, k.T, noDrafts)),
			decodeCell(c.Device, "earlier", what, mean(k.Earlier), decode("code", 1, 64, k.T)))
	}
	return all, nil
}

func (r Receipt) defaultCells() ([]cell, error) {
	var d map[string]any
	if err := r.into(&d); err != nil {
		return nil, err
	}
	var all []cell
	for _, machine := range machines {
		rows, ok := d[machine].(map[string]any)
		if !ok {
			continue
		}
		for _, load := range []string{"chat", "code"} {
			for t := range 2 {
				for i, v := range numbers(rows[fmt.Sprintf("%s_T%d", load, t)]) {
					what := fmt.Sprintf("%d %s T%d 128", i+1, load, t)
					all = append(all, decodeCell(machine, "default", what, v, decode(load, i+1, 128, float64(t))))
				}
			}
		}
	}
	return all, nil
}

// machines are those that receipts of several machines name.
var machines = []string{"m5-ultra-512gb", "m3-ultra-512gb"}

func coldCell(machine, arm string, prompt int, published float64, set []pair) cell {
	return cell{
		group: GroupCold, machine: machine, id: fmt.Sprintf("%s/cold/%s/%d/ttft_s", machine, arm, prompt),
		published: published, bench: cold(prompt, set...),
		figure: func(r result.Run) result.Num { return r.Requests[0].TTFT },
	}
}

func (r Receipt) coldCells() ([]cell, error) {
	var c map[string]any
	if err := r.into(&c); err != nil {
		return nil, err
	}
	var all []cell
	for _, machine := range machines {
		runs, ok := c[machine].(map[string]any)
		if !ok {
			continue
		}
		// An unset variable is the base.
		base := append(numbers(runs["base"]), numbers(runs["unset"])...)
		all = append(all,
			coldCell(machine, "base", coldPrompt, mean(base), nil),
			coldCell(machine, "pieces", coldPrompt, mean(numbers(runs["pieces"])), []pair{{"TF_DSV41_PREFILL_PIECES", "1"}}))
	}
	return all, nil
}

func number(v any) float64 {
	switch x := v.(type) {
	case float64:
		return x
	case uint64:
		return float64(x)
	case int64:
		return float64(x)
	default:
		return math.NaN()
	}
}

// numbers reads one figure or a list.
func numbers(v any) []float64 {
	if v == nil {
		return nil
	}
	if list, ok := v.([]any); ok {
		var all []float64
		for _, x := range list {
			all = append(all, number(x))
		}
		return all
	}
	return []float64{number(v)}
}
