package settings

import "github.com/tfsim/tfsim/core"

// ownSettings are the project's own: they fix what the modelled system
// fixes in its code or leaves open.
func ownSettings() []Setting {
	return []Setting{
		define(integer(1, maxInt, "rows"), Setting{
			Env: nameStepRows, Group: groupOwn, Backend: "here", Scope: Scheduler,
			Default: "4096",
			Doc:     "Most rows of a prompt step.",
			Search:  Search{[]string{"512", "1024", "2048", "4096", "8192"}, 64, 16384},
			apply:   func(c *core.Config, v value) { c.StepRows = int(v.n) },
			remark:  mode.noSteps,
		}),
		define(integer(1, maxInt, "steps"), Setting{
			Env: "TFSIM_PREFILL_PASSED_OVER", Group: groupOwn, Backend: "here", Scope: Scheduler,
			Default: "8",
			Doc:     "Under srpt, a prompt passed over so many times takes the next step.",
			Choice:  "8, as a sibling server has it.",
			Search:  Search{[]string{"2", "4", "8", "16"}, 1, 64},
			apply:   func(c *core.Config, v value) { c.PassedOver = int(v.n) },
			remark: func(m mode) string {
				return firstOf(m.noSteps(),
					when(m.c.Order != core.OrderSRPT, "no effect: only %s=srpt uses it", nameOrder),
					when(m.c.Lanes == 1, "no effect: with one lane one prompt fills at a time"))
			},
		}),
		define(boolean(), Setting{
			Env: "TFSIM_SHARE_OVERRUN", Group: groupOwn, Backend: "here", Scope: Scheduler,
			Default: "0",
			Doc:     "The time by which the last owed round overran counts against what the next step owes.",
			Choice:  "off; whether such a debt carries is not public.",
			Search:  Search{Values: []string{"0", "1"}},
			apply:   func(c *core.Config, v value) { c.CarryOverrun = v.on() },
			remark: func(m mode) string {
				return firstOf(m.noSteps(), m.alone(),
					when(m.c.PromptShare == core.Whole, "no effect: a prompt share of 1 owes nothing"))
			},
		}),
		define(integer(0, maxInt, "0 = no bound"), Setting{
			Env: "TFSIM_ROUND_STREAMS", Group: groupOwn, Backend: "here", Scope: Scheduler,
			Default: "0",
			Doc:     "Most streams of one round; streams beyond it take turns.",
			Search:  Search{[]string{"0", "2", "4"}, 0, 64},
			apply:   func(c *core.Config, v value) { c.RoundStreams = int(v.n) },
			remark: func(m mode) string {
				return when(m.c.RoundStreams >= m.c.Lanes, "no effect: no more streams than lanes (%d) decode at once", m.c.Lanes)
			},
		}),
		define(integer(0, maxInt, "0 = no bound"), Setting{
			Env: "TFSIM_ROUND_ROWS", Group: groupOwn, Backend: "here", Scope: Scheduler,
			Default: "0",
			Doc:     "Most rows of one round; streams beyond it take turns.",
			Search:  Search{[]string{"0", "16", "32"}, 0, 256},
			apply:   func(c *core.Config, v value) { c.RoundRows = int(v.n) },
		}),
		define(integer(0, maxInt, "0 = no limit"), Setting{
			Env: "TFSIM_QUEUE", Group: groupOwn, Backend: "here", Scope: Scheduler,
			Default: "0",
			Doc:     "Most requests that may wait; further ones are refused.",
			apply:   func(c *core.Config, v value) { c.Queue = int(v.n) },
		}),
	}
}
