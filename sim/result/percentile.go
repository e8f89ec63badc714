package result

import "github.com/tfsim/tfsim/core"

// fine is a span in hundredths of a microsecond: a percentile between two
// whole microseconds is exact in it.
type fine int64

const finePerMicro = 100

func (f fine) seconds() Num { return Some(float64(f) / (finePerMicro * 1e6)) }
func (f fine) millis() Num  { return Some(float64(f) / (finePerMicro * 1e3)) }

func seconds(t core.Micros) Num { return Some(float64(t) / 1e6) }
func millis(t core.Micros) Num  { return Some(float64(t) / 1e3) }

// place is where percentile p of n values lies: at index low, hundredths of
// the way to the next.
func place(p int, n int64) (low, hundredths int64) {
	k := int64(p) * (n - 1)
	return k / 100, k % 100
}

func between(a, b core.Micros, hundredths int64) fine {
	return fine(int64(a)*(finePerMicro-hundredths) + int64(b)*hundredths)
}

// percentile is that of sorted values, of which there must be one.
func percentile(sorted []core.Micros, p int) fine {
	low, hundredths := place(p, int64(len(sorted)))
	high := min(low+1, int64(len(sorted))-1)
	return between(sorted[low], sorted[high], hundredths)
}
