package tune

import "github.com/tfsim/tfsim/sim/result"

// Answer is what a search tells, and its evidence. docs/tuning.md describes
// its JSON.
type Answer struct {
	Objective  string     `json:"objective"`
	SubjectTo  []string   `json:"subject_to"`
	Robust     string     `json:"robust"`
	Scenarios  []Scenario `json:"scenarios"`
	Verdict    Verdict    `json:"verdict"`
	Advice     string     `json:"advice"`
	Settings   []Chosen   `json:"settings"`
	Lines      []string   `json:"environment"`
	Flags      []string   `json:"flags"`
	Candidates []Row      `json:"candidates"`
	// Against says how the winner compares with the default, the second best and
	// the best of the files' arms.
	Against     []Against   `json:"against"`
	Sensitivity []SenseLine `json:"sensitivity"`
	Warnings    []string    `json:"warnings"`
	Search      Effort      `json:"search"`
}

// Scenario is a file that was played.
type Scenario struct {
	Name    string   `json:"name"`
	Machine string   `json:"machine"`
	Base    string   `json:"base"`
	Cases   []string `json:"cases"`
	Worlds  int      `json:"worlds"`
}

// Chosen is a setting of the winner.
type Chosen struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Row is a candidate's figures.
type Row struct {
	Name     string   `json:"name"`
	Settings []Chosen `json:"settings"`
	Seeds    int      `json:"seeds"`
	// Value is the objective's figure, CI95 its interval.
	Value       result.Num      `json:"value"`
	CI95        result.Interval `json:"ci95"`
	Holds       bool            `json:"holds"`
	Saturated   bool            `json:"saturated"`
	Constraints []Kept          `json:"constraints"`
}

// Kept is how a constraint fares in a case.
type Kept struct {
	Text  string     `json:"text"`
	Case  string     `json:"case"`
	Value result.Num `json:"value"`
	Bound result.Num `json:"bound"`
	Holds bool       `json:"holds"`
	// Sure says that the interval over seeds is on one side of the bound.
	Sure bool `json:"sure"`
}

// Against is a comparison of the winner with another candidate.
type Against struct {
	Name string `json:"name"`
	// Difference is the winner's figure less the other's, with its interval;
	// Ratio is the one over the other.
	Difference result.Num      `json:"difference"`
	CI95       result.Interval `json:"ci95"`
	Ratio      result.Num      `json:"ratio"`
	// Better says that the winner is, beyond the noise and by what matters.
	Better bool `json:"better"`
	// behind says that the other is.
	behind bool
}

// SenseLine is a setting's sensitivity.
type SenseLine struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Text   string `json:"text"`
	Points []Step `json:"points"`
}

// Step is the winner with another value of the setting.
type Step struct {
	Value string `json:"value"`
	// Figure is the objective's, Worse what it is of the winner's, over 1 if
	// it is worse.
	Figure result.Num `json:"figure"`
	Worse  result.Num `json:"worse"`
	Breaks bool       `json:"breaks"`
}

// Effort is what the search took.
type Effort struct {
	Settings   int    `json:"settings"`
	Candidates int    `json:"candidates"`
	Twins      int    `json:"twins"`
	Whole      bool   `json:"whole"`
	Runs       int    `json:"runs"`
	Budget     int    `json:"budget"`
	End        string `json:"end"`
	Confirmed  bool   `json:"confirmed"`
}
