package scenario

// Arm is one way of setting the server.
type Arm struct {
	Pos
	Name string
	// Env and Flags are settings by environment variable and by flag, in the
	// file's order.
	Env, Flags []Setting
}

// Setting is a setting's name and value as written.
type Setting struct {
	Pos
	Name  string
	Value Value
}

// Value is a setting's value: the text that a person would put into the
// environment. Blank reads as unset.
type Value struct {
	Text string
	Pos
}
