package sim

import (
	"container/list"

	"github.com/tfsim/tfsim/sim/trace"
)

// keptStates is the prompt cache: states of whole prompts by prefix key, or of
// blocks of prompts by theirs, least recently used out first.
type keptStates struct {
	budget   float64 // MiB
	perToken float64
	used     int       // tokens
	uses     list.List // of keptState, least recently used first
	byKey    map[uint64]*list.Element
}

type keptState struct {
	key    uint64
	tokens int
}

func newKeptStates(gib, mibPer1K float64) keptStates {
	return keptStates{budget: gib * 1024, perToken: mibPer1K / 1000, byKey: map[uint64]*list.Element{}}
}

// restore gives the tokens of a request's prompt that are kept.
func (k *keptStates) restore(r *Request) int {
	if len(r.Blocks) == 0 {
		return min(k.find(r.Prefix), r.PrefixTokens)
	}
	tokens, n := 0, 0
	for n < len(r.Blocks) {
		got := k.find(r.Blocks[n])
		tokens += got
		if n++; got < trace.BlockTokens {
			break
		}
	}
	// A block is of no use without those before it: they are used last.
	for n--; n >= 0; n-- {
		k.find(r.Blocks[n])
	}
	return tokens
}

// store keeps the state of a request's prompt.
func (k *keptStates) store(r *Request) {
	if len(r.Blocks) == 0 {
		k.keep(r.Prefix, r.PrefixTokens)
		return
	}
	for i := len(r.Blocks) - 1; i >= 0; i-- {
		if tokens := min(r.Prompt-i*trace.BlockTokens, trace.BlockTokens); tokens > 0 {
			k.keep(r.Blocks[i], tokens)
		}
	}
}

// find gives the tokens kept under a key, 0 for none, and marks it used.
func (k *keptStates) find(key uint64) int {
	e := k.byKey[key]
	if e == nil {
		return 0
	}
	k.uses.MoveToBack(e)
	return e.Value.(keptState).tokens
}

// keep stores a state, making room first; one that does not fit at all is not
// kept.
func (k *keptStates) keep(key uint64, tokens int) {
	if key == 0 || !k.fits(tokens) || k.find(key) >= tokens {
		return
	}
	if e := k.byKey[key]; e != nil {
		k.drop(e)
	}
	for k.uses.Len() > 0 && !k.fits(k.used+tokens) {
		k.drop(k.uses.Front())
	}
	k.used += tokens
	k.byKey[key] = k.uses.PushBack(keptState{key, tokens})
}

func (k *keptStates) fits(tokens int) bool { return float64(tokens)*k.perToken <= k.budget }

func (k *keptStates) drop(e *list.Element) {
	s := k.uses.Remove(e).(keptState)
	k.used -= s.tokens
	delete(k.byKey, s.key)
}
