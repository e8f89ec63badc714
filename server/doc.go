// Package server answers OpenAI clients over HTTP from a live engine.
//
//	srv, err := server.New(server.Options{Live: live, Tokenizer: dev, Model: "demo"})
//	err = srv.Serve(ctx, listener) // drains once ctx is over
//
// # Routes
//
//	POST /v1/chat/completions   whole or as a stream
//	POST /v1/completions        the prompt is a text or token ids
//	GET  /v1/models             the one model that is served
//	POST /tokenize, /detokenize
//	GET  /events                core's events as server-sent events
//	GET  /metrics               for Prometheus, under tfsim: and the names of vLLM
//	GET  /health
//	GET  /settings              the scheduler's; POST changes them, where that is allowed
//
// # A request's way
//
// A handler reads the body within limits of size and time, checks every field
// (one that is unknown, malformed or has no effect here is refused by name),
// turns text into tokens, and submits. Then it follows the reply at the
// client's own pace: a client that reads slowly or leaves delays nobody, since
// the engine never waits for a reader, and a write that takes too long ends the
// request. When the client is gone, the request's context is, and the engine
// drops it at the next round.
//
// Stop texts are looked for twice by the same code: on the loop, token by
// token, where the reply ends, and here, where text that may be the beginning
// of one is held back.
//
// # What a reply says of itself
//
// Besides the usage with cached tokens, a reply has a tfsim block: the hash of
// its token ids, whether the device promises exactly these whatever else ran,
// its rounds, drafts asked and kept, and how long it waited.
package server
