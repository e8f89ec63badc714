package tracetest

import (
	"bufio"
	"encoding/json"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/result"
)

// mooncake has conversations that grow: a turn's prompt begins with the one
// before.
func mooncake(s Shape, w *bufio.Writer) {
	const people, longest = 6, 16_384
	var prompts [people]struct {
		tokens int
		blocks []int
	}
	draws := random.New(s.Seed, "people").Sequence()
	fresh := 0
	s.each(func(_ int, r request) {
		p := &prompts[draws.Below(people)]
		whole := p.tokens / 512
		if p.tokens += r.prompt; p.tokens > longest {
			p.tokens, whole = r.prompt, 0
		}
		p.blocks = p.blocks[:min(whole, len(p.blocks))]
		for len(p.blocks)*512 < p.tokens {
			p.blocks = append(p.blocks, fresh)
			fresh++
		}
		ids, _ := json.Marshal(p.blocks)
		put(w, "{\"timestamp\": %d, \"input_length\": %d, \"output_length\": %d, \"hash_ids\": %s}\n",
			int64(r.at)/1000, p.tokens, r.output, strings.ReplaceAll(string(ids), ",", ", "))
	})
}

// shareGPT has texts of made-up words, about four bytes for each token.
func shareGPT(s Shape, w *bufio.Writer) {
	words := strings.Fields("what does a slot hold when it is idle and the next prompt is long we see each round give two tokens")
	draws := random.New(s.Seed, "words").Sequence()
	text := func(tokens int) string {
		var b strings.Builder
		for b.Len() < 4*tokens {
			b.WriteString(words[draws.Below(uint64(len(words)))])
			b.WriteByte(' ')
		}
		return strings.TrimSpace(b.String())
	}
	put(w, "[\n")
	s.each(func(i int, r request) {
		if i > 0 {
			put(w, ",\n")
		}
		put(w, `{"id": "c%d_0", "conversations": [`, i)
		if i%15 == 14 {
			put(w, `{"from": "gpt", "value": "%s"}]}`, text(r.output))
			return
		}
		put(w, `{"from": "human", "value": "%s"}, {"from": "gpt", "value": "%s"}`, text(min(r.prompt, 120)), text(min(r.output, 50)))
		if i%3 == 0 {
			put(w, `, {"from": "human", "value": "%s"}`, text(10))
		}
		put(w, "]}")
	})
	put(w, "\n]\n")
}

// each of the project's own two has a request as long as it takes for a reply
// at 50 tokens a second, alone in its slot; some ask for more than they get.
const perToken core.Micros = 20_000

// events are those of such requests, one after another in time.
func events(s Shape, w *bufio.Writer) {
	lines := result.NewJSONL(w, nil)
	s.own(func(at core.Micros, id core.ID, r request, asked int) {
		lines.Record(&core.Event{At: at, Kind: core.EventSubmitted, ID: id, Slot: -1, Rows: r.prompt, Tokens: asked})
	}, func(at core.Micros, id core.ID, r request, cancelled bool) {
		end := core.Event{At: at, Kind: core.EventFinished, ID: id, Reason: "end"}
		if cancelled {
			end.Kind, end.Reason = core.EventCancelled, "cancelled"
		}
		lines.Record(&core.Event{At: at, Kind: core.EventTokens, ID: id, Tokens: r.output, Total: r.output})
		lines.Record(&end)
	})
}

// record is what a server notes of them.
func record(s Shape, w *bufio.Writer) {
	type line struct {
		Config  *core.Config    `json:"config,omitempty"`
		Note    json.RawMessage `json:"note,omitempty"`
		At      core.Micros     `json:"at,omitempty"`
		Submit  *core.Request   `json:"submit,omitempty"`
		Cancel  core.ID         `json:"cancel,omitempty"`
		Action  *core.Action    `json:"action,omitempty"`
		Outcome *core.Outcome   `json:"outcome,omitempty"`
	}
	write := func(l line) {
		text, _ := json.Marshal(l) // of numbers and words alone
		put(w, "%s\n", text)
	}
	c := core.DefaultConfig()
	c.Prices = nil
	write(line{Config: &c, Note: json.RawMessage(`{}`)})
	s.own(func(at core.Micros, id core.ID, r request, asked int) {
		write(line{At: at, Submit: &core.Request{ID: id, Prompt: r.prompt, Output: asked}})
	}, func(at core.Micros, id core.ID, r request, cancelled bool) {
		if cancelled {
			write(line{At: at, Cancel: id})
			return
		}
		write(line{At: at, Action: &core.Action{Kind: core.Step, ID: id, Rows: r.prompt, Last: true, First: true}})
		write(line{At: at, Outcome: &core.Outcome{Rows: r.prompt, End: r.output == 1}})
		if r.output > 1 {
			write(line{At: at, Action: &core.Action{Kind: core.Round, Slot: -1, Windows: []core.Window{{ID: id, Drafts: r.output - 2}}, Launches: []int{1}}})
			write(line{At: at, Outcome: &core.Outcome{Slots: []core.SlotOutcome{{Kept: r.output - 2, Emitted: r.output - 1, End: true}}}})
		}
	})
}

// own tells of requests when they are sent and when they end, in order of
// time.
func (s Shape) own(sent func(at core.Micros, id core.ID, r request, asked int), ended func(at core.Micros, id core.ID, r request, cancelled bool)) {
	type flight struct {
		request
		id   core.ID
		ends core.Micros
	}
	var flying []flight // by their end
	land := func(until core.Micros) {
		for len(flying) > 0 && flying[0].ends <= until {
			f := flying[0]
			flying = flying[1:]
			ended(f.ends, f.id, f.request, f.id%25 == 0)
		}
	}
	s.each(func(i int, r request) {
		land(r.at)
		f := flight{r, core.ID(i + 1), r.at + perToken*core.Micros(r.output)}
		sent(r.at, f.id, r, r.output+int(f.id%4)*16)
		at := len(flying)
		for at > 0 && flying[at-1].ends > f.ends {
			at--
		}
		flying = append(flying[:at], append([]flight{f}, flying[at:]...)...)
	})
	land(core.Never)
}
