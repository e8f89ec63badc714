package settings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core"
)

// one is 1 in millionths.
const one = int64(core.Whole)

// errTooFine says that a decimal text is finer than a millionth.
var errTooFine = errors.New("at most 6 decimals")

// millionths reads decimal text exactly: digits with at most one point.
// Signs, exponents and words such as NaN are not decimal text.
func millionths(text string) (int64, error) {
	whole, part, _ := strings.Cut(text, ".")
	if whole+part == "" || !digits(whole) || !digits(part) {
		return 0, errForm
	}
	part = strings.TrimRight(part, "0")
	if len(part) > 6 {
		return 0, errTooFine
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > 12 {
		return 0, errForm
	}
	n, err := strconv.ParseInt("0"+whole+part+strings.Repeat("0", 6-len(part)), 10, 64)
	if err != nil {
		return 0, errForm
	}
	return n, nil
}

// decimal is the shortest text that millionths reads as n.
func decimal(n int64) string {
	text := strconv.FormatInt(n/one, 10)
	if rest := n % one; rest != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return text
}

func digits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// within reads decimal text of at least low and at most high millionths.
func within(low, high int64) func(string) (value, error) {
	return func(text string) (value, error) {
		n, err := millionths(text)
		if err == nil && (n < low || n > high) {
			err = errForm
		}
		if err != nil {
			return value{}, err
		}
		return value{decimal(n), n}, nil
	}
}

// share is a fraction over 0 and at most 1.
func share() form {
	return form{kind: Fraction, accepted: "a fraction over 0 and at most 1", parse: within(1, one)}
}

// part is a fraction of at least 0 and under 1.
func part() form {
	return form{kind: Fraction, accepted: "a fraction of at least 0 and under 1", parse: within(0, one-1)}
}

// number is a number from 0 to high, or of at least 0 if high is 0.
func number(high int64, note string) form {
	accepted := fmt.Sprintf("a number from 0 to %d", high)
	if high == 0 {
		accepted, high = "a number of at least 0", maxInt
	}
	if note != "" {
		accepted += " (" + note + ")"
	}
	return form{kind: Number, accepted: accepted, parse: within(0, high*one)}
}
