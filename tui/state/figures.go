package state

import "github.com/tfsim/tfsim/core"

// Figures are exact sums over a stretch of time.
type Figures struct {
	// Since is where the stretch begins.
	Since core.Micros

	Events                         int64
	Submitted                      int64
	Done, Cancelled, Failed, Lost  int64
	Rounds, Passes, Steps, Begins  int64
	Drafts, Kept                   int64
	Tokens, PromptRows, CachedRows int64

	// Wall times by kind, and the time that the device worked.
	RoundWall, PassWall, StepWall, Busy core.Micros
	// BesideStep is the time of steps beside a reply, BesideRound that of
	// passes and rounds while an admitted prompt was not in.
	BesideStep, BesideRound core.Micros

	// First and Last are the times of the first and the last delivery, Firsts
	// the number of first tokens.
	First, Last core.Micros
	Firsts      int64
	Gaps        Hist
	TTFT        Hist
	// Stalls are deliveries that came late; see State.
	Stalls int64
}

// Ended is the number of requests that are over.
func (f *Figures) Ended() int64 { return f.Done + f.Cancelled + f.Failed }

// Share is the prompts' share of time while replies decode; ok is false if no
// step ran beside a reply.
func (f *Figures) Share() (part float64, ok bool) {
	if f.BesideStep == 0 {
		return 0, false
	}
	return float64(f.BesideStep) / float64(f.BesideStep+f.BesideRound), true
}

// DecodeRate is tokens per second between the first and the last delivery,
// first tokens left out.
func (f *Figures) DecodeRate() (rate float64, ok bool) {
	if f.Last <= f.First || f.Tokens == f.Firsts {
		return 0, false
	}
	return float64(f.Tokens-f.Firsts) / seconds(f.Last-f.First), true
}

// PromptRate is prompt rows per second of steps.
func (f *Figures) PromptRate() (rate float64, ok bool) {
	if f.StepWall <= 0 {
		return 0, false
	}
	return float64(f.PromptRows) / seconds(f.StepWall), true
}

func seconds(t core.Micros) float64 { return float64(t) / 1e6 }

// did counts an action.
func (f *Figures) did(e *core.Event, filling bool) {
	f.Busy += e.Device
	switch e.Kind {
	case core.EventBegin:
		f.Begins++
		f.CachedRows += int64(e.Rows)
	case core.EventStep:
		f.Steps++
		f.StepWall += e.Wall
		f.PromptRows += int64(e.Rows)
		if e.Beside {
			f.BesideStep += e.Wall
		}
		return
	case core.EventPass:
		f.Passes++
		f.PassWall += e.Wall
	case core.EventRound:
		f.Rounds++
		f.RoundWall += e.Wall
		f.Drafts += int64(e.Drafts)
		f.Kept += int64(e.Kept)
	}
	if filling && e.Kind != core.EventBegin {
		f.BesideRound += e.Wall
	}
}

// delivered counts tokens given to a request; gap is below 0 where there is
// none.
func (f *Figures) delivered(e *core.Event, gap core.Micros, stall bool) {
	if f.Tokens == 0 {
		f.First = e.At
	}
	f.Last = e.At
	f.Tokens += int64(e.Tokens)
	if gap >= 0 {
		f.Gaps.Add(gap)
	}
	if stall {
		f.Stalls++
	}
}
