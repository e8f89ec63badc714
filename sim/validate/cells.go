package validate

import (
	"fmt"

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

// cells are all published figures, in a fixed order.
func cells() ([]cell, error) {
	var all []cell
	for _, add := range []func() ([]cell, error){fillCells, decodeCells, coldCells} {
		more, err := add()
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	for i := range all {
		all[i].note = notes[all[i].id]
		all[i].fitted = fitted(&all[i])
	}
	return all, nil
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

func fillCells() ([]cell, error) {
	var all []cell
	for _, file := range []string{"fill-m5-ultra.yaml", "fill-m3-ultra.yaml"} {
		var r fillReceipt
		if err := read(file, &r); err != nil {
			return nil, err
		}
		for _, arm := range armsOf(append(r.Arms, r.RepeatUnset...)) {
			for _, order := range []struct {
				name          string
				of            func(fillArm) fillCase
				replyAt, long float64
			}{
				{"reply first", func(a fillArm) fillCase { return a.ReplyFirst }, 0, r.FirstGapS},
				{"long first", func(a fillArm) fillCase { return a.LongFirst }, r.LeadS, 0},
			} {
				b := fill(seconds(order.replyAt), seconds(order.long), startHeat[r.Device][order.name], arm.set...)
				for _, f := range fillFigures {
					var runs []float64
					for _, a := range arm.runs {
						runs = append(runs, f.published(order.of(a)))
					}
					all = append(all, cell{
						group: GroupFill, machine: r.Device,
						id:        fmt.Sprintf("%s/fill/%s/%s/%s", r.Device, arm.name, order.name, f.name),
						published: mean(runs), bench: b, figure: f.figure,
					})
				}
			}
		}
	}
	return all, nil
}

// arm is the runs of the same settings.
type arm struct {
	name string
	set  []pair
	runs []fillArm
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

func decodeCells() ([]cell, error) {
	var c concurrentReceipt
	if err := read("concurrent-m5-ultra.yaml", &c); err != nil {
		return nil, err
	}
	var all []cell
	add := func(machine, arm, what string, published float64, b *bench) {
		all = append(all, cell{
			group: GroupDecode, machine: machine, id: fmt.Sprintf("%s/decode/%s/%s/decode_tok_s", machine, arm, what),
			published: published, bench: b, figure: rate,
		})
	}
	for _, k := range c.Cells {
		what := fmt.Sprintf("%d %s T%g 256", k.Streams, k.Load, k.T)
		add(c.Device, "no-drafts", what, mean(k.NoDrafts), decode(k.Load, k.Streams, 256, k.T, noDrafts))
		add(c.Device, "earlier", what, mean(k.Earlier), decode(k.Load, k.Streams, 256, k.T))
	}
	for _, k := range c.Single {
		what := fmt.Sprintf("%s T%g 64", k.Prompt, k.T)
		add(c.Device, "no-drafts", what, mean(k.NoDrafts), decode("code", 1, 64, k.T, noDrafts))
		add(c.Device, "earlier", what, mean(k.Earlier), decode("code", 1, 64, k.T))
	}
	var d map[string]any
	if err := read("concurrent-default.yaml", &d); err != nil {
		return nil, err
	}
	for _, machine := range []string{"m5-ultra-512gb", "m3-ultra-512gb"} {
		for _, load := range []string{"chat", "code"} {
			for t := range 2 {
				row := d[machine].(map[string]any)[fmt.Sprintf("%s_T%d", load, t)].([]any)
				for i, v := range row {
					add(machine, "default", fmt.Sprintf("%d %s T%d 128", i+1, load, t), number(v), decode(load, i+1, 128, float64(t)))
				}
			}
		}
	}
	return all, nil
}

func coldCells() ([]cell, error) {
	var c coldReceipt
	if err := read("cold-prompt.yaml", &c); err != nil {
		return nil, err
	}
	ttft := func(r result.Run) result.Num { return r.Requests[0].TTFT }
	var all []cell
	for _, file := range []string{"fill-m5-ultra.yaml", "fill-m3-ultra.yaml"} {
		var r fillReceipt
		if err := read(file, &r); err != nil {
			return nil, err
		}
		arms := armsOf(append(r.Arms, r.RepeatUnset...))
		short := c[r.Device].(map[string]any)
		for _, a := range arms {
			b := cell{group: GroupCold, machine: r.Device, figure: ttft}
			var alone []float64
			for _, run := range a.runs {
				alone = append(alone, run.Alone)
			}
			b.id, b.published, b.bench = fmt.Sprintf("%s/cold/%s/%d/ttft_s", r.Device, a.name, longPrompt), mean(alone), cold(longPrompt, a.set...)
			all = append(all, b)
			var at []float64
			switch a.name {
			case "base":
				at = append(numbers(short["base"]), numbers(short["unset"])...)
			default:
				at = numbers(short[a.name])
			}
			if len(at) > 0 {
				b.id, b.published, b.bench = fmt.Sprintf("%s/cold/%s/%d/ttft_s", r.Device, a.name, coldPrompt), mean(at), cold(coldPrompt, a.set...)
				all = append(all, b)
			}
		}
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
		return 0
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
