package llamacpp

import "time"

const (
	// leastReady is for what loading does besides reading files: starting a
	// GPU, making caches.
	leastReady = time.Minute
	// warmReady is for compiling what a GPU is to run.
	warmReady = time.Minute
	// readByte is what a slow disk takes for a byte: 50 s for a GB. llama.cpp
	// may read a file whole before it says how far it is, so that a bound on
	// its silence could be no shorter.
	readByte = 50 * time.Nanosecond
)

// Ready is how long the program may take to load the models, the first time
// and after each loss: Answer, at least a minute, one more where it warms up, and
// 50 s for each GB of their files, in whole seconds. 0 is for ever, as Answer 0 is.
func (o Options) Ready() time.Duration {
	if o.Answer == 0 {
		return 0
	}
	l, err := o.Load()
	if err != nil {
		l.Weights = 0 // what cannot be read is for the program to refuse
	}
	most := max(o.Answer, leastReady)
	if o.WarmUp && o.GPULayers != 0 {
		most += warmReady
	}
	return (most + time.Duration(l.Weights)*readByte).Truncate(time.Second)
}
