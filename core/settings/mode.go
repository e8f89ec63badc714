package settings

import "github.com/tfsim/tfsim/core"

// A mode is what the set values make of a base together. Its methods give
// the reason why a kind of setting has no effect in it, or "".
type mode struct {
	v       Values
	c, base core.Config
	// depth is the draft depth before a launch's rows bound it.
	depth int
}

// noSteps: prompts run whole.
func (m mode) noSteps() string {
	return when(!m.c.Steps, "no effect: prompts run whole, nothing turns prompt steps on")
}

// alone: no reply ever decodes beside a prompt.
func (m mode) alone() string {
	return when(m.c.Lanes == 1, "no effect on steps: with one lane no reply decodes beside a prompt")
}

// noDrafts: no round is drafted.
func (m mode) noDrafts() string {
	switch {
	case !m.base.Drafts:
		return "no effect: there is no drafter"
	case m.v.n(nameNoDrafts, 0) != 0:
		return "no effect: " + nameNoDrafts + " is set"
	case !m.c.Drafts:
		return "no effect: " + nameDrafts + " turns drafts off"
	case m.c.DraftDepth == 0:
		return "no effect: windows verify no draft (" + nameDepth + " or TF_DSV41_ROWS_CAP)"
	case m.c.PlainStreams == 1:
		return "no effect: every round runs plain (" + namePlain + " is 1)"
	}
	return ""
}

// noPasses: no round is drafted, or the draft rule never asks.
func (m mode) noPasses() string {
	return firstOf(m.noDrafts(),
		when(m.c.Rule == core.RulePlain, "no effect: %s is plain", nameDraft))
}

// noEarlier: the earlier draft rule does not choose.
func (m mode) noEarlier() string {
	return firstOf(m.noPasses(),
		when(m.c.Rule != core.RuleEarlier, "no effect: only the earlier draft rule uses it (%s)", nameDraft))
}

// noCost: depths are not chosen by the earlier rule's cost.
func (m mode) noCost() string {
	return firstOf(m.noEarlier(),
		when(m.c.Depth == core.DepthStatic, "no effect: depths are static (%s)", nameRule))
}

// noJoint: no round has two drafting streams whose depths cost decides.
func (m mode) noJoint() string {
	return firstOf(m.noCost(),
		when(m.c.Lanes == 1, "no effect: with one lane no round is shared"),
		when(m.c.RoundStreams == 1 || m.c.RoundRows == 1, "no effect: a round's bound leaves it one stream"),
		when(m.c.PlainStreams == 2, "no effect: every shared round runs plain (%s is 2)", namePlain))
}

// noWeights: joint mode 2 is not chosen.
func (m mode) noWeights() string {
	return firstOf(m.noJoint(),
		when(m.c.Joint != 2, "no effect: only TF_DSV41_DEPTH_JOINT=2 uses it"))
}

// stepsBy is the set variable or flag that turns prompt steps on, or "".
func (m mode) stepsBy() string {
	if m.v.n(nameDecodeShare, 0) > 0 {
		return nameDecodeShare
	}
	for _, name := range []string{nameOrder, namePolicy, nameShare, nameBudget} {
		if m.v.set(name) {
			return name
		}
	}
	return ""
}

// stepCap says what already cuts a step to at most so many rows while
// replies decode, other than the policy.
func (m mode) stepCap(rows int) string {
	return firstOf(
		when(m.c.DecodeShareRows > 0 && m.c.DecodeShareRows <= rows,
			"no cut: %s already cuts a step to %d rows while replies decode", nameDecodeShare, m.c.DecodeShareRows),
		when(m.c.StepRows <= rows, "no cut: a step has at most %d rows", m.c.StepRows))
}
