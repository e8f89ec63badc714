// Package metal tells what an Apple machine is and how it feels: its chip and
// GPU, how much memory the GPU may work in, and its thermal state. It does so
// without cgo, through the Objective-C runtime.
//
// Models run on Metal through package llamacpp; this package decides whether
// they should, and says when the machine slows itself down. What it reads, it
// reads on a Mac with Apple silicon alone; what it decides by that is plain
// arithmetic, and is tested anywhere.
package metal
