package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune/goal"
)

// Aims are what a search is for.
type Aims struct {
	Objectives  []goal.Objective
	Constraints []goal.Constraint
	// Robust makes one figure of those of several worlds.
	Robust Robust
}

// Field is an evaluator: scenarios with their cases and worlds. An objective
// is the mean over the cases that have it; a constraint holds if it does in
// each of them.
type Field struct {
	aims   Aims
	space  *Space
	probes []*study.Probe
	spots  []spot
	wanted []wantedIn // by objective, then by constraint
	parts  []place    // by part of a sample

	lock sync.Mutex
	base map[baseKey][]float64
}

// spot is a case of a file in all its worlds.
type spot struct {
	probe  int
	title  string // of the case, with the file's if there are several
	worlds []int  // places of the probe
	// played, if not nil, is the case with the results of single requests.
	played *scenario.Case
}

// wantedIn are the spots in which a metric counts.
type wantedIn []int

// place is a constraint in a spot.
type place struct{ constraint, spot int }

type baseKey struct{ spot, world, seed int }

var _ Evaluator = (*Field)(nil)

// NewField checks that the aims have figures in the scenarios.
func NewField(space *Space, probes []*study.Probe, aims Aims) (*Field, error) {
	f := &Field{aims: aims, space: space, probes: probes, base: map[baseKey][]float64{}}
	var metrics []goal.Metric
	for _, o := range aims.Objectives {
		metrics = append(metrics, o.Metric)
	}
	for _, c := range aims.Constraints {
		metrics = append(metrics, c.Metric)
	}
	f.spots = spots(probes, metrics)
	for i, m := range metrics {
		in, err := f.spotsOf(m)
		if err != nil {
			return nil, err
		}
		f.wanted = append(f.wanted, in)
		if c := i - len(aims.Objectives); c >= 0 {
			for _, s := range in {
				f.parts = append(f.parts, place{c, s})
			}
		}
	}
	return f, nil
}

func spots(probes []*study.Probe, metrics []goal.Metric) []spot {
	single := slices.ContainsFunc(metrics, goal.Metric.PerRequest)
	var all []spot
	for i, p := range probes {
		byCase := map[*scenario.Case]int{}
		for at, place := range p.Places() {
			n, known := byCase[place.Case]
			if !known {
				n = len(all)
				byCase[place.Case] = n
				s := spot{probe: i, title: place.Case.Name}
				if len(probes) > 1 {
					s.title = p.File().Name + " / " + s.title
				}
				if w := place.Case.Workload; w != nil && single && !w.PerRequest {
					c, full := *place.Case, *w
					full.PerRequest = true
					c.Workload = &full
					s.played = &c
				}
				all = append(all, s)
			}
			all[n].worlds = append(all[n].worlds, at)
		}
	}
	return all
}

func (f *Field) caseOf(s *spot) *scenario.Case { return f.probes[s.probe].Places()[s.worlds[0]].Case }

// spotsOf are the spots in which a metric counts: those that have its request,
// or the case that it names.
func (f *Field) spotsOf(m goal.Metric) (wantedIn, error) {
	var in wantedIn
	var names, requests []string
	for i := range f.spots {
		c := f.caseOf(&f.spots[i])
		names = append(names, c.Name)
		if m.Case != "" && m.Case != c.Name {
			continue
		}
		for _, r := range c.Requests {
			if !slices.Contains(requests, r.ID) {
				requests = append(requests, r.ID)
			}
		}
		listed := slices.ContainsFunc(c.Requests, func(r scenario.Request) bool { return r.ID == m.Request })
		switch {
		case m.Request != "" && !listed && (c.Workload == nil || m.Case == ""):
		case m.Name == "goodput_rps" && c.SLO == nil:
		default:
			in = append(in, i)
		}
	}
	switch {
	case len(in) > 0:
		return in, nil
	case m.Case != "" && !slices.Contains(names, m.Case):
		return nil, fmt.Errorf("%s: no case %q; the cases are %q", m, m.Case, names)
	case m.Request != "":
		return nil, fmt.Errorf("%s: no request %q; the requests are %q (of a workload, name the case, too)", m, m.Request, requests)
	}
	return nil, fmt.Errorf("%s: no case has an slo, which goodput needs", m)
}

// Space is what there is to search.
func (f *Field) Space() *Space { return f.space }

// Runs is the number of cells.
func (f *Field) Runs() int {
	n := 0
	for _, s := range f.spots {
		n += len(s.worlds)
	}
	return n
}

