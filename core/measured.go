package core

import "slices"

// The measured rule. A plan is worth E[tokens] − λ·E[ms], where λ is the
// long-run rate of rounds of so many streams. A pass is worth what it lets the
// depth rule choose afterwards, so each stream keeps what its passes were
// worth; asks whose worth covers the pass are made. Plain streams ask now and
// then, within a budget of their rounds' time.

const (
	// probeBudget is the part of plain rounds' time that passes may take to
	// see whether drafting pays again.
	probeBudget = 0.004
	// fairPart is the part of what plain rounds would give that each stream
	// keeps when others are drafted for.
	fairPart = 0.92
	// creditLow and creditSlack are how many tokens a stream may fall behind
	// that part before no plan may leave it out: some, and some for each token
	// of its reply.
	creditLow   = -1.5
	creditSlack = 0.015
	// paceDecay forgets rounds in the long-run rate.
	paceDecay = 0.97
	// freshCount and staleCount are how many passes a stream's worth counts
	// for at its start, when others have shown what passes are worth, and
	// after plain rounds.
	freshCount = 6
	staleCount = 3
	// staleRounds is after how many plain rounds a stream's worth is stale.
	staleRounds = 8
	// ahead is by how much asks of a shared round have to beat their price:
	// choosing the best of many noisy plans flatters it.
	ahead = 1.06
	// mostBudget is the most that the budget holds, in passes.
	mostBudget = 4
	// firstPasses is how many passes the engine makes before it judges any.
	firstPasses = 6
)

// measured is the rule's state of the engine.
type measured struct {
	costs   costs
	chances keptBins
	pace    []pace // by windows
	// worth is the mean surplus of passes over all streams: what a new one is
	// taken for.
	worth  float64
	passes int
	// budget is the milliseconds that may be lost to learning.
	budget float64
	opened bool
	took   Micros // of the coming round's pass
	probe  bool   // the coming round's pass is a probe
	wants  []want
}

// want is one ask under judgement.
type want struct {
	ask Ask
	// worth is the mean surplus of the stream's passes, hope what it may well
	// be.
	worth, hope float64
	// behind says that the stream has fallen behind its fair part: no plan
	// may leave it out.
	behind bool
}

// pace is tokens and milliseconds of recent rounds of so many windows.
type pace struct {
	tokens, millis float64
	rounds         int
}

// expectRound and expectPass are what the rule in force expects to pay.
func (s *Scheduler) expectRound(shape Shape) Nanos {
	if s.cfg.Rule == RuleMeasured {
		s.meas.costs.init()
		return Nanos(s.meas.costs.round(s.cfg.Prices.Round(shape), shape) * 1e6)
	}
	return s.cfg.Prices.Round(shape)
}

func (s *Scheduler) expectPass(asks, catchUps int) Nanos {
	if s.cfg.Rule == RuleMeasured {
		return Nanos(s.passMillis(asks, catchUps, s.action.Early) * 1e6)
	}
	return s.passPrice(asks, catchUps)
}

// roundMillis is what a shape costs, padded to the cheapest that holds it.
func (s *Scheduler) roundMillis(shape Shape) float64 {
	shape = s.padded(shape)
	if s.cfg.Rule == RuleOracle {
		return millis(s.cfg.Truth.Round(shape))
	}
	return s.meas.costs.round(s.cfg.Prices.Round(shape), shape)
}

// padded is the cheapest shape of a launch that holds another.
func (s *Scheduler) padded(shape Shape) Shape {
	most := min(s.cfg.LaunchRows, s.rowsMost())
	if shape.Rows > most {
		return shape
	}
	wide := s.cfg.Prices.Cheapest(shape)
	if wide.Windows != shape.Windows || wide.Rows < shape.Rows || wide.Rows > most {
		return shape
	}
	return wide
}

