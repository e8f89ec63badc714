package core

import (
	"errors"
	"fmt"
)

// Reconfigure takes a new configuration between two actions. What runs goes
// on: prompts keep the rows that are in, replies their drafts' calibration.
// Lanes cannot change, since slots are the device's. It refuses while an
// action is outstanding, and a bad configuration changes nothing.
func (s *Scheduler) Reconfigure(cfg Config) error {
	if s.outstanding {
		return errors.New("core: Reconfigure while an action is outstanding")
	}
	if err := cfg.validate(); err != nil {
		return err
	}
	if cfg.Lanes != s.cfg.Lanes {
		return fmt.Errorf("core: lanes cannot change from %d to %d", s.cfg.Lanes, cfg.Lanes)
	}
	// A pass that was launched early under the old rule may hold what the new
	// one would not ask; a round that was opened is chosen again.
	s.round.ready, s.round.early = false, 0
	s.share.prompt, s.share.carry = cfg.PromptShare, cfg.CarryOverrun
	s.cfg = cfg
	return nil
}
