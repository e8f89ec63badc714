package core

import "math/big"

// ledger keeps the share as the reference words it: after a step of p taken
// while a reply decodes, debt = max(debt, 0) + p·(1−s)/s and no round has run
// since; decode time r takes r off the debt.
type ledger struct {
	cfg   Config
	debt  int64
	since int // rounds since the last step
	rows  int // asked beside a reply since the last round
	whole int // steps beside a reply since the last round
}

func newLedger(cfg Config) ledger { return ledger{cfg: cfg, since: 1} }

func (l *ledger) step(p Micros, rows int, beside bool) {
	l.since = 0
	if !beside {
		l.debt = 0
		return
	}
	if !l.cfg.CarryOverrun {
		l.debt = max(l.debt, 0)
	}
	owed := big.NewInt(int64(p))
	owed.Mul(owed, big.NewInt(int64(Whole-l.cfg.PromptShare)))
	owed.Div(owed, big.NewInt(int64(l.cfg.PromptShare)))
	l.debt += owed.Int64()
	l.rows += rows
	l.whole++
}

func (l *ledger) pass(r Micros) { l.debt -= int64(r) }

func (l *ledger) round(r Micros) {
	l.debt -= int64(r)
	l.since++
	l.rows, l.whole = 0, 0
}

// settle forgets what nobody waits for.
func (l *ledger) settle(filling, decoding int) {
	if filling == 0 || decoding == 0 {
		l.debt = 0
	}
	if decoding == 0 {
		l.since, l.rows, l.whole = max(l.since, 1), 0, 0
	}
}

// allows says that a prompt may take a step now.
func (l *ledger) allows(decoding int) bool {
	switch {
	case decoding == 0:
		return true
	case !l.cfg.Steps:
		return l.whole < l.cfg.Lanes
	case l.since >= 1 && l.debt <= 0:
		return true
	default:
		return l.since == 0 && l.rows < l.cfg.BudgetRows
	}
}

// most is the most rows of a step of a prompt with left rows to run.
func (l *ledger) most(left, decoding int) int {
	if !l.cfg.Steps {
		return left
	}
	rows := min(left, l.cfg.StepRows)
	if decoding == 0 {
		return rows
	}
	if c := l.cfg.PolicyRows; c > 0 {
		rows = min(rows, c)
	}
	if c := l.cfg.DecodeShareRows; c > 0 {
		rows = min(rows, c)
	}
	if c := l.cfg.BudgetRows; c > 0 {
		rows = min(rows, max(1, c-l.rows))
	}
	return rows
}
