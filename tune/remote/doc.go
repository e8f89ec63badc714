// Package remote plays the units of a search in other processes, on this
// machine or on others. Work and results go through NATS JetStream.
//
// # The parts
//
// A Coordinator is a tune.Runner. For each search it makes a stream, which
// keeps messages until they are worked on, and an object store with the
// bundle: the question and its files. Work is batches of units, results are
// what these gave.
//
//	tfsim.find.PROGRAM             a worker asks for a search; who has one answers
//	tfsim.program                  a worker that no one answered asks who else is there
//	tfsim.run.RUN.alive            a worker asks whether the search goes on
//	tfsim.run.RUN.work.BATCH       units to play
//	tfsim.run.RUN.done.BATCH.FROM  what some of them gave
//
// Work joins as a worker. It opens the bundle, takes a batch at a time for
// each core, says that it is still at work as long as it is, and publishes the
// results before it acknowledges the batch. A worker that leaves gives its
// batch back; that of one which dies is given to another after AckWait.
//
// # What holds
//
// A unit gives the same wherever it is played, so that playing it again is
// harmless: a batch may be delivered or published twice. The coordinator
// counts the first result of each unit and passes over others. A subject holds
// one message at most, so that publishing again what is still there does
// nothing.
//
// There is one way back from every loss: the coordinator makes sure of the
// stream, the store and the consumers, and publishes again all batches that
// are open. It does so at the start, when it is connected again, and whenever
// nothing has come for a while. A server that was restarted, one that lost its
// store, and one that was out of reach are alike.
//
// Only workers of the same program take part: another might give other
// results. A worker that finds no search but those of another program leaves
// and says why.
package remote
