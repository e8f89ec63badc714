package scenario

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
)

// File is one scenario.
type File struct {
	// Path is the file's name as it was given.
	Path string
	// Name is the scenario's; without a name key, the file's base name.
	Name string
	// About is what the scenario shows and how to read it.
	About string
	// Machine is a library name, or a path (already relative to the working
	// directory, not to the scenario) if MachineFile is set.
	Machine     string
	MachineFile bool
	MachinePos  Pos
	Server      Server
	// Settings hold for every arm, in the file's order.
	Settings []Setting
	// Worlds has at least one entry. The single world of a file without
	// `worlds` is unnamed, unless it names itself.
	Worlds []World
	// Cases has at least one entry.
	Cases []Case
	// Arms has at least one entry; a file without arms has one called "base".
	Arms   []Arm
	Expect []Expect
	// Reads are the other files that the scenario reads, as it names them.
	Reads []string
}

// At renders a place in the file as "file:line:col", as "file" one that is not
// in it.
func (f *File) At(line, col int) string {
	if line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d:%d", f.Path, line, col)
}

// Server is the shape of the modelled server.
type Server struct {
	// Parallel is the number of lanes; 0 leaves it to the settings.
	Parallel int
	// Context is the most tokens of a prompt and its reply; 0 leaves it to
	// the settings.
	Context int
	// PromptCacheGiB is the budget of kept prompt states; 0 is off.
	PromptCacheGiB float64
	// ParallelPos, ContextPos and CachePos are the values' places; zero if the
	// file does not give them.
	ParallelPos, ContextPos, CachePos Pos
}

// Drafts says how a world decides which drafts a round keeps.
type Drafts string

// The kinds of draft outcomes.
const (
	// DraftsSampled draws each draft's outcome.
	DraftsSampled Drafts = "sampled"
	// DraftsExpected keeps the expected number of tokens each round and
	// carries the remainder.
	DraftsExpected Drafts = "expected"
)

// World is the truth that a case runs in.
type World struct {
	Pos
	Name string
	// Seed is what every random stream derives from.
	Seed uint64
	// Noise is the sigma of a lognormal factor on each action, 0 to 2.
	Noise float64
	// Drafts is how draft outcomes are decided.
	Drafts Drafts
	// Rows, Pass and Chunk are factors of truth over belief, above 0.
	Rows, Pass, Chunk float64
	// Confidence is the exponent on the odds of the confidences that core
	// sees, above 0.
	Confidence float64
	// Heat is the cost factor minus one at the start of a case, above -1.
	Heat float64
}

// Case is one arrangement of requests: either Requests or Workload is set.
type Case struct {
	Pos
	Name string
	// Heat overrides the world's, if not nil.
	Heat     *float64
	Requests []Request
	Workload *Workload
	// SLO is what goodput counts; nil for none.
	SLO *SLO
}

// Request is one explicit request.
type Request struct {
	Pos
	ID string
	// At is when it is sent, from the start of the case.
	At core.Micros
	// Prompt and Output are lengths in tokens, at least 1.
	Prompt, Output int
	Traits
	// CancelAt is when its client goes away, from the start of the case;
	// core.Never if it stays.
	CancelAt core.Micros
	// Like is the id of a request with the same text, or "".
	Like    string
	likePos Pos
}

// Traits are what a request and an entry of a workload's mix have in common.
type Traits struct {
	Load Text
	// Temperature is 0 for greedy.
	Temperature float64
	Background  bool
	// NoDraft makes every window of the request plain.
	NoDraft bool
	// Prefix is the kept prompt state that it may use; nil for none.
	Prefix *Prefix
}

// Text names the draft outcomes of a reply's text.
type Text struct {
	// Names has the machine's name of the text, and of what it turns into,
	// which is "" for a text that does not turn.
	Names [2]string
	// TurnAt is the number of reply tokens after which the text turns; 0 if
	// it does not.
	TurnAt int
	// At are the places of the names. A load that is left to the default has
	// the place of its request.
	At [2]Pos
}

// Prefix is a prompt beginning that requests share.
type Prefix struct {
	Key string
	// Tokens is its length, at least 1 and at most the prompt's.
	Tokens int
}

// SLO is a pair of service targets; 0 is no target.
type SLO struct {
	// TTFT bounds the time to the first token, in seconds.
	TTFT float64
	// GapP95 bounds the 95th percentile of a reply's gaps, in milliseconds.
	GapP95 float64
}
