package sim

// keptStates is the prompt cache: states of whole prompts, by prefix key,
// least recently used out first.
type keptStates struct {
	budget   float64 // MiB
	perToken float64
	used     int         // tokens
	entries  []keptState // least recently used first
}

type keptState struct {
	key    uint64
	tokens int
}

func newKeptStates(gib, mibPer1K float64) keptStates {
	return keptStates{budget: gib * 1024, perToken: mibPer1K / 1000}
}

// find gives the tokens kept under a key, 0 for none, and marks it used.
func (k *keptStates) find(key uint64) int {
	for i, e := range k.entries {
		if e.key == key {
			k.entries = append(append(k.entries[:i], k.entries[i+1:]...), e)
			return e.tokens
		}
	}
	return 0
}

// keep stores a state, making room first; one that does not fit at all is not
// kept.
func (k *keptStates) keep(key uint64, tokens int) {
	if key == 0 || !k.fits(tokens) || k.find(key) >= tokens {
		return
	}
	for i := range k.entries {
		if k.entries[i].key == key {
			k.drop(i)
			break
		}
	}
	for len(k.entries) > 0 && !k.fits(k.used+tokens) {
		k.drop(0)
	}
	k.used += tokens
	k.entries = append(k.entries, keptState{key, tokens})
}

func (k *keptStates) fits(tokens int) bool { return float64(tokens)*k.perToken <= k.budget }

func (k *keptStates) drop(i int) {
	k.used -= k.entries[i].tokens
	k.entries = append(k.entries[:i], k.entries[i+1:]...)
}
