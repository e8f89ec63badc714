// Package workload turns a case of a scenario into arrivals in time order.
//
//	src, err := workload.Open(file, &file.Cases[0], world.Seed)
//	for {
//		if at := src.Peek(); at <= now { // core.Never when nothing is due
//			a := src.Next()
//			…
//		}
//		…
//		src.Finished(a.Index, now) // done, cancelled or failed, for each arrival
//	}
//
// A source makes arrivals as they are asked for and holds no more than its
// explicit requests, its users or its file of lengths: a million requests
// cost no more memory than ten. Closed workloads send a user's next request
// some time after its last one ended, so the caller reports ends.
//
// # Randomness
//
// Every draw comes from a stream keyed by (seed, purpose, index), so a
// request's lengths depend neither on other requests nor on how the case
// went: arms of a scenario see the same requests. The index of a closed
// workload's request is made of its user and its turn, for the same reason.
//
// Same seed, same arrivals, on any platform: draws use integers, the four
// operations, square roots and this package's own Log and Exp, with rounding
// after each product so that no compiler fuses it into a sum.
package workload
