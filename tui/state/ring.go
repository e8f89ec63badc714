package state

// Ring keeps the last values put in. It grows up to its size.
type Ring[T any] struct {
	items []T
	size  int
	start int // place of the oldest
}

// NewRing keeps at most size values.
func NewRing[T any](size int) Ring[T] { return Ring[T]{size: size} }

// Len is the number of values kept.
func (r *Ring[T]) Len() int { return len(r.items) }

// Add makes room for a value and returns it, for the caller to fill in. It may
// still hold an old value, so that what that one holds can be used again.
func (r *Ring[T]) Add() *T {
	if len(r.items) < r.size {
		var zero T
		r.items = append(r.items, zero)
		return &r.items[len(r.items)-1]
	}
	x := &r.items[r.start]
	r.start++
	if r.start == r.size {
		r.start = 0
	}
	return x
}

// At gives a value by age: 0 is the newest.
func (r *Ring[T]) At(age int) *T {
	i := r.start + len(r.items) - 1 - age
	if i >= len(r.items) {
		i -= len(r.items)
	}
	return &r.items[i]
}
