package core

import (
	"math"
	"strings"
	"testing"
)

func TestConfigNamesWhatIsWrong(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"lanes 0":          func(c *Config) { c.Lanes = 0 },
		"lanes 65537":      func(c *Config) { c.Lanes = 65537 },
		"prefix wait -1":   func(c *Config) { c.PrefixWait = -1 },
		"context -1":       func(c *Config) { c.Context = -1 },
		"queue -1":         func(c *Config) { c.Queue = -1 },
		"step rows 0":      func(c *Config) { c.StepRows = 0 },
		"row caps":         func(c *Config) { c.BudgetRows = -1 },
		"order 3":          func(c *Config) { c.Order = 3 },
		"passed over 0":    func(c *Config) { c.PassedOver = 0 },
		"prompt share 0":   func(c *Config) { c.PromptShare = 0 },
		"launch rows 0":    func(c *Config) { c.LaunchRows = 0 },
		"least rows":       func(c *Config) { c.Packing.Least = 1025 },
		"their multiple":   func(c *Config) { c.Packing.Multiple = math.MaxInt },
		"round bounds":     func(c *Config) { c.RoundRows = -1 },
		"block 0":          func(c *Config) { c.Block = 0 },
		"draft depth 16":   func(c *Config) { c.DraftDepth = 16 },
		"plain streams -1": func(c *Config) { c.PlainStreams = -1 },
		"depth rule 2":     func(c *Config) { c.Depth = 2 },
		"joint mode 3":     func(c *Config) { c.Joint = 3 },
		"fair exponent":    func(c *Config) { c.Fair = math.NaN() },
		"host time -1":     func(c *Config) { c.HostNanos = -1 },
		"depth rows 0":     func(c *Config) { c.DepthRows = 0 },
		"drafts need":      func(c *Config) { c.Prices = nil },
	} {
		cfg := DefaultConfig()
		cfg.Prices = unitPrices
		if _, err := New(cfg); err != nil {
			t.Fatal(err)
		}
		change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one of %q", err, want)
		}
	}
}
