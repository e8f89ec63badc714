package validate

// startHeat is the slowdown at the start of a case by machine: on the M3
// Ultra the fill bench's cells follow each other, and each starts as hot as
// the one before it left the machine.
var startHeat = map[string]map[string]float64{
	"m3-ultra-512gb": {"reply first": 0.02, "long first": 0.27},
}

// notes mark cells that the model does not explain; docs/fidelity.md says
// what was tried.
var notes = map[string]string{}
