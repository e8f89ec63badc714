package engine

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tfsim/tfsim/core"
)

// mostNamed bounds the fields that a difference names.
const mostNamed = 2

// difference says how a decision is not the recorded one: by its kind, or by
// the first of its fields; empty if it is the same.
func difference(recorded, now *core.Action) string {
	if recorded.Kind != now.Kind {
		return fmt.Sprintf(": recorded %s, now %s", summary(recorded), summary(now))
	}
	var named []string
	more := 0
	a, b := reflect.ValueOf(recorded).Elem(), reflect.ValueOf(now).Elem()
	for i := range a.NumField() {
		switch u := unlike(a.Field(i), b.Field(i)); {
		case u == "":
		case len(named) < mostNamed:
			named = append(named, a.Type().Field(i).Name+u)
		default:
			more++
		}
	}
	if len(named) == 0 {
		return ""
	}
	if more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf(", %s: recorded %s", summary(recorded), strings.Join(named, "; "))
}

// unlike says where two values of a type first differ, and both; empty if
// nowhere.
func unlike(recorded, now reflect.Value) string {
	switch recorded.Kind() {
	case reflect.Struct:
		for i := range recorded.NumField() {
			if u := unlike(recorded.Field(i), now.Field(i)); u != "" {
				return "." + recorded.Type().Field(i).Name + u
			}
		}
		return ""
	case reflect.Slice:
		if recorded.Len() != now.Len() {
			return fmt.Sprintf(" of %d, now of %d", recorded.Len(), now.Len())
		}
		for i := range recorded.Len() {
			if u := unlike(recorded.Index(i), now.Index(i)); u != "" {
				return fmt.Sprintf("[%d]%s", i, u)
			}
		}
		return ""
	}
	if recorded.Equal(now) {
		return ""
	}
	return fmt.Sprintf(" %v, now %v", recorded, now)
}

// summary tells an action in a few words.
func summary(a *core.Action) string {
	switch a.Kind {
	case core.Wait:
		return "a wait"
	case core.Begin:
		return fmt.Sprintf("a begin of request %d", a.ID)
	case core.Step:
		return fmt.Sprintf("a step of %d rows of request %d", a.Rows, a.ID)
	case core.Pass:
		return fmt.Sprintf("a pass of %d asks", len(a.Asks))
	}
	return fmt.Sprintf("a round of %d windows", len(a.Windows))
}
