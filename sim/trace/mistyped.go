package trace

import (
	"cmp"
	"encoding/json"

	"github.com/tfsim/tfsim/internal/jsontype"
)

// mistyped says that a value is of another type than its key's; where tells
// what of the file it is in.
func mistyped(where string, e *json.UnmarshalTypeError) error {
	return wrong(where+cmp.Or(e.Field, "the value")+" is of the wrong type", e.Value, "%s", jsontype.Wanted(e.Type))
}
