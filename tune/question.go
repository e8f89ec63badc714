package tune

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune/goal"
)

// Question is what a search is asked, as texts. With the program and the files
// it decides what every unit gives, so that a worker elsewhere can open it,
// too. Errors call its parts as the command line does.
type Question struct {
	// Scenarios are paths of scenario files.
	Scenarios []string `json:"scenarios"`
	// Objectives is one, or with Front two: "min done_s(reply)".
	Objectives []string `json:"objectives"`
	Front      bool     `json:"front,omitempty"`
	// SubjectTo are constraints: "ttft_s(long) <= 1.05 * base".
	SubjectTo []string `json:"subject_to,omitempty"`
	// Robust is as ParseRobust reads it.
	Robust string `json:"robust,omitempty"`
	// Only and Fix say what is searched: NAME or NAME=VALUE,VALUE, and
	// NAME=VALUE.
	Only []string `json:"only,omitempty"`
	Fix  []string `json:"fix,omitempty"`
	// Cases, Machine, Noise and Seed are as in study.Options.
	Cases   []string `json:"cases,omitempty"`
	Machine string   `json:"machine,omitempty"`
	Noise   *float64 `json:"noise,omitempty"`
	Seed    *uint64  `json:"seed,omitempty"`
}

// Open reads the files and checks all that is asked.
func (q *Question) Open() (*Field, error) {
	aims, err := q.aims()
	if err != nil {
		return nil, err
	}
	fixed, names, err := q.fixed()
	if err != nil {
		return nil, err
	}
	space, err := NewSpace(q.Only, names)
	if err != nil {
		return nil, err
	}
	if q.Noise != nil && !(*q.Noise >= 0 && *q.Noise <= 2) {
		return nil, fmt.Errorf("--noise %g: want 0 to 2", *q.Noise)
	}
	opts := study.Options{Set: fixed, Cases: q.Cases, Machine: q.Machine, Noise: q.Noise, Seed: q.Seed}
	var probes []*study.Probe
	for _, path := range q.Scenarios {
		file, err := scenario.Load(path)
		if err != nil {
			return nil, err
		}
		probe, err := study.NewProbe(file, opts)
		if err != nil {
			return nil, err
		}
		probes = append(probes, probe)
	}
	return NewField(space, probes, aims)
}

func (q *Question) aims() (aims Aims, err error) {
	aims.Objectives, err = goal.ParseObjectives(strings.Join(q.Objectives, ", "))
	switch n := len(aims.Objectives); {
	case err != nil && q.Front:
		return aims, fmt.Errorf("--pareto: %w", err)
	case err != nil:
		return aims, fmt.Errorf("--objective: %w", err)
	case q.Front && n != 2:
		return aims, fmt.Errorf("--pareto: %s; want two", count(n, "objective"))
	case q.Front && aims.Objectives[0].Metric == aims.Objectives[1].Metric:
		return aims, fmt.Errorf("--pareto: both objectives are of %s; want two metrics", aims.Objectives[0].Metric)
	case !q.Front && n != 1:
		return aims, errors.New("--objective: several; want one, or two with --pareto")
	}
	for _, text := range q.SubjectTo {
		c, err := goal.ParseConstraint(text)
		if err != nil {
			return aims, fmt.Errorf("--subject-to: %w", err)
		}
		aims.Constraints = append(aims.Constraints, c)
	}
	if aims.Robust, err = ParseRobust(q.Robust); err != nil {
		return aims, fmt.Errorf("--robust %w", err)
	}
	return aims, nil
}

func (q *Question) fixed() (set []study.Assignment, names []string, err error) {
	var v settings.Values
	for _, text := range q.Fix {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, nil, fmt.Errorf("--fix %s: want NAME=VALUE", strconv.Quote(text))
		}
		if err := v.Set(name, value); err != nil {
			return nil, nil, fmt.Errorf("--fix: %w", err)
		}
		set, names = append(set, study.Assignment{Name: name, Text: value}), append(names, name)
	}
	return set, names, nil
}
