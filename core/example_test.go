package core_test

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
)

// printer is a sink that prints who is done.
type printer struct{}

func (printer) Record(e *core.Event) {
	if e.Kind == core.EventFinished {
		fmt.Printf("%d ms: request %d finished by its %s with %d tokens\n", e.At/1000, e.ID, e.Reason, e.Total)
	}
}

// The loop of a driver: here the device takes 1 ms for a prompt row and 20 ms
// for a round, on a clock of its own.
func ExampleScheduler() {
	cfg := core.DefaultConfig()
	cfg.Steps, cfg.StepRows, cfg.Drafts = true, 512, false
	cfg.Sink = printer{}
	sched, err := core.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	for id, prompt := range []int{100, 1000} {
		if err := sched.Submit(0, core.Request{ID: core.ID(id), Prompt: prompt, Output: 4}); err != nil {
			fmt.Println(err)
			return
		}
	}
	var now core.Micros
	var outcome core.Outcome
	for {
		action := sched.Next(now)
		outcome = core.Outcome{Slots: outcome.Slots[:0]}
		switch action.Kind {
		case core.Wait:
			return // nothing is left to do
		case core.Step:
			outcome.Rows = action.Rows
			outcome.Wall = core.Micros(action.Rows) * 1000
		case core.Round:
			for range action.Windows {
				outcome.Slots = append(outcome.Slots, core.SlotOutcome{Emitted: 1})
			}
			outcome.Wall = 20_000
		}
		now += outcome.Wall
		if err := sched.Done(now, &outcome); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// 1160 ms: request 0 finished by its length with 4 tokens
	// 1200 ms: request 1 finished by its length with 4 tokens
}
