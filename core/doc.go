// Package core is the scheduler of tfsim: a pure state machine that decides
// what one device does next for the requests it serves.
//
// It owns no clock, no goroutine, no I/O and no randomness. Time comes in as
// arguments, decisions go out as actions, and what came of them comes back as
// outcomes. The same core therefore drives a simulation, where the device adds
// the cost of an action to a virtual clock, and a live server, where the clock
// is the wall's; and a recorded session replays decision for decision.
//
// The loop of every driver is:
//
//	for {
//	    action := sched.Next(now)           // begin | step | pass | round | wait
//	    outcome := device.Do(action)        // real work, or a look-up
//	    sched.Done(clock.Now(), outcome)    // rows, drafts kept, confidences
//	}
//
// # What it decides
//
// Requests wait in one queue, foreground before background, and are admitted
// while a lane is free. A prompt runs whole at admission, or, with steps on,
// in steps between the other replies' rounds; the order of the steps and the
// share of time that they may take are settings. Replies decode in rounds: a
// pass asks the drafter for drafts, the depth rule chooses how many of them
// each window verifies, and one round verifies all windows.
//
// # The caller's duties
//
//  1. Call Next, do the action, call Done with its outcome; an action of kind
//     Wait has no outcome and needs no Done.
//  2. Next without Done repeats the same action. An action's slices are valid
//     until Done.
//  3. Submit and Cancel are legal at any time, also while an action is
//     outstanding. Deliver every input stamped at or before an outcome's time
//     before its Done, in the order of the log: that log is the replay.
//  4. Time never runs backwards.
//  5. An outcome of a round has one entry for each window, in order; one of a
//     pass has Depth confidences for each ask, in order.
//  6. A whole prompt should poll for a cancel between chunks and may end
//     Aborted with the rows that were done. Nothing but a step may.
//  7. An action may release slots: the device forgets them first. A request
//     that is lost and fills again keeps its slot, and its first step starts
//     at row 0.
//
// # Arithmetic
//
// Times are integer microseconds, prices integer nanoseconds. Where floats
// decide (expected tokens against price), products are rounded on their own,
// so that no platform fuses them into another result.
package core
