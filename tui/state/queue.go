package state

// line is the requests that wait, in order of arrival. Leaving from anywhere
// is cheap: a place is emptied, and empty places are dropped from the front.
type line struct {
	places []*Request
	first  int64 // number of places[0]
	n      int
}

func (l *line) push(r *Request) {
	r.place = l.first + int64(len(l.places))
	l.places = append(l.places, r)
	l.n++
}

func (l *line) remove(r *Request) {
	l.places[r.place-l.first] = nil
	l.n--
	drop := 0
	for drop < len(l.places) && l.places[drop] == nil {
		drop++
	}
	// The slice's front is given up, not copied; append moves it in time.
	l.places = l.places[drop:]
	l.first += int64(drop)
}

// each calls fn on those that wait, in order, until it returns false.
func (l *line) each(fn func(*Request) bool) {
	for _, r := range l.places {
		if r != nil && !fn(r) {
			return
		}
	}
}
