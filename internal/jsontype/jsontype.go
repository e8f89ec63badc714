// Package jsontype calls the types of JSON values as people do who write them.
package jsontype

import (
	"reflect"
	"strings"
)

// Wanted is what a value must be to be read into a type.
func Wanted(t reflect.Type) string {
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
	case reflect.Uint8:
		return "a whole number from 0 to 255"
	case reflect.Uint64:
		return "a whole number from 0, of 64 bits"
	}
	return "a whole number of 64 bits"
}

// Found is a value that could not be read, as json.UnmarshalTypeError has it:
// the number itself, and the type of any other.
func Found(value string) string {
	switch value {
	case "string", "number":
		return "a " + value
	case "array", "object":
		return "an " + value
	case "bool":
		return "true or false"
	}
	return strings.TrimPrefix(value, "number ")
}
