// Package study plays a scenario file: every case in every world under every
// arm, and gives the document of results. Runs are independent of each other,
// so they go on all cores; the document does not depend on how many.
package study