// passMillis is what a pass costs; with early, one launched early.
func (s *Scheduler) passMillis(asks, catchUps int, early bool) float64 {
	if s.cfg.Rule == RuleOracle {
		return millis(s.cfg.Truth.Pass(asks, catchUps, early))
	}
	kind := 0
	if early {
		kind = 1
	}
	return s.meas.costs.pass(s.passPrice(asks, catchUps), asks, kind)
}

// runMillis is what a pass costs in a run of drafted rounds. A lone stream's
// are launched early, all but the first; of several, those who ask change.
func (s *Scheduler) runMillis(asks, catchUps int) float64 {
	early := s.cfg.LaunchEarly && len(s.round.streams) == 1 || s.round.early == asks
	return s.passMillis(asks, catchUps, early)
}

// chance is the chance of draft j that a stream holds.
func (s *Scheduler) chance(st *stream, j int) float64 {
	if s.cfg.Rule == RuleOracle {
		return min(s.cfg.Truth.Chance(st.slot, j), 0.995)
	}
	score := st.score[j]
	q := s.meas.chances.of(j, score, s.calib.chance(j, score))
	return min(float64(q*st.trust.factor()), 0.995)
}

// going is the long-run rate of rounds of so many windows, in tokens a
// millisecond: what was measured, and no less than plain rounds give.
func (s *Scheduler) going(windows int) float64 {
	plain := float64(windows) / s.roundMillis(Shape{windows, windows})
	if windows < len(s.meas.pace) {
		if p := &s.meas.pace[windows]; p.rounds >= 8 && p.millis > 0 {
			return max(plain, p.tokens/p.millis)
		}
	}
	return plain
}

// measuredAsks keeps the asks that pay, or one probe.
func (s *Scheduler) measuredAsks() {
	m := &s.meas
	m.costs.init()
	m.probe = false
	windows := len(s.round.streams)
	if s.cfg.Rule == RuleOracle {
		s.foreseeAll()
	}
	lambda := s.going(windows)
	m.wants = m.wants[:0]
	unknown := false
	for _, a := range s.action.Asks {
		st := &s.streams[s.slots[a.Slot]]
		w := want{a, st.worth.surplus, st.worth.hopeful(), windows > 1 && st.behind()}
		switch {
		case s.cfg.Rule == RuleOracle:
			w.hope = w.worth
		case st.worth.passes == 0 && m.passes >= firstPasses:
			w.worth, w.hope = m.worth, m.worth
		case st.worth.passes == 0 && !unknown:
			// Nothing is known yet: one stream at a time has a look.
			w.worth, w.hope, unknown = 1e6, 1e6, true
		}
		m.wants = append(m.wants, w)
	}
	blocked := windows > 1 && s.someBehind()
	s.action.Asks = s.action.Asks[:0]
	if s.cfg.Rule == RuleOracle {
		if !blocked {
			s.payingAsks(lambda)
		}
		return
	}
	most := float64(mostBudget * s.passMillis(1, 1, false))
	if !m.opened {
		m.opened, m.budget = true, most
	}
	m.budget = min(m.budget+float64(probeBudget*s.roundMillis(Shape{windows, windows})), most)
	if blocked {
		return
	}
	s.payingAsks(lambda)
	if len(s.action.Asks) == 0 {
		s.probeOne()
	}
}

// payingAsks takes the wants of most worth, as many as pay for their pass; or,
// where none does by the mean, as many as may well pay, if the budget covers
// what that is expected to lose.
func (s *Scheduler) payingAsks(lambda float64) {
	m := &s.meas
	best, value, _ := s.bestAsks(lambda, func(w want) float64 { return w.worth })
	if best < len(m.wants) && s.togetherValue(lambda) > value {
		// Where rows are nearly free once the first few are paid, asks pay
		// together that do not pay one by one.
		best = len(m.wants)
	}
	if best == 0 {
		var lost float64
		best, _, lost = s.bestAsks(lambda, func(w want) float64 { return w.hope })
		if best == 0 || lost/lambda > m.budget {
			return
		}
		m.budget -= lost / lambda
	}
	for _, w := range m.wants[:best] {
		s.action.Asks = append(s.action.Asks, w.ask)
	}
	s.orderAsks()
}

