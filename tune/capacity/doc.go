// Package capacity finds how much load a server takes: the highest rate of
// arrivals, or number of users of a closed loop, at which service targets
// hold. Of a trace it is the highest speed.
//
// Each case with a workload is measured in each world under each arm, with
// several seeds. For each seed the load doubles, or halves, from the file's
// until one holds and one breaks; then it is bisected. The answer is the mean
// over seeds of the highest load that held, with its 95% interval. A load
// breaks the targets if one of them does not hold or has no figure, if
// requests were refused, or if the run is saturated: a queue that grows
// without bound has no percentiles to print.
//
// Requests keep their lengths and texts at every rate and under every arm, so
// that one seed's answers differ by what is compared alone.
package capacity
