// Package tune searches the settings for those that serve a purpose best: an
// objective over the results of scenarios, under constraints. It knows nothing
// of how settings act. It plays candidates, compares them, and says how sure
// it is.
//
//	space, err := tune.NewSpace(only, nil)
//	field, err := tune.NewField(probes, aims)      // what a candidate is worth
//	found, err := tune.Search(ctx, field, space, tune.Options{Budget: 10_000})
//	answer := tune.NewAnswer(field, found)         // to print, or as JSON
//
// # The search
//
// A Point gives each setting a text, "" for unset. Points whose settings give
// the same configuration are one candidate, and so are points that play the
// same, event for event in effect, with the first seeds.
//
// A small space is tried whole. Of a large one the first candidates are the
// scenarios' own arms, every single change of the default, and random mixtures;
// then come the neighbours and mixtures of the leaders, until they bring
// nothing more. Numbers are refined together between the tried values around
// the leader, by the downhill simplex of Nelder and Mead.
//
// Candidates race (race.go): all play the same few seeds, the better half
// plays on with twice as many, and so on. Every comparison is of differences on
// common seeds, which leaves out what the seeds have in common. A race ends
// when the leader's 95% interval clears the rest or finds it as good, or with
// the budget.
//
// # The answer
//
// Whoever wins a race among many is partly lucky, so the winner, the default,
// the second best and the scenarios' arms play again with fresh seeds that had
// no part in the search, and only those figures are reported. A difference
// inside their noise, or too small to matter, is answered with "no difference".
// Before that, each setting that the winner does not need goes back to its
// default.
//
// # What holds
//
// The same files and options give the same answer, whatever the number of
// workers: decisions are made between batches of runs, never within one. A
// search that is interrupted keeps what is done, and says so.
package tune