// bestAsks puts the wants of most value first and says how many of them pay
// the most for one pass, 0 if none do, how much that is, and the tokens that
// they are expected to lose by the mean.
func (s *Scheduler) bestAsks(lambda float64, value func(want) float64) (best int, most, lost float64) {
	wants := s.meas.wants
	slices.SortFunc(wants, func(a, b want) int {
		switch x, y := value(a), value(b); {
		case a.behind != b.behind:
			if a.behind {
				return -1
			}
			return 1
		case x > y:
			return -1
		case x < y:
			return 1
		default:
			return a.ask.Slot - b.ask.Slot
		}
	})
	sum, mean, catchUps := 0.0, 0.0, 0
	for k := range wants {
		sum += value(wants[k])
		mean += wants[k].worth
		if wants[k].ask.CatchUp > 0 {
			catchUps++
		}
		price := s.askPrice(lambda, k+1, catchUps)
		if sum-price > most && (k+1 == len(wants) || !wants[k+1].behind) {
			best, most, lost = k+1, sum-price, max(price-mean, 0)
		}
	}
	return best, most, lost
}

// askPrice is what a pass has to be worth.
func (s *Scheduler) askPrice(lambda float64, asks, catchUps int) float64 {
	price := float64(lambda * s.runMillis(asks, catchUps))
	if len(s.round.streams) > 1 && s.cfg.Rule != RuleOracle {
		price = float64(price * ahead)
	}
	return price
}

// togetherValue is what one pass over all wants would be worth with the gains
// that their passes had in the mean, its price taken off; 0 where it does not
// pay, or not all of them are known.
func (s *Scheduler) togetherValue(lambda float64) float64 {
	wants := s.meas.wants
	if len(wants) < 2 {
		return 0
	}
	gains := s.joint.gains[:0]
	catchUps := 0
	for k := range wants {
		st := &s.streams[s.slots[wants[k].ask.Slot]]
		if st.worth.passes == 0 {
			return 0
		}
		if wants[k].ask.CatchUp > 0 {
			catchUps++
		}
		for j := range wants[k].ask.Depth {
			gains = append(gains, gain{st.worth.gains[j], int32(k), int32(len(gains))})
		}
	}
	s.joint.gains = gains
	sortGains(gains)
	n := len(s.round.streams)
	none := s.roundMillis(Shape{n, n})
	best, sum := 0.0, 0.0
	for m := 1; m <= min(len(gains), max(s.rowsMost()-n, 0)); m++ {
		sum += gains[m-1].value
		best = max(best, sum-float64(lambda*(s.roundMillis(Shape{n, n + m})-none)))
	}
	return best - s.askPrice(lambda, len(wants), catchUps)
}

// paysAgain says that one more pass over the drafted windows would pay by the
// mean.
func (s *Scheduler) paysAgain() bool {
	windows := s.action.Windows
	sum, asks := 0.0, 0
	for k := range windows {
		if windows[k].Drafts > 0 {
			sum += s.streams[s.slots[windows[k].Slot]].worth.surplus
			asks++
		}
	}
	return asks > 0 && sum > float64(s.going(len(windows))*s.runMillis(asks, 0))
}

// orderAsks puts the asks in admission order.
func (s *Scheduler) orderAsks() {
	slices.SortFunc(s.action.Asks, func(a, b Ask) int {
		return compare(s.streams[s.slots[a.Slot]].seq, s.streams[s.slots[b.Slot]].seq)
	})
}

// behind says that a stream has fallen behind its fair part of plain rounds by
// more than chance explains.
func (st *stream) behind() bool {
	return st.credit < creditLow-float64(creditSlack*float64(min(st.emitted, 400)))
}

