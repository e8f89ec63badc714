package result

import (
	"encoding/json"
	"fmt"
)

// Head says of which run the events after it are. It is a line of its own:
//
//	{"run":{"scenario":"long beside short","machine":"m5-ultra-512gb","case":"reply first","arm":"base","seed":1}}
type Head struct {
	Scenario string `json:"scenario"`
	Machine  string `json:"machine"`
	World    string `json:"world,omitempty"`
	Case     string `json:"case"`
	Arm      string `json:"arm"`
	Seed     uint64 `json:"seed"`
}

// Begin writes the head of a run.
func (j *JSONL) Begin(h Head) {
	if j.err != nil {
		return
	}
	line, err := json.Marshal(map[string]Head{"run": h})
	if err != nil {
		j.err = fmt.Errorf("the head of a run: %w", err)
		return
	}
	_, j.err = j.w.Write(append(line, '\n'))
}
