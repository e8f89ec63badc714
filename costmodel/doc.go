// Package costmodel says what work costs on a machine.
//
// A [Table] holds the figures of one device with one set of weights: what a
// launch of so many rows takes, what a drafter pass takes, what a chunk of a
// prompt takes, how the machine heats up, and how drafts of its drafter fare.
// Tables are YAML that people read and edit. Some are built in ([Library]);
// [Open] takes a built-in name or a path.
//
// # Two readers
//
// A simulated world charges time from a table with [Table.Launch],
// [Table.Round], [Table.Pass] and [Table.Chunk]. A scheduler chooses by a
// belief, from [Table.Belief], which may be this table's own figures or a
// default that knows nothing of the machine. A world and a belief are two
// objects: the figures that choose need not be the figures that judge.
//
// # Two models of a launch
//
// A table has exactly one of two sections. The section `rows` adds up: a
// figure for the rows in total, a figure for the number of sequences, a figure
// for each duplicate row. The section `windows` is a grid as it was measured:
// sequences, then rows per sequence. Costs need not rise with rows, and nothing
// here smooths them: on one machine 8 rows take twice as long as 12, so a
// window padded to 12 is the better buy. [Table.Cheapest] finds such shapes.
//
// # Grades
//
// Every price comes with a [Grade]. An entry of a table has the grade of its
// section, which the section's provenance states with its source. A price
// between entries is Estimated, one beyond them Extrapolated, and a sum has the
// worst grade of its parts.
//
// # Arithmetic
//
// Tables are in milliseconds, prices in integer nanoseconds. No operation is
// fused and no function depends on the platform, so that a table prices alike
// everywhere.
package costmodel
