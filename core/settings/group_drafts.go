package settings

import (
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// rules matches the options of the depth rule.
var rules = []core.DepthRule{core.DepthCost, core.DepthStatic}

// draftRuleNames are the forms of the draft rule, draftRules what they mean.
var (
	draftRuleNames = []string{"measured", "priced", "earlier", "plain", "priced-1", "priced-2", "oracle"}
	draftRules     = []core.DraftRule{
		core.RuleMeasured, core.RulePriced2, core.RuleEarlier, core.RulePlain,
		core.RulePriced1, core.RulePriced2, core.RuleOracle,
	}
)

// draftSettings are those of drafts, their depth and their pass.
func draftSettings() []Setting {
	return []Setting{
		define(boolean(), Setting{
			Flag: "no-drafts", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "0",
			Doc:     "Every round runs plain: the reference arm.",
			Search:  Search{Values: []string{"0", "1"}},
			apply: func(c *core.Config, v value) {
				if v.on() {
					c.Drafts = false
				}
			},
			remark: func(m mode) string {
				return when(!m.base.Drafts, "no effect: there is no drafter")
			},
		}),
		define(boolean(), Setting{
			Env: nameDrafts, Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "1",
			Doc:     "The drafter is used.",
			apply: func(c *core.Config, v value) {
				if !v.on() {
					c.Drafts = false
				}
			},
			remark: func(m mode) string {
				return firstOf(
					when(!m.base.Drafts, "no effect: there is no drafter"),
					when(m.v.n(nameNoDrafts, 0) != 0, "no effect: %s is set", nameNoDrafts))
			},
		}),
		define(oneOf(draftRuleNames...), Setting{
			Env: nameDraft, Group: groupDrafts, Backend: "here", Scope: Scheduler,
			Default: "earlier",
			Doc:     "How asks and depths are chosen: by what rounds took and passes were worth (measured), by one of the published rules, or not at all (plain). priced is priced-2. oracle knows the simulated world.",
			Search:  Search{Values: []string{"measured", "earlier", "plain"}},
			apply:   func(c *core.Config, v value) { c.Rule = draftRules[v.n] },
			remark:  mode.noDrafts,
		}),
		define(boolean(), Setting{
			Env: namePriced, Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "0",
			Doc:     "The published priced rule, as TFSIM_DRAFT_RULE=priced. The plain switch is then 0 unless set.",
			Choice:  "off by default on every backend, since the rule was not adopted.",
			apply: func(c *core.Config, v value) {
				if v.on() && c.Rule == core.RuleEarlier {
					c.Rule = core.RulePriced2
				}
			},
			remark: func(m mode) string {
				return firstOf(m.noDrafts(),
					when(m.v.n(namePriced, 0) != 0 && m.c.Rule != core.RulePriced2, "no effect: %s is set", nameDraft))
			},
		}),
		define(integer(0, maxInt, "0 = never"), Setting{
			Env: namePlain, Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "3",
			Unset:   "3, or what the machine says",
			Doc:     "Rounds of at least so many decoding streams run plain: no asks, no pass, no ingest. CUDA's own default is 0.",
			Choice:  "a filling prompt does not count as a decoding stream.",
			Search:  Search{[]string{"0", "2", "3", "4", "5"}, 0, 16},
			apply:   func(c *core.Config, v value) { c.PlainStreams = int(v.n) },
			remark: func(m mode) string {
				// A threshold of 1 turns drafts off itself, which is its effect.
				if m.c.PlainStreams == 1 && m.c.Drafts {
					return ""
				}
				return firstOf(m.noPasses(),
					when(m.c.PlainStreams > m.c.Lanes, "no effect: no more streams than lanes (%d) decode at once", m.c.Lanes))
			},
		}),
		define(oneOfFold("cached", "real", "default", "measure", "zig"), Setting{
			Env: nameCalib, Group: groupDrafts, Backend: "all", Scope: Host,
			Default: "default",
			Doc:     "The belief of costs: default is the built-in formula, each other word the machine's measured table. CUDA's own default is cached.",
			Choice:  "cached, real, measure and zig mean the same table.",
			Search:  Search{Values: []string{"default", "measure"}},
		}),
		define(oneOf("cost", "static"), Setting{
			Env: nameRule, Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "cost",
			Doc:     "How many held drafts a window verifies: by cost, or always TF_DSV41_DRAFT_DEPTH.",
			Search:  Search{Values: []string{"cost", "static"}},
			apply:   func(c *core.Config, v value) { c.Depth = rules[v.n] },
			remark:  mode.noPasses,
		}),
		define(integer(0, 15, ""), Setting{
			Env: nameDepth, Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "5", Unset: "5 by cost, 3 static",
			Doc:    "Most drafts that a window verifies.",
			Search: Search{[]string{"1", "2", "3", "4", "5"}, 0, 15},
			apply:  func(c *core.Config, v value) { c.DraftDepth = int(v.n) },
			remark: func(m mode) string {
				asked := int(m.v.n(nameDepth, 0))
				if asked == 0 && m.c.Drafts && m.c.PlainStreams != 1 {
					return ""
				}
				return firstOf(
					when(asked > m.c.DraftDepth && m.c.DraftDepth == 0, "reads as 0: a launch of one row holds no draft"),
					m.noDrafts(),
					when(asked > m.c.DraftDepth, "reads as %d: a window fits a launch of %d rows", m.c.DraftDepth, m.c.LaunchRows),
					when(asked > m.c.Block, "reads as %d: a pass gives no more drafts", m.c.Block))
			},
		}),
		define(boolean(), Setting{
			Env: "TF_DSV41_DRAFT_SKIP", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "1",
			Doc:     "A lone window may verify no draft.",
			Search:  Search{Values: []string{"0", "1"}},
			apply:   func(c *core.Config, v value) { c.Skip = v.on() },
			remark:  mode.noCost,
		}),
		define(modes(2), Setting{
			Env: "TF_DSV41_DEPTH_JOINT", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "1",
			Doc:     "Depths of a shared round: 0 each window alone, 1 all together, 2 together, weighted and with host time.",
			Search:  Search{[]string{"0", "1", "2"}, 0, 2},
			apply:   func(c *core.Config, v value) { c.Joint = int(v.n) },
			remark:  mode.noJoint,
		}),
		define(number(4, ""), Setting{
			Env: "TF_DSV41_DEPTH_FAIR", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "0.5",
			Doc:     "Exponent of joint mode 2's weights.",
			Search:  Search{[]string{"0", "0.5", "1", "2"}, 0, 4},
			apply: func(c *core.Config, v value) {
				// The shortest text's nearest float, the same on every machine.
				c.Fair, _ = strconv.ParseFloat(v.text, 64)
			},
			remark: mode.noWeights,
		}),
		define(number(100, "milliseconds"), Setting{
			Env: "TF_DSV41_DEPTH_HOST_MS", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "3",
			Doc:     "Host time added to a round's modelled time in joint mode 2.",
			Search:  Search{[]string{"0", "1.5", "3", "6"}, 0, 100},
			apply: func(c *core.Config, v value) {
				// A millionth of a millisecond is a nanosecond.
				c.HostNanos = core.Nanos(v.n)
			},
			remark: mode.noWeights,
		}),
		define(integer(1, 64, "rows"), Setting{
			Env: "TF_DSV41_GRAPH_ROWS_MAX", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "64",
			Doc:     "Most rows to which drafts may bring a round.",
			Search:  Search{[]string{"16", "32", "64"}, 1, 64},
			apply:   func(c *core.Config, v value) { c.DepthRows = int(v.n) },
			remark: func(m mode) string {
				return firstOf(m.noDrafts(),
					when(m.c.RoundRows > 0 && m.c.RoundRows <= m.c.DepthRows,
						"no effect: TFSIM_ROUND_ROWS already bounds a round to %d rows", m.c.RoundRows))
			},
		}),
		define(bucket(), Setting{
			Env: "TF_DSV41_ROWS_CAP", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Unset: "the machine's launch rows",
			Doc:   "Most rows of one launch; a round of more rows takes further launches.",
			apply: func(c *core.Config, v value) { c.LaunchRows = int(v.n) },
			remark: func(m mode) string {
				return when(m.c.Drafts && m.c.PlainStreams != 1 && m.c.DraftDepth < min(m.depth, m.c.Block),
					"windows verify at most %d drafts: each fits one launch", m.c.DraftDepth)
			},
		}),
		define(boolean(), Setting{
			Env: "TF_DSV41_SPEC_DRAFT", Group: groupDrafts, Backend: "all", Scope: Scheduler,
			Default: "0", Unset: "what the machine does: on for the Mac tables, else 0",
			Doc:    "The next pass starts right after a drafted round, before the next round's depths are known. CUDA's own default is 0.",
			Choice: "on for a machine whose table says what an early launch hides; the published figures need it.",
			Search: Search{Values: []string{"0", "1"}},
			apply:  func(c *core.Config, v value) { c.LaunchEarly = v.on() },
			remark: mode.noDrafts,
		}),
	}
}
