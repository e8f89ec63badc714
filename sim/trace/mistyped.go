package trace

import (
	"cmp"
	"encoding/json"
	"reflect"
)

// mistyped says that a value is of another type than its key's; where tells
// what of the file it is in.
func mistyped(where string, e *json.UnmarshalTypeError) error {
	return wrong(where+cmp.Or(e.Field, "the value")+" is of the wrong type", e.Value, "%s", typeName(e.Type))
}

// typeName calls a type as people do who write JSON.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	case reflect.Struct:
		return "an object"
	}
	return "a whole number"
}
