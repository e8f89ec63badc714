package settings

import "github.com/tfsim/tfsim/core"

// hostSettings are those of the program around the scheduler.
func hostSettings() []Setting {
	return []Setting{
		define(integerOr("auto"), Setting{
			Flag: "parallel", Group: groupHost, Backend: "all", Scope: Scheduler,
			Default: "auto", Unset: "auto: 8, or what the scenario's server says",
			Doc:    "Lanes: requests admitted at once; further ones wait.",
			Search: Search{[]string{"1", "2", "3", "4", "8"}, 1, 64},
			apply: func(c *core.Config, v value) {
				if v.n > 0 {
					c.Lanes = int(v.n)
				}
			},
		}),
		define(integer(1, maxInt, "tokens"), Setting{
			Flag: "context", Group: groupHost, Backend: "all", Scope: Scheduler,
			Unset: "no limit, or what the scenario's server says",
			Doc:   "Most tokens of a request's prompt and reply together; a longer request is refused.",
			apply: func(c *core.Config, v value) { c.Context = int(v.n) },
		}),
		define(number(maxInt, "GiB, 0 = off"), Setting{
			Flag: "prompt-cache-gib", Group: groupHost, Backend: "all", Scope: Host,
			Unset: "0, or what the scenario's server says",
			Doc:   "Memory for kept prompt states, in GiB.",
		}),
		define(integer(0, maxInt, "ms, 0 = off"), Setting{
			Env: namePrefixWait, Group: groupHost, Backend: "all", Scope: Scheduler,
			Default: "60000",
			Doc:     "How long a request waits for another's prompt with the same prefix, to start from its kept state.",
			Choice:  "the wait for one prompt counts from when both were there, and requests behind it go first.",
			Search:  Search{[]string{"0", "60000"}, 0, 600_000},
			apply:   func(c *core.Config, v value) { c.PrefixWait = core.Micros(v.n) * 1000 },
			remark: func(m mode) string {
				return firstOf(
					when(!m.c.Steps, "no effect: prompts run whole, one after the other"),
					when(m.c.Lanes == 1, "no effect: with one lane one prompt fills at a time"))
			},
		}),
	}
}
