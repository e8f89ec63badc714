package device

import (
	"fmt"
	"math"
)

// Sampling says how tokens are drawn. The zero value is greedy.
type Sampling struct {
	// Temperature divides the logits; 0 takes the likeliest token.
	Temperature float64
	// TopK keeps the k likeliest tokens; 0 keeps all.
	TopK int
	// TopP keeps the likeliest tokens that together reach p; 0 and 1 keep all.
	TopP float64
	// MinP keeps tokens at least p times as likely as the likeliest.
	MinP float64
	// Seed keys the draws, together with the position of the token drawn.
	Seed uint64
}

// Greedy says that nothing is drawn at random.
func (s Sampling) Greedy() bool { return s.Temperature == 0 || s.TopK == 1 }

// Check says what is out of range.
func (s Sampling) Check() error {
	switch {
	case !(s.Temperature >= 0) || math.IsInf(s.Temperature, 0):
		return fmt.Errorf("%w: temperature %g; want 0 or more", ErrSampling, s.Temperature)
	case s.TopK < 0:
		return fmt.Errorf("%w: top-k %d; want 0 or more", ErrSampling, s.TopK)
	case !(s.TopP >= 0 && s.TopP <= 1):
		return fmt.Errorf("%w: top-p %g; want 0 to 1", ErrSampling, s.TopP)
	case !(s.MinP >= 0 && s.MinP <= 1):
		return fmt.Errorf("%w: min-p %g; want 0 to 1", ErrSampling, s.MinP)
	}
	return nil
}