// someBehind says that a stream is behind that cannot ask, or whose drafts do
// not even pay it for the time of its own pass: then only plain rounds are fair
// to it.
func (s *Scheduler) someBehind() bool {
	n := len(s.round.streams)
	part := s.runMillis(1, 0) / s.roundMillis(Shape{n, n})
	for _, i := range s.round.streams {
		if st := &s.streams[i]; st.behind() &&
			(st.req.NoDraft || st.room() < 1 || st.worth.passes > 0 && st.worth.surplus < part) {
			return true
		}
	}
	return false
}

// probeOne asks for the stream that decoded plainly the longest, if the budget
// allows it.
func (s *Scheduler) probeOne() {
	m := &s.meas
	oldest := -1
	for k := range m.wants {
		if oldest < 0 || m.wants[k].ask.CatchUp > m.wants[oldest].ask.CatchUp ||
			m.wants[k].ask.CatchUp == m.wants[oldest].ask.CatchUp && m.wants[k].ask.Slot < m.wants[oldest].ask.Slot {
			oldest = k
		}
	}
	if oldest < 0 {
		return
	}
	price := s.passMillis(1, 1, false)
	if m.budget < price {
		return
	}
	m.budget -= price
	m.probe = true
	s.action.Asks = append(s.action.Asks, m.wants[oldest].ask)
}

// measuredDepths shares rows among the windows: the largest gains, as many as
// are worth the most at the going rate, none included.
func (s *Scheduler) measuredDepths() {
	windows := s.action.Windows
	s.joint.gains = s.joint.gains[:0]
	for k := range windows {
		st := &s.streams[s.slots[windows[k].Slot]]
		chain := 1.0
		for d := range st.held {
			chain = float64(chain * s.chance(st, d))
			s.joint.gains = append(s.joint.gains, gain{chain, int32(k), int32(len(s.joint.gains))})
		}
	}
	sortGains(s.joint.gains)
	n := len(windows)
	lambda := s.going(n)
	none := s.roundMillis(Shape{n, n})
	best, bestValue, sum := 0, 0.0, 0.0
	for m := 1; m <= min(len(s.joint.gains), max(s.rowsMost()-n, 0)); m++ {
		sum += s.joint.gains[m-1].value
		if value := sum - float64(lambda*(s.roundMillis(Shape{n, n + m})-none)); value > bestValue+tie {
			best, bestValue = m, value
		}
	}
	for _, g := range s.joint.gains[:best] {
		windows[g.window].Drafts++
	}
	s.pad()
	s.valuePass(best, lambda, none)
}

// pad widens the windows to the cheapest shape that holds them.
func (s *Scheduler) pad() {
	windows := s.action.Windows
	shape := Shape{Windows: len(windows)}
	for k := range windows {
		shape.Rows += windows[k].Rows()
	}
	more := s.padded(shape).Rows - shape.Rows
	for k := 0; more > 0; k = (k + 1) % len(windows) {
		windows[k].Pad++
		more--
	}
}

// valuePass keeps, for each stream that asked, what its pass was worth.
func (s *Scheduler) valuePass(drafts int, lambda, none float64) {
	windows := s.action.Windows
	n := len(windows)
	row := 0.0
	if drafts > 0 {
		row = float64(lambda*(s.roundMillis(Shape{n, n + drafts})-none)) / float64(drafts)
	}
	for k := range windows {
		w := &windows[k]
		if w.Held == 0 {
			continue
		}
		st := &s.streams[s.slots[w.Slot]]
		value := -float64(row * float64(w.Drafts))
		for _, g := range s.joint.gains[:drafts] {
			if int(g.window) == k {
				value += g.value
			}
		}
		s.worthNoted(st, value)
		chain := 1.0
		for d := range st.held {
			chain = float64(chain * s.chance(st, d))
			s.joint.chains[d] = chain
		}
		st.worth.foresee(s.joint.chains[:st.held])
	}
}

