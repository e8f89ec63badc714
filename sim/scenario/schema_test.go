package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

func readAll(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func schemaOf(t *testing.T) map[string]any {
	t.Helper()
	text, err := Schema()
	require.NoError(t, err)
	again, err := Schema()
	require.NoError(t, err)
	require.Equal(t, text, again)
	var s map[string]any
	require.NoError(t, json.Unmarshal(text, &s))
	return s
}

// TestSchemaKeys holds that the schema mentions exactly the keys that the
// parser accepts.
func TestSchemaKeys(t *testing.T) {
	s := schemaOf(t)
	defs := s["$defs"].(map[string]any)
	same := func(table *keys, object any) {
		o := object.(map[string]any)
		properties := o["properties"].(map[string]any)
		require.ElementsMatch(t, table.names(), slices.Collect(maps.Keys(properties)), table.what)
		require.Equal(t, false, o["additionalProperties"])
		for name, p := range properties {
			require.NotEmpty(t, p.(map[string]any)["description"], name)
		}
	}
	same(scenarioKeys, s)
	for name, table := range map[string]*keys{
		"server": serverKeys, "world": worldKeys, "case": caseKeys, "request": requestKeys, "prefix": prefixKeys,
		"slo": sloKeys, "workload": workloadKeys, "recorded": recordedKeys, "trace": traceKeys, "mix": mixKeys, "arm": armKeys, "expect": expectKeys,
	} {
		same(table, defs[name])
	}
	for name, v := range map[string]variant{"arrivals": arrivalKeys, "lengths": lengthKeys} {
		for i, each := range defs[name].(map[string]any)["oneOf"].([]any) {
			same(v.of[v.words[i]], each)
		}
		require.Len(t, v.of, len(v.words))
	}
}

// TestSchemaAgreesWithParser holds that shipped files conform, and that what
// breaks a rule of one object breaks the schema too.
func TestSchemaAgreesWithParser(t *testing.T) {
	s := schemaOf(t)
	paths, err := filepath.Glob("../../scenarios/*.yaml")
	require.NoError(t, err)
	for _, path := range append(paths, "testdata/full.yaml") {
		var doc any
		require.NoError(t, yaml.Unmarshal(readAll(t, path), &doc))
		require.NoError(t, conforms(s, s, doc, ""), path)
	}
	for _, pairs := range []string{
		"TOP=caes: []", "TOP=server: {parallel: 0}", "TOP=world: {noise: 3}", "TOP=world: {rows: 0}", "TOP=world: {drafts: x}",
		"CASE=workload: {}", "CASE=slo: {}", "A=, at: 10", "A=, cancel_at: soon", "A=, priority: x", "A=, load: [a]", "A=, prompt2: 1",
		"EXPECT=expect: [{metric: wall_s}]", "EXPECT=expect: [{metric: x, below: 1}]", "ARMS=arms: [{env: {}}]", "TOP=settings: {A: [1]}",
		"TOP=world: {}§ARMS=worlds: [{name: a}]",
	} {
		var doc any
		if yaml.Unmarshal([]byte(fill(base, pairs)), &doc) == nil {
			require.Error(t, conforms(s, s, doc, ""), pairs)
		}
	}
}

// conforms is as much of JSON Schema as Schema uses.
func conforms(root, s map[string]any, v any, at string) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: "+format, append([]any{at}, args...)...)
	}
	if to, ok := s["$ref"].(string); ok {
		def := root["$defs"].(map[string]any)[strings.TrimPrefix(to, "#/$defs/")]
		if err := conforms(root, def.(map[string]any), v, at); err != nil {
			return err
		}
	}
	number, isNumber := 0.0, true
	switch x := v.(type) {
	case uint64:
		number = float64(x)
	case int64:
		number = float64(x)
	case float64:
		number = x
	default:
		isNumber = false
	}
	if want, ok := s["type"]; ok {
		types, ok := want.([]any)
		if !ok {
			types = []any{want}
		}
		kind := "null"
		switch v.(type) {
		case map[string]any:
			kind = "object"
		case []any:
			kind = "array"
		case string:
			kind = "string"
		case bool:
			kind = "boolean"
		default:
			if isNumber {
				kind = "number"
			}
		}
		whole := isNumber && number == float64(int64(number)) && slices.Contains(types, any("integer"))
		if !slices.Contains(types, any(kind)) && !whole {
			return bad("%v is %s", v, kind)
		}
	}
	if isNumber {
		limit := func(word string, holds func(float64) bool) error {
			if l, ok := s[word].(float64); ok && !holds(l) {
				return bad("%v breaks %s %v", v, word, l)
			}
			return nil
		}
		for _, err := range []error{
			limit("minimum", func(l float64) bool { return number >= l }),
			limit("maximum", func(l float64) bool { return number <= l }),
			limit("exclusiveMinimum", func(l float64) bool { return number > l }),
			limit("const", func(l float64) bool { return number == l }),
		} {
			if err != nil {
				return err
			}
		}
	} else if _, ok := s["const"]; ok {
		return bad("%v is not %v", v, s["const"])
	}
	if words, ok := s["enum"].([]any); ok && !slices.Contains(words, v) {
		return bad("%v is none of %v", v, words)
	}
	if text, ok := v.(string); ok {
		if p, ok := s["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(text) {
			return bad("%q does not match %s", text, p)
		}
	}
	if each, ok := s["oneOf"].([]any); ok {
		fits, last := 0, error(nil)
		for _, one := range each {
			if err := conforms(root, one.(map[string]any), v, at); err == nil {
				fits++
			} else {
				last = err
			}
		}
		if fits != 1 {
			return bad("fits %d of oneOf: %v", fits, last)
		}
	}
	if not, ok := s["not"].(map[string]any); ok && conforms(root, not, v, at) == nil {
		return bad("fits what it must not")
	}
	switch x := v.(type) {
	case []any:
		if least, ok := s["minItems"].(float64); ok && len(x) < int(least) {
			return bad("%d items", len(x))
		}
		if most, ok := s["maxItems"].(float64); ok && len(x) > int(most) {
			return bad("%d items", len(x))
		}
		if items, ok := s["items"].(map[string]any); ok {
			for i, v := range x {
				if err := conforms(root, items, v, fmt.Sprint(at, "/", i)); err != nil {
					return err
				}
			}
		}
	case map[string]any:
		required, _ := s["required"].([]any)
		for _, name := range required {
			if _, ok := x[name.(string)]; !ok {
				return bad("lacks %v", name)
			}
		}
		if least, ok := s["minProperties"].(float64); ok && len(x) < int(least) {
			return bad("%d keys", len(x))
		}
		properties, _ := s["properties"].(map[string]any)
		for name, v := range x {
			of, ok := properties[name].(map[string]any)
			if !ok {
				of, ok = s["additionalProperties"].(map[string]any)
			}
			if !ok {
				if s["additionalProperties"] == false {
					return bad("unknown key %s", name)
				}
				continue
			}
			if err := conforms(root, of, v, at+"/"+name); err != nil {
				return err
			}
		}
	}
	return nil
}