// Starts are the files' arms that are points of the space, each once, and the
// names of those that are not.
func (f *Field) Starts() (points []Point, names, outside []string) {
	for _, p := range f.probes {
		for i := range p.File().Arms {
			a := &p.File().Arms[i]
			var v settings.Values
			ok := true
			for _, s := range slices.Concat(a.Env, a.Flags) {
				ok = ok && v.Set(s.Name, s.Value.Text) == nil
			}
			point, in := f.space.Point(v)
			name := a.Name
			if !ok || !in {
				if len(f.probes) > 1 {
					name = p.File().Name + " / " + name
				}
				outside = append(outside, name)
				continue
			}
			if at := slices.Index(names, name); at >= 0 {
				if slices.Equal(points[at], point) {
					continue // the same arm in another file
				}
				name = p.File().Name + " / " + name
			}
			points, names = append(points, point), append(names, name)
		}
	}
	return points, names, outside
}

func (f *Field) setup(probe int, p Point) (study.Setup, error) {
	return f.probes[probe].Setup("candidate", f.space.Assignments(p))
}

// Same is the sameness of a point in every file.
func (f *Field) Same(p Point) (any, error) {
	if len(f.probes) == 1 {
		s, err := f.setup(0, p)
		if err != nil {
			return nil, err
		}
		return s.Sameness(), nil
	}
	var b strings.Builder
	for i := range f.probes {
		s, err := f.setup(i, p)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%v\n", s.Sameness())
	}
	return b.String(), nil
}

// Play plays every case in every world.
func (f *Field) Play(ctx context.Context, p Point, seed int) (Sample, error) {
	setups := make([]study.Setup, len(f.probes))
	for i := range f.probes {
		var err error
		if setups[i], err = f.setup(i, p); err != nil {
			return Sample{}, err
		}
	}
	out := Sample{Trace: 1}
	runs := make([][]result.Run, len(f.spots))
	for i := range f.spots {
		s := &f.spots[i]
		for _, at := range s.worlds {
			played, err := f.probes[s.probe].Play(ctx, at, setups[s.probe], study.Trial{Seed: uint64(seed), Case: s.played})
			if err != nil {
				return Sample{}, err
			}
			out.Trace = trace(out.Trace, &played.Run)
			out.Saturated = out.Saturated || played.Saturated
			for _, note := range played.Notes {
				out.Notes = append(out.Notes, s.title+": "+note)
			}
			runs[i] = append(runs[i], played.Run)
		}
	}
	if err := f.judge(ctx, &out, runs, seed); err != nil {
		return Sample{}, err
	}
	return out, nil
}

// judge fills in costs and parts from the runs by spot and world.
func (f *Field) judge(ctx context.Context, out *Sample, runs [][]result.Run, seed int) error {
	for i, o := range f.aims.Objectives {
		sum := 0.0
		for _, s := range f.wanted[i] {
			var costs []float64
			for w := range runs[s] {
				v := o.Of(&runs[s][w])
				if !v.Valid {
					v.Value = math.Inf(1)
				} else {
					v.Value = o.Cost(v.Value)
				}
				costs = append(costs, v.Value)
			}
			sum += f.aims.Robust.of(costs)
		}
		out.Costs = append(out.Costs, sum/float64(len(f.wanted[i])))
	}
	for _, at := range f.parts {
		c := f.aims.Constraints[at.constraint]
		var parts []Part
		for w := range runs[at.spot] {
			bound := c.Number
			if c.OfBase {
				base, err := f.baseFigure(ctx, at, w, seed)
				if err != nil {
					return err
				}
				bound = c.Bound(base)
			}
			part := Part{Value: math.Inf(1), Bound: bound, Excess: math.Inf(1)}
			if v := c.Of(&runs[at.spot][w]); v.Valid {
				part.Value, part.Excess = v.Value, c.Excess(v.Value, bound)
			}
			parts = append(parts, part)
		}
		out.Parts = append(out.Parts, f.aims.Robust.part(parts))
	}
	return nil
}

// baseFigure is the figure of a constraint's metric under the first arm, with
// the same seed.
func (f *Field) baseFigure(ctx context.Context, at place, world, seed int) (float64, error) {
	key := baseKey{at.spot, world, seed}
	f.lock.Lock()
	figures := f.base[key]
	f.lock.Unlock()
	if figures == nil {
		s := &f.spots[at.spot]
		probe := f.probes[s.probe]
		played, err := probe.Play(ctx, s.worlds[world], probe.Arms()[0], study.Trial{Seed: uint64(seed), Case: s.played})
		if err != nil {
			return 0, err
		}
		for _, c := range f.aims.Constraints {
			v := c.Of(&played.Run)
			if !v.Valid {
				v.Value = math.NaN()
			}
			figures = append(figures, v.Value)
		}
		f.lock.Lock()
		f.base[key] = figures
		f.lock.Unlock()
	}
	v := figures[at.constraint]
	if math.IsNaN(v) {
		s := &f.spots[at.spot]
		return 0, fmt.Errorf("%s: the base, arm %s, has no such figure in case %s",
			f.aims.Constraints[at.constraint].Metric, f.probes[s.probe].Arms()[0].Name(), s.title)
	}
	return v, nil
}