func (s *Scheduler) worthNoted(st *stream, value float64) {
	m := &s.meas
	if s.cfg.Rule == RuleOracle {
		return
	}
	if st.worth.passes == 0 && m.passes >= firstPasses {
		// A new stream starts from what passes were worth so far.
		st.worth.surplus, st.worth.count = m.worth, freshCount
	}
	if st.worth.stale >= staleRounds {
		st.worth.count = min(st.worth.count, staleCount)
	}
	st.worth.passes++
	st.worth.note(value)
	m.passes++
	m.worth += float64(max(0.02, 1/float64(m.passes)) * (value - m.worth))
}

// foreseeAll gives the oracle each stream's worth without a pass: the mean of
// what its true chances would have been worth.
func (s *Scheduler) foreseeAll() {
	n := len(s.round.streams)
	lambda := s.going(n)
	none := s.roundMillis(Shape{n, n})
	for _, i := range s.round.streams {
		st := &s.streams[i]
		most := min(s.cfg.Block, s.cfg.DraftDepth, s.cfg.LaunchRows-1, st.room())
		best, sum, chain := 0.0, 0.0, 1.0
		for d := range most {
			chain = float64(chain * s.chance(st, d))
			sum += chain
			row := float64(lambda*(s.roundMillis(Shape{n, n + (d+1)*n})-none)) / float64(n)
			best = max(best, sum-row)
			st.worth.gains[d] += float64(max(0.02, 1/float64(st.worth.passes+1)) * (chain - st.worth.gains[d]))
		}
		st.worth.passes++
		st.worth.surplus += float64(max(0.02, 1/float64(st.worth.passes)) * (best - st.worth.surplus))
	}
}

// tookPass notes what the coming round's pass took.
func (s *Scheduler) tookPass(took Micros) {
	if s.cfg.Rule != RuleMeasured && s.cfg.Rule != RuleOracle {
		return
	}
	kind := 0
	if s.action.Early {
		kind = 1
	}
	asks := len(s.action.Asks)
	s.meas.took = took
	s.meas.costs.init()
	s.meas.costs.sawPass(s.passPrice(asks, s.catchUps()), asks, kind, took)
}

// learnMeasured closes a round into costs, chances, paces and credits.
func (s *Scheduler) learnMeasured(o *Outcome, rows, tokens int) {
	m := &s.meas
	windows := s.action.Windows
	n := len(windows)
	m.costs.init()
	shape := Shape{n, rows}
	m.costs.sawRound(s.cfg.Prices.Round(shape), shape, o.Device)
	took := float64(float64(o.Device+m.took) / 1000)
	m.took = 0
	for len(m.pace) <= n {
		m.pace = append(m.pace, pace{})
	}
	p := &m.pace[n]
	p.tokens = float64(p.tokens*paceDecay) + float64(tokens)
	p.millis = float64(p.millis*paceDecay) + took
	p.rounds++
	fair := float64(fairPart*took) / s.roundMillis(Shape{n, n})
	for k := range windows {
		w, end := &windows[k], &o.Slots[k]
		i, ok := s.at(w.Slot, w.ID)
		if !ok || end.Status != OK {
			continue
		}
		st := &s.streams[i]
		st.credit = min(st.credit+float64(end.Emitted)-fair, 4)
		st.worth.stale++
		if w.Held == 0 {
			continue
		}
		st.worth.stale = 0
		if w.Drafts == 0 {
			s.sawDraft(st, 0, end.Matched)
		}
		for j := range min(w.Drafts, end.Kept+1) {
			s.sawDraft(st, j, j < end.Kept)
		}
	}
}

func (s *Scheduler) sawDraft(st *stream, j int, hit bool) {
	score := st.score[j]
	expected := s.meas.chances.of(j, score, s.calib.chance(j, score))
	s.meas.chances.note(j, score, hit)
	st.trust.note(expected, hit)
}
