package costmodel

// Heat is how a machine slows under steady work. The table only states the
// figures; a world gives them effect.
type Heat struct {
	// Limit is the most that heat adds to a cost, as a fraction of it.
	Limit float64 `json:"limit"`
	// TauS is the time constant of warming up, in seconds of work.
	TauS float64 `json:"tau_s"`
	// Headroom is the heat that the machine takes up before it slows, in
	// units of what the time constant works on.
	Headroom float64 `json:"headroom,omitempty"`
	// CoolS is the time constant of cooling down, in idle seconds; 0 is
	// never.
	CoolS float64 `json:"cool_s,omitempty"`
	// Rounds is the share of the slowdown that rounds feel; prompts feel all
	// of it.
	Rounds float64 `json:"rounds,omitempty"`
}
