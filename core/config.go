package core

import "fmt"

// Order is which filling prompt takes the next step.
type Order uint8

// The prompt orders.
const (
	// OrderTurns: filling prompts alternate by step.
	OrderTurns Order = iota
	// OrderSRPT: fewest rows left first, ties to the earlier; a prompt passed
	// over PassedOver times takes the next step.
	OrderSRPT
	// OrderFCFS: the earliest admitted first, until its prompt is done.
	OrderFCFS
)

// DepthRule is how many held drafts a window verifies.
type DepthRule uint8

// The depth rules.
const (
	DepthCost DepthRule = iota
	DepthStatic
)

// PPM is a fraction in parts per million.
type PPM int64

// Whole is the fraction 1.
const Whole PPM = 1_000_000

// Config is everything a scheduler is told at its start. The zero value is
// not valid; DefaultConfig is.
type Config struct {
	// Lanes is the number of requests admitted at once, at least 1.
	Lanes int
	// Context is the most tokens of prompt and reply together, 0 for no limit.
	Context int
	// Queue is the most requests that may wait, 0 for no limit. Submit
	// refuses beyond it.
	Queue int
	// PrefixWait is how long a request may wait, while a lane is free, for a
	// prompt of its prefix that is filling, to start from the state that is
	// kept of it; 0 is not at all.
	PrefixWait Micros

	// Steps says that prompts run in steps between rounds; otherwise a whole
	// prompt runs at admission.
	Steps bool
	// StepRows is the most rows of a step, at least 1.
	StepRows int
	// PolicyRows, if not 0, caps a step while another reply decodes (the
	// step-cap policy).
	PolicyRows int
	// DecodeShareRows, if not 0, caps a step while replies decode (the
	// --decode-share cap).
	DecodeShareRows int
	// BudgetRows, if not 0, lets several steps follow each other while
	// replies decode, up to this many rows before the next round.
	BudgetRows int
	// Order is the prompt order.
	Order Order
	// PassedOver bounds how often SRPT may pass a prompt over, at least 1.
	PassedOver int
	// PromptShare is the prompts' share of time while replies decode, in
	// (0, Whole]. Whole owes nothing, but one round still follows each step.
	PromptShare PPM
	// CarryOverrun says that decode time beyond what was owed, while a prompt
	// fills, counts against what the next step owes.
	CarryOverrun bool

	// LaunchRows is the most rows of one launch, at least 1.
	LaunchRows int
	// RoundStreams and RoundRows bound one round; streams beyond them take
	// turns. 0 is no bound.
	RoundStreams, RoundRows int

	// Packing is how the device lays windows out; the measured rule pads them
	// and prices them by it.
	Packing Packing

	// Drafts says that a drafter is there and used.
	Drafts bool
	// Block is the number of drafts a pass gives for each ask, at least 1.
	Block int
	// MostBehind is the most rounds, of a row each, that the drafter reads to
	// catch up on those a slot decoded plainly; 0 where it reads all.
	MostBehind int
	// DraftDepth caps the drafts verified in a window, 0 to 15.
	DraftDepth int
	// Rule is how asks and depths are chosen.
	Rule DraftRule
	// Truth is the world that RuleOracle knows; only a simulation has one.
	Truth Truth
	// PlainStreams: rounds of at least so many decoding streams run plain;
	// 0 is never.
	PlainStreams int
	// Depth is the depth rule; DepthStatic verifies DraftDepth drafts.
	Depth DepthRule
	// Skip says that a lone window may verify no draft.
	Skip bool
	// Joint is the joint depth mode, 0, 1 or 2.
	Joint int
	// Fair is the exponent of mode 2's weights, 0 to 4.
	Fair float64
	// HostNanos is added to a round's modelled time in mode 2.
	HostNanos Nanos
	// DepthRows is the most rows the depth allocation may give a round.
	DepthRows int
	// LaunchEarly launches the next pass right after a drafted round.
	LaunchEarly bool

	// Prices is the belief; required when Drafts is set.
	Prices Prices
	// Sink receives events; nil for none.
	Sink Sink
}

// MostLanes bounds the lanes: a scheduler has room for all of them from its
// start.
const MostLanes = 1 << 16

