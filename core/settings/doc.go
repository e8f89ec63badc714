// Package settings is the one typed registry of settings. Flags, the
// environment, scenario arms, an editor, a tuner's search space and the
// generated docs/settings.md all read it, so a setting is described once.
//
// A user's texts become a scheduler's configuration in two moves:
//
//	var v settings.Values
//	err := v.Set("TENSORFOLD_PREFILL_ORDER", "srpt") // or SetFrom, with an origin
//	cfg, notes, err := v.Config(base)
//
// Set reads one text. A blank text is the same as never setting the name. A
// malformed or out-of-range text is an error of one line that names the
// setting, its text and the forms it accepts; an unknown name is an error
// that suggests the nearest known ones.
//
// Config lays the set values over a base that already has what the machine
// says: its lanes, its launch rows, its belief of prices. The order in which
// values were set never matters. What depends on several settings at once (a
// default share once prompts run in steps, a default depth by depth rule) is
// in settle, and nowhere else.
//
// Nothing is ignored silently: each set value that changes nothing in the
// mode the others choose gets a Note that says why. Names that the modelled
// system knows and that have no meaning here (CUDA's planner and memory
// floors, disk tiers, ...) are checked for their form and get a Note too, so
// an environment pasted from a machine works and is honest about itself.
//
// Fractions and numbers are decimal text and are read exactly, to a
// millionth: no value passes through a float on its way to parts per million
// or nanoseconds.
package settings
