package settings

import (
	"slices"
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// Unset gives what settings stand for while they are unset over a base, for
// those that a device or a command decides for itself, by Name.
func Unset(base core.Config) map[string]string {
	out := map[string]string{nameParallel: strconv.Itoa(base.Lanes)}
	if base.Context > 0 {
		out[nameContext] = strconv.Itoa(base.Context)
	}
	if i := slices.Index(draftRules, base.Rule); i >= 0 {
		out[nameDraft] = draftRuleNames[i]
	}
	if !base.Drafts {
		out[nameDrafts] = "0"
	}
	if base.Steps {
		out[namePieces] = "1"
		out[nameShare] = decimal(int64(base.PromptShare))
		out[nameStepRows] = strconv.Itoa(base.StepRows)
	}
	return out
}
