package trace

import "fmt"

// leftOut counts what is read and is no request, by reason.
type leftOut struct{ reasons []reason }

type reason struct {
	why string
	n   int
}

func (l *leftOut) out(why string) {
	for i := range l.reasons {
		if l.reasons[i].why == why {
			l.reasons[i].n++
			return
		}
	}
	l.reasons = append(l.reasons, reason{why, 1})
}

func (l *leftOut) notes() (all []string) {
	for _, r := range l.reasons {
		all = append(all, fmt.Sprintf("%s: %d", r.why, r.n))
	}
	return all
}
