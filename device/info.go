package device

import "github.com/tfsim/tfsim/core"

// Info describes a device.
type Info struct {
	// Name says what runs the model, as a person would: "CPU (AVX-512)".
	Name string
	// Backend is the kind: "cpu", "metal", "cuda", "vulkan", "fake".
	Backend string
	// Build names the version of what drives the device.
	Build string
	// Model is the model's name; Weights and Drafter identify the weights:
	// they differ where the results can. Drafter is empty where none drafts.
	Model   string
	Weights string
	Drafter string
	// StateKey says which states fit: those saved under the same key.
	StateKey string
	// Memory is the device's memory in bytes, Free what was free at start;
	// zero where unknown.
	Memory, Free int64

	// Slots is the number of slots, Context the most rows that one holds.
	Slots   int
	Context int
	// DraftDepth is the most drafts of an ask; 0 where none drafts.
	DraftDepth int
	// DraftSteps says that the drafter makes drafts one after another, so that
	// a pass takes longer the deeper its asks are.
	DraftSteps bool
	// DraftBehind is the most rows that the drafter reads to catch up on what
	// was decoded without it; 0 where it reads all.
	DraftBehind int
	// StateBytes is about what a saved state takes for each row.
	StateBytes int

	// Vocabulary is the number of tokens. Begin starts a text, Ends end one;
	// NoToken and nothing where the model has none.
	Vocabulary int
	Begin      Token
	Ends       []Token
	// ChatTemplate is the model's own, or empty.
	ChatTemplate string

	Shapes  Shapes
	Promise Promise
}

// IsEnd says that a token ends a text.
func (i *Info) IsEnd(t Token) bool {
	for _, e := range i.Ends {
		if t == e {
			return true
		}
	}
	return false
}

// Filler is n tokens of no meaning, of the whole vocabulary but its first.
func (i *Info) Filler(n int) []Token {
	t := make([]Token, n)
	for k := range t {
		t[k] = Token(1 + (7*k+k*k/3)%(i.Vocabulary-1))
	}
	return t
}

// Shapes says what the device wants of a batch.
type Shapes struct {
	// LaunchRows is the most rows of a Verify, as its windows ask for them:
	// what the device pads comes on top.
	LaunchRows int
	// ChunkRows is the most prompt rows between two looks at the context.
	ChunkRows int
	// Least is the least rows of a window and Multiple what they are a
	// multiple of; windows below are padded. Both are at least 1.
	Least, Multiple int
	// Equal says that windows of unequal rows split a launch: it takes one
	// pass over the weights for every different number of rows in it.
	Equal bool
	// Compact says that slots in a launch that are not neighbours split it:
	// it takes one pass over the weights for every run of neighbours.
	Compact bool
	// Longest says that every window of a launch attends over as many rows as
	// the longest of them has.
	Longest bool
}

// Packing is what a scheduler has to know of a launch.
func (s Shapes) Packing() core.Packing {
	if s.Least <= 1 && s.Multiple <= 1 && !s.Equal {
		return core.Packing{}
	}
	return core.Packing{Least: s.Least, Multiple: s.Multiple, Equal: s.Equal, Longest: s.Equal && s.Compact && s.Longest}
}

// Padded is the number of rows that a window of so many rows takes.
func (s Shapes) Padded(rows int) int {
	return core.Packing{Least: s.Least, Multiple: s.Multiple}.Padded(rows)
}

// Level is how much a device promises.
type Level uint8

// The levels.
const (
	// Nothing is promised.
	Nothing Level = iota
	// Repeats: the same calls in the same order give the same tokens.
	Repeats
	// Exact: a text does not depend on what else runs, nor on how its prompt
	// was cut or its tokens drafted.
	Exact
)

var levelNames = [...]string{"nothing", "repeats", "exact"}

func (l Level) String() string { return levelNames[l] }

// Promise says for which shapes texts are what they would be alone.
type Promise struct {
	Level Level
	// MostRows bounds the padded rows of a window for which it holds; 0 is
	// any number. Prompt chunks keep to it by themselves.
	MostRows int
	// Reason says why the level is what it is.
	Reason string
}

// Holds says that a window of so many rows, as asked for, gives the tokens
// that any other such window would.
func (i *Info) Holds(rows int) bool {
	p := i.Promise
	return p.Level == Exact && rows >= 1 && (p.MostRows == 0 || i.Shapes.Padded(rows) <= p.MostRows)
}
