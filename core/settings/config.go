package settings

import (
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/core"
)

// What unset settings and caps stand for, where a base does not say.
const stepsShare core.PPM = 750_000

const (
	policyRows      = 2048
	decodeShareRows = 512
	costDepth       = 5
	staticDepth     = 3
)

// Note says why a set value changes nothing, or less than it says.
type Note struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	Text    string `json:"text"`
}

func (n Note) String() string { return n.Setting + "=" + n.Value + ": " + n.Text }

// Config lays the set values over a base that has a machine's lanes, launch
// rows and prices, and notes each set value without effect.
func (v Values) Config(base core.Config) (core.Config, []Note, error) {
	c := base
	for _, s := range registry {
		if e, ok := v.entries[s.Name]; ok && s.apply != nil {
			s.apply(&c, e.value)
		}
	}
	if c.Lanes < 1 {
		return base, nil, errors.New(nameParallel + ": no number of lanes; set one, or use a machine that says it")
	}
	if c.LaunchRows < 1 {
		return base, nil, errors.New("TF_DSV41_ROWS_CAP: no rows for a launch; set them, or use a machine that says them")
	}
	m := mode{v: v, base: base, depth: v.settle(&c, base)}
	m.c = c
	return c, v.notes(m), nil
}

// settle fills in what depends on several settings at once. It returns the
// draft depth before a launch's rows bound it.
func (v Values) settle(c *core.Config, base core.Config) (depth int) {
	// Decoders' share wins over the prompts' share; 0 asks for nothing.
	if d := v.n(nameDecodeShare, 0); d > 0 {
		c.PromptShare = core.Whole - core.PPM(d)
	} else if !c.Steps {
		c.PromptShare = core.Whole
	} else if !v.set(nameShare) && !base.Steps {
		c.PromptShare = stepsShare
	}

	// The plain switch belongs to the earlier rule; the others weigh the
	// count of streams themselves.
	if c.Rule != core.RuleEarlier && !v.set(namePlain) {
		c.PlainStreams = 0
	}

	if v.set(namePolicy) {
		c.PolicyRows = int(v.n(nameTokens, policyRows))
	}

	if c.Depth != base.Depth && !v.set(nameDepth) {
		c.DraftDepth = costDepth
		if c.Depth == core.DepthStatic {
			c.DraftDepth = staticDepth
		}
	}
	// A window is never split, so it must fit one launch.
	depth = c.DraftDepth
	c.DraftDepth = min(depth, c.LaunchRows-1)
	return depth
}

func (v Values) notes(m mode) []Note {
	var notes []Note
	for _, s := range registry {
		e, ok := v.entries[s.Name]
		if !ok {
			continue
		}
		text := ""
		if s.remark != nil {
			text = s.remark(m)
		}
		if text == "" && s.Scope == Accepted {
			text = "accepted, without effect here"
		}
		if text != "" {
			notes = append(notes, Note{s.Name, e.text, text})
		}
	}
	return notes
}

// firstOf gives the first non-empty text.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// when gives the formatted text if the condition holds.
func when(holds bool, format string, args ...any) string {
	if !holds {
		return ""
	}
	return fmt.Sprintf(format, args...)
}
