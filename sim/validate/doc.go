// Package validate holds the simulator against published measurements. Each
// receipt is a bench that somebody ran on real hardware; the same requests are
// sent to the simulated machine, and the figures stand beside each other. The
// receipts are copied here, with their source.
//
// The package also fits cost tables to the receipts. What a fit used is marked
// in every report, so that what the model predicts can be told from what it was
// given.
package validate
