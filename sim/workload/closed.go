package workload

import (
	"container/heap"
	"strconv"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/scenario"
)

// closed is a number of users, each of whom sends a request, waits for its
// end, thinks, and sends the next. All send their first at 0. After a request
// that ended when it was sent, because it was refused, a user waits for a
// second at least: time goes on.
type closed struct {
	*maker
	think core.Micros
	// left is the number of requests still to be sent; negative for no bound.
	left  int
	until core.Micros
	// ready are the users who think, by the time they send.
	ready users
	// busy are the users who wait, by the index of their request.
	busy map[int]user
	sent int
}

const refused core.Micros = 1e6

var _ Source = (*closed)(nil)

// user is one of the users; turn counts the requests that were sent.
type user struct {
	due      core.Micros
	id, turn int
}

func newClosed(w *scenario.Workload, g *maker) Source {
	c := &closed{maker: g, think: w.Arrivals.Think, left: w.Count, until: until(w), busy: map[int]user{}}
	if w.Count == 0 {
		c.left = -1
	}
	for id := range w.Arrivals.Users {
		c.ready = append(c.ready, user{id: id})
	}
	return c
}

func (c *closed) Peek() core.Micros {
	if c.left == 0 || len(c.ready) == 0 {
		return core.Never
	}
	return c.ready[0].due
}

func (c *closed) Next() Arrival {
	if c.Peek() == core.Never {
		panic("workload: Next without a due arrival")
	}
	u := heap.Pop(&c.ready).(user)
	a := c.request(uint64(u.id)<<32 | uint64(u.turn))
	u.turn++
	a.At, a.Index = u.due, c.sent
	a.ID = "u" + strconv.Itoa(u.id+1) + "." + strconv.Itoa(u.turn)
	c.busy[c.sent] = u
	c.sent++
	if c.left > 0 {
		c.left--
	}
	return a
}

func (c *closed) Finished(index int, at core.Micros) {
	u, ok := c.busy[index]
	if !ok {
		return
	}
	delete(c.busy, index)
	think := c.think
	if at == u.due {
		think = max(think, refused)
	}
	if u.due = at + think; u.due < c.until {
		heap.Push(&c.ready, u)
	}
}

// users is a heap by due time, ties by user.
type users []user

func (u users) Len() int { return len(u) }
func (u users) Less(i, j int) bool {
	return u[i].due < u[j].due || u[i].due == u[j].due && u[i].id < u[j].id
}
func (u users) Swap(i, j int) { u[i], u[j] = u[j], u[i] }
func (u *users) Push(x any)   { *u = append(*u, x.(user)) }
func (u *users) Pop() any {
	last := len(*u) - 1
	x := (*u)[last]
	*u = (*u)[:last]
	return x
}
