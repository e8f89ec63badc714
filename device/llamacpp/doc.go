// Package llamacpp is the device that runs GGUF models through llama.cpp:
// Metal on a Mac, Vulkan, CUDA or the CPU elsewhere.
//
// llama.cpp ends its process when an assertion fails, so it has one of its
// own: cmd/tfsim-llama, which this package starts, greets, and drives through
// package remote. When that process dies, calls return device.ErrLost with its
// last words, and Restart starts another. Nothing here loads a library or
// needs cgo.
//
//	d, err := llamacpp.Open(ctx, llamacpp.Options{
//		Settings: llamacpp.Settings{Model: "target.gguf", Drafter: "draft.gguf", …},
//	})
//
// The program is looked for beside the running one, in .llama and in the path;
// the libraries, which `make llama` fetches, by package libs.
//
// # Exactness
//
// On an x86 CPU a reply is the same whatever is scheduled beside it, because
// batches are formed by a rule (see [Rule]); elsewhere the bits depend on the
// batch, and Info says so.
package llamacpp
