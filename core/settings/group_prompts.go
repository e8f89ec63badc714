package settings

import "github.com/tfsim/tfsim/core"

// orders matches the options of the prompt order.
var orders = []core.Order{core.OrderTurns, core.OrderSRPT, core.OrderFCFS}

// promptSettings are those of prompt steps and their share of time.
func promptSettings() []Setting {
	return []Setting{
		define(boolean(), Setting{
			Env: namePieces, Group: groupPrompts, Backend: "all", Scope: Scheduler,
			Default: "0", TurnsOn: turnsOnSteps,
			Doc:    "Prompts run in steps between rounds; otherwise a whole prompt runs at admission.",
			Search: Search{Values: []string{"0", "1"}},
			apply:  func(c *core.Config, v value) { c.Steps = v.on() },
			remark: func(m mode) string {
				return when(m.v.n(namePieces, 0) == 0 && m.c.Steps, "no effect: %s turns prompt steps on", m.stepsBy())
			},
		}),
		define(oneOf("turns", "srpt", "fcfs"), Setting{
			Env: nameOrder, Group: groupPrompts, Backend: "all", Scope: Scheduler,
			Default: "turns", Unset: "turns, once steps are on", TurnsOn: turnsOnSteps,
			Doc:    "Which filling prompt takes the next step: turns alternates, srpt takes the one with fewest rows left, fcfs the earliest.",
			Choice: "turns and fcfs, turns as the default, and that they too turn steps on; only srpt is public.",
			Search: Search{Values: []string{"", "turns", "srpt", "fcfs"}},
			apply: func(c *core.Config, v value) {
				c.Steps = true
				c.Order = orders[v.n]
			},
			remark: func(m mode) string {
				return when(m.c.Lanes == 1, "no effect on order: with one lane one prompt fills at a time")
			},
		}),
		define(oneOf("fcfs"), Setting{
			Env: namePolicy, Group: groupPrompts, Backend: "all", Scope: Scheduler,
			Unset: "no cut", TurnsOn: turnsOnSteps,
			Doc:    "Cuts a step to TENSORFOLD_PREFILL_TOKENS rows while another reply decodes. It is not an order.",
			Search: Search{Values: []string{"", "fcfs"}},
			apply:  func(c *core.Config, _ value) { c.Steps = true },
			remark: func(m mode) string { return firstOf(m.alone(), m.stepCap(m.c.PolicyRows)) },
		}),
		define(integer(1, maxInt, "rows"), Setting{
			Env: nameTokens, Group: groupPrompts, Backend: "all", Scope: Scheduler,
			Default: "2048", Unset: "2048, under TENSORFOLD_PREFILL_POLICY=fcfs",
			Doc:    "Most rows of a step under the policy.",
			Search: Search{[]string{"256", "512", "1024", "2048"}, 64, 16384},
			remark: func(m mode) string {
				if !m.v.set(namePolicy) {
					return "no effect: " + namePolicy + " is unset"
				}
				return firstOf(m.alone(), m.stepCap(m.c.PolicyRows))
			},
		}),
		define(share(), Setting{
			Env: nameShare, Group: groupPrompts, Backend: "all", Scope: Scheduler,
			Default: "0.75", Unset: "0.75, once steps are on", TurnsOn: turnsOnSteps,
			Doc:    "Prompts' share s of time while replies decode: after a step of t seconds, rounds are owed t(1-s)/s seconds. 1 owes nothing; one round still follows each step.",
			Search: Search{[]string{"0.25", "0.5", "0.75", "0.9", "1"}, 0.05, 1},
			apply: func(c *core.Config, v value) {
				c.Steps = true
				c.PromptShare = core.PPM(v.n)
			},
			remark: func(m mode) string {
				return firstOf(
					when(m.v.n(nameDecodeShare, 0) > 0, "no effect: %s wins", nameDecodeShare),
					m.alone())
			},
		}),
		define(integer(1, maxInt, "rows"), Setting{
			Env: nameBudget, Group: groupPrompts, Backend: "all", Scope: Scheduler,
			Unset: "one step between rounds", TurnsOn: turnsOnSteps,
			Doc:    "Most prompt rows that run between two rounds while a reply decodes.",
			Choice: "its meaning; the public material names it only.",
			Search: Search{[]string{"", "1024", "4096", "8192"}, 64, 65536},
			apply: func(c *core.Config, v value) {
				c.Steps = true
				c.BudgetRows = int(v.n)
			},
			remark: func(m mode) string { return m.alone() },
		}),
		define(part(), Setting{
			Flag: "decode-share", Group: groupPrompts, Backend: "all", Scope: Scheduler,
			Default: "0", TurnsOn: turnsOnSteps,
			Doc:    "Replies' share D of time between steps, and a cut of steps to 512 rows while replies decode. Wins over TENSORFOLD_PREFILL_SHARE. 0 asks for nothing.",
			Search: Search{[]string{"0", "0.1", "0.25", "0.5", "0.75"}, 0, 0.95},
			apply: func(c *core.Config, v value) {
				if v.n > 0 {
					c.Steps = true
					c.DecodeShareRows = decodeShareRows
				}
			},
			remark: func(m mode) string {
				if m.v.n(nameDecodeShare, 0) == 0 {
					return when(m.c.Steps, "no effect: 0 leaves steps and their share to the other settings")
				}
				return m.alone()
			},
		}),
	}
}
