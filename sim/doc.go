// Package sim is a device whose time is virtual. It charges what a world says
// that work costs, which need not be what core believes, and it plays the
// drafts of a text that the drafter can guess more or less well.
//
// World and belief are separate objects: the world is this package's, over a
// cost table with factors, noise and heat; the belief is core.Prices. A
// policy that is right only where the two agree is shown to be wrong here.
package sim
