package llamacpp

import "time"

const (
	// leastReady is for what loading does besides reading files: starting a
	// GPU, making caches, compiling for them.
	leastReady = time.Minute
	// readByte is what a slow disk takes for a byte: 50 s for a GB. llama.cpp
	// may read a file whole before it says how far it is, so that a bound on
	// its silence could be no shorter.
	readByte = 50 * time.Nanosecond
)

// Ready is how long the program may take to load the models, the first time
// and after each loss: Answer, at least a minute, and 50 s for each GB of their
// files, in whole seconds. 0 is for ever, as Answer 0 is.
func (o Options) Ready() time.Duration {
	if o.Answer == 0 {
		return 0
	}
	l, err := o.Load()
	if err != nil {
		l.Weights = 0 // what cannot be read is for the program to refuse
	}
	return (max(o.Answer, leastReady) + time.Duration(l.Weights)*readByte).Truncate(time.Second)
}