// mostPadded bounds what windows are padded to: what rounds take is kept by their
// rows.
const mostPadded = 1024

// DefaultConfig is the configuration with every setting unset: whole
// prompts, drafts on, the rules of a Metal host.
func DefaultConfig() Config {
	return Config{
		Lanes:        8,
		PrefixWait:   60_000_000,
		StepRows:     4096,
		PassedOver:   8,
		PromptShare:  Whole,
		LaunchRows:   16,
		Drafts:       true,
		Block:        5,
		DraftDepth:   5,
		PlainStreams: 3,
		Skip:         true,
		Joint:        1,
		Fair:         0.5,
		HostNanos:    3_000_000,
		DepthRows:    64,
	}
}

func (c *Config) validate() error {
	type check struct {
		bad  bool
		text string
	}
	for _, k := range []check{
		{c.Lanes < 1, fmt.Sprintf("lanes %d: must be at least 1", c.Lanes)},
		{c.Lanes > MostLanes, fmt.Sprintf("lanes %d: must be at most %d", c.Lanes, MostLanes)},
		{c.Context < 0, fmt.Sprintf("context %d: must be at least 0", c.Context)},
		{c.Queue < 0, fmt.Sprintf("queue %d: must be at least 0", c.Queue)},
		{c.PrefixWait < 0, fmt.Sprintf("prefix wait %d µs: must be at least 0", c.PrefixWait)},
		{c.StepRows < 1, fmt.Sprintf("step rows %d: must be at least 1", c.StepRows)},
		{c.PolicyRows < 0 || c.DecodeShareRows < 0 || c.BudgetRows < 0, "row caps must be at least 0"},
		{c.Order > OrderFCFS, fmt.Sprintf("order %d: unknown", c.Order)},
		{c.PassedOver < 1, fmt.Sprintf("passed over %d: must be at least 1", c.PassedOver)},
		{c.PromptShare <= 0 || c.PromptShare > Whole, fmt.Sprintf("prompt share %d ppm: must be over 0 and at most %d", c.PromptShare, Whole)},
		{c.LaunchRows < 1, fmt.Sprintf("launch rows %d: must be at least 1", c.LaunchRows)},
		{min(c.Packing.Least, c.Packing.Multiple) < 0 || max(c.Packing.Least, c.Packing.Multiple) > mostPadded,
			fmt.Sprintf("least rows of a window and their multiple must be 0 to %d", mostPadded)},
		{c.RoundStreams < 0 || c.RoundRows < 0, "round bounds must be at least 0"},
		{c.Drafts && c.Block < 1, fmt.Sprintf("block %d: must be at least 1", c.Block)},
		{c.MostBehind < 0, fmt.Sprintf("rounds to catch up on %d: must be at least 0", c.MostBehind)},
		{c.DraftDepth < 0 || c.DraftDepth > 15, fmt.Sprintf("draft depth %d: must be 0 to 15", c.DraftDepth)},
		{c.PlainStreams < 0, fmt.Sprintf("plain streams %d: must be at least 0", c.PlainStreams)},
		{c.Depth > DepthStatic, fmt.Sprintf("depth rule %d: unknown", c.Depth)},
		{c.Joint < 0 || c.Joint > 2, fmt.Sprintf("joint mode %d: must be 0, 1 or 2", c.Joint)},
		{!(c.Fair >= 0 && c.Fair <= 4), fmt.Sprintf("fair exponent %g: must be 0 to 4", c.Fair)},
		{c.HostNanos < 0, fmt.Sprintf("host time %d ns: must be at least 0", c.HostNanos)},
		{c.DepthRows < 1, fmt.Sprintf("depth rows %d: must be at least 1", c.DepthRows)},
		{c.Drafts && c.Prices == nil, "drafts need prices"},
		{c.Rule > RuleOracle, fmt.Sprintf("draft rule %d: unknown", c.Rule)},
		{c.Rule == RuleOracle && c.Truth == nil, "the oracle rule needs a world to know"},
	} {
		if k.bad {
			return fmt.Errorf("core: %s", k.text)
		}
	}
	return nil
}
