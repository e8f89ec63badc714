package llamacpp

import "sync"

// running are the programs that were started and are not known to have ended.
var running = struct {
	sync.Mutex
	all map[*process]bool
}{all: map[*process]bool{}}

// KillAll ends every program at once, also those that are stopped, and lets no
// other be started. It is for a process that exits without closing its devices.
func KillAll() {
	running.Lock() // for good
	for p := range running.all {
		p.signalKill()
	}
}
