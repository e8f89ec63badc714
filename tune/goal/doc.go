// Package goal is the small language in which a search is told what to look
// for:
//
//	objective  = ("min" | "max") metric
//	constraint = metric ("<=" | ">=") bound
//	bound      = number | base | number "*" base | base "*" number
//	metric     = name ["(" request ")"] ["in" 'case']
//	target     = metric ("<=" | ">=") number { "," … }
//
// A name is a figure of the results, nested ones dotted (gap_ms.p95, or with a
// space: gap_ms p95). With a request it is that request's (done_s(reply)),
// without one it is of the whole run. Besides the figures of the totals, a run
// has those of all its requests together, as mean, p50, p95, p99, min or max
// (done_s.mean, queue_s.p95), and fairness: Jain's index of the speeds at
// which its replies came, 1 if all are equal and 1/n if one got everything.
//
// "base" is the same figure of the arm that the search compares with. A name of
// a request or case is quoted, with ' or ", where it has signs of its own.
//
// Every error is one line: the column, what is there, and what is accepted.
package goal
