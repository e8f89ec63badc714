// Package replay plays back draft outcomes that were measured on a real pair
// of models, in place of a text's own dice.
//
// The recording is of the demo pair: for each of 64 contexts a continuation
// of 96 tokens was drawn from the target, and every 4 tokens the drafter
// drafted 6 ahead by its own most likely token. See demo-pair.md.
package replay

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed demo-pair.json
var demoPair []byte

const (
	contexts = 64
	// stride is the tokens from one recorded start to the next.
	stride = 4
	// ahead is how many drafts were recorded from a start.
	ahead = 6
	bins  = 10
)

// Prefix starts the names of recorded loads.
const Prefix = "demo-"

// Loads are the names of the recorded loads.
var Loads = []string{Prefix + "code", Prefix + "prose"}

// Recording is the outcomes of one load at one temperature.
type Recording struct {
	starts int
	drafts [][]draft // by start*contexts + context; up to the first miss
	// mean is the mean confidence by position, for drafts after a miss.
	mean [ahead]float64
	// chance is how often drafts of a position and confidence were kept.
	chance [ahead][bins]float64
}

type draft struct {
	confidence float64
	kept       bool
}

var all = sync.OnceValues(func() (map[string]*Recording, error) { return parse(demoPair) })

// Of gives the recording of a load, greedy or sampled; nil for a load that
// was not recorded.
func Of(load string, sampled bool) *Recording {
	if !strings.HasPrefix(load, Prefix) || !slices.Contains(Loads, load) {
		return nil
	}
	recordings, err := all()
	if err != nil {
		panic(err) // the embedded recording is tested
	}
	if sampled {
		return recordings[load[len(Prefix):]+"_T1"]
	}
	return recordings[load[len(Prefix):]+"_T0"]
}

// parse reads rows of [position, confidence, kept]: for each start, position 0
// of every context, then 1 of those whose draft was kept, and so on.
func parse(data []byte) (map[string]*Recording, error) {
	var raw map[string][][3]float64
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("recorded drafts: %w", err)
	}
	out := make(map[string]*Recording, len(raw))
	for name, rows := range raw {
		r := &Recording{}
		for len(rows) > 0 {
			left, err := r.start(rows)
			if err != nil {
				return nil, fmt.Errorf("recorded drafts: %s: %w", name, err)
			}
			rows = left
		}
		r.sum()
		out[name] = r
	}
	return out, nil
}

func (r *Recording) start(rows [][3]float64) ([][3]float64, error) {
	base := len(r.drafts)
	r.drafts = append(r.drafts, make([][]draft, contexts)...)
	r.starts++
	alive := make([]int, contexts)
	for c := range alive {
		alive[c] = c
	}
	for position := 0; position < ahead && len(alive) > 0; position++ {
		if len(rows) < len(alive) {
			return nil, fmt.Errorf("start %d ends early", r.starts)
		}
		var next []int
		for k, c := range alive {
			row := rows[k]
			if int(row[0]) != position {
				return nil, fmt.Errorf("start %d has position %g, want %d", r.starts, row[0], position)
			}
			kept := row[2] != 0
			r.drafts[base+c] = append(r.drafts[base+c], draft{row[1], kept})
			if kept {
				next = append(next, c)
			}
		}
		rows, alive = rows[len(alive):], next
	}
	return rows, nil
}

// sum counts means and chances.
func (r *Recording) sum() {
	var seen [ahead]float64
	var kept, cell [ahead][bins]float64
	for _, drafts := range r.drafts {
		for j, d := range drafts {
			seen[j]++
			r.mean[j] += d.confidence
			b := bin(d.confidence)
			cell[j][b]++
			if d.kept {
				kept[j][b]++
			}
		}
	}
	for j := range ahead {
		r.mean[j] /= max(seen[j], 1)
		for b := range bins {
			middle := (float64(b) + 0.5) / bins
			r.chance[j][b] = (kept[j][b] + 2*middle) / (cell[j][b] + 2)
		}
	}
}

func bin(confidence float64) int { return min(max(int(confidence*bins), 0), bins-1) }

// at are the drafts recorded where a text stands.
func (r *Recording) at(text uint64, token int) []draft {
	start := token / stride % r.starts
	return r.drafts[start*contexts+int(text%contexts)]
}

// Kept says whether draft j, asked at token, was kept; a draft after a miss
// was not.
func (r *Recording) Kept(text uint64, token, j int) bool {
	d := r.at(text, token)
	return j < len(d) && d[j].kept
}

// Confidence is what the drafter said of draft j. After a miss nothing was
// recorded: the mean of the position stands in.
func (r *Recording) Confidence(text uint64, token, j int) float64 {
	d := r.at(text, token)
	if j < len(d) {
		return d[j].confidence
	}
	return r.mean[min(j, ahead-1)]
}

// Chance is how often drafts of such a position and confidence were kept.
func (r *Recording) Chance(text uint64, token, j int) float64 {
	return r.chance[min(j, ahead-1)][bin(r.Confidence(text, token, j))]
}
