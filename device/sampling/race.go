package sampling

import (
	"math"

	"github.com/tfsim/tfsim/device"
)

// race finds the token whose logit and noise sum highest.
type race struct {
	key   uint64
	heat  float64 // 1 / temperature
	token device.Token
	best  float64
}

// enter lets a token run; its logit is given relative to the highest.
func (r *race) enter(token int, logit float64) {
	score := logit * r.heat
	v := mix(r.key+uint64(token)*0x9e3779b97f4a7c15) >> 11
	if r.token != device.NoToken && score < r.best {
		// The noise is at most -log of its share of the range: most tokens
		// are out without a logarithm.
		if d := r.best - score; d >= float64(len(reach)) || v > reach[int(d)] {
			return
		}
	}
	share := (float64(v) + 0.5) * 0x1p-53
	score -= math.Log(-math.Log1p(-share))
	if r.token == device.NoToken || score > r.best {
		r.token, r.best = device.Token(token), score
	}
}

// reach holds, for each whole distance from the best score, the highest share
// of the range (in 53 bits) whose noise can make it up.
var reach = func() (t [40]uint64) {
	for d := range t {
		t[d] = uint64(math.Exp(-float64(d))*0x1p53) + 1
	}
	return t
}()

func key(seed uint64, position int) uint64 {
	return mix(seed ^ mix(uint64(position)+0x632be59bd9b4e019))
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	x ^= x >> 31
	return x
}
