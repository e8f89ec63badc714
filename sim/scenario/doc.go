// Package scenario reads scenario files: what requests arrive, at which
// machine, under which settings, in which worlds, and what is expected of the
// results. It only reads and checks; it neither generates requests (package
// workload does) nor knows machines or settings.
//
// A file is YAML, read strictly:
//
//	f, err := scenario.Load("long-beside-short.yaml")
//	if err != nil {
//		return err // one line: file:line:col: what was wrong (value); what is accepted
//	}
//
// A reader of the parsed file has three duties that need knowledge from
// elsewhere. All three report positions through File.At:
//
//  1. Load names are known by the machine: call Check once it is open.
//  2. Names and values of settings are known by the settings registry. They
//     are kept as the text that a person would put into the environment, with
//     line and column; a blank Text reads as unset.
//  3. Machine is a library name, or a file's path if MachineFile is set.
//
// Everything else is checked here: a File that Parse returned has no
// duplicate or dangling name, no length below 1, no number out of range.
//
// Times are integer microseconds and lengths are tokens. The keys of every
// object are tables (see keys.go) from which both the parser and Schema take
// what is accepted, so an editor and the parser agree.
package scenario
