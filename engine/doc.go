// Package engine drives core over a device with a clock. The loop, [Run],
// exists once: a virtual clock makes it a simulation, the wall clock a server.
//
// # The live engine
//
// [Live] serves requests on a token-level [device.Device] as they come:
//
//	live, err := engine.Start(dev, engine.Options{Config: config})
//	reply, err := live.Submit(ctx, engine.Request{Prompt: tokens, Output: 64})
//	for {
//		tokens, err := reply.Next(ctx) // io.EOF at the end
//		…
//	}
//	result := reply.Result()
//	err = live.Drain(ctx)
//
// One goroutine runs the loop and owns the scheduler, the device and what is
// drawn. Everybody else only leaves notes: Submit and Cancel put an input with
// its time into the inbox and wake the loop, which delivers inputs in their
// order before it applies an outcome, as core asks.
//
// # What may be relied on
//
//  1. Nobody stalls the loop. A reply's tokens go to a list that its reader
//     follows at its own pace; it is as long as the reply at most. Events go to
//     rings of a fixed size, and what a slow watcher misses is counted.
//  2. A request ends once: at its end, its length, its cancel, or an error. Its
//     context cancels it, also within a prompt, at the device's next look.
//  3. No token is lost or sent twice. Tokens are published when core says that
//     they are delivered, not when the device draws them.
//  4. A lost device is restarted, and the replies under way are filled again
//     from their prompts and tokens. One that fails three times in a row fails
//     its requests with [ErrDevice]; the next request tries it again.
//  5. An idle engine costs no time: the loop sleeps until an input wakes it.
package engine
