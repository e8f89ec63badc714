package scenario

import (
	"encoding/json"
	"math"
	"slices"
)

// schema is a JSON Schema, or a part of one.
type schema map[string]any

var (
	textSchema     = schema{"type": []string{"string", "number", "boolean"}}
	nameSchema     = schema{"type": []string{"string", "number", "boolean"}, "pattern": `^\S(.*\S)?$`}
	truthSchema    = schema{"type": "boolean"}
	durationSchema = schema{"oneOf": []schema{
		{"type": "string", "pattern": `^\+?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`},
		{"const": 0},
	}}
	loadSchema = schema{"oneOf": []schema{
		nameSchema,
		{"type": "array", "items": nameSchema, "minItems": 2, "maxItems": 2},
	}}
	pairSchema = schema{"type": "array", "items": schema{"type": "number"}, "minItems": 2, "maxItems": 2}
)

func ref(name string) schema { return schema{"$ref": "#/$defs/" + name} }

func listOf(of schema, least int) schema {
	return schema{"type": "array", "items": of, "minItems": least}
}

func wordSchema(words ...string) schema { return schema{"enum": words} }

func wholeSchema(low, high int64) schema {
	return schema{"type": "integer", "minimum": low, "maximum": high}
}

func numberSchema(s span) schema {
	out := schema{"type": "number"}
	if math.IsInf(s.low, 0) {
		return out
	}
	out["maximum"] = s.high
	if s.open {
		out["exclusiveMinimum"] = s.low
	} else {
		out["minimum"] = s.low
	}
	return out
}

// allMetrics are the figures of requests and totals, each once.
func allMetrics() []string {
	all := slices.Clone(requestMetrics)
	for _, m := range totalMetrics {
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

// object is the schema of an object by its table.
func (k *keys) object() schema {
	properties := schema{}
	required := []string{}
	for _, k := range k.list {
		s := schema{"description": k.about}
		for word, v := range k.schema {
			s[word] = v
		}
		properties[k.name] = s
		if k.required {
			required = append(required, k.name)
		}
	}
	out := schema{
		"type":                 "object",
		"additionalProperties": false,
		"properties":           properties,
	}
	if len(required) > 0 {
		out["required"] = required
	}
	for word, v := range k.rules {
		out[word] = v
	}
	return out
}

func (v variant) oneOf() schema {
	var each []schema
	for _, word := range v.words {
		each = append(each, v.of[word].object())
	}
	return schema{"type": "object", "oneOf": each}
}

// Schema is the JSON Schema (draft 2020-12) of a scenario file, for editors.
// Its bytes are the same on each call. Rules that span objects, such as that
// an expect names a case of the file, are the parser's alone.
func Schema() ([]byte, error) {
	root := scenarioKeys.object()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "tfsim scenario"
	root["description"] = "What requests arrive at which machine under which settings, and what is expected."
	root["$defs"] = schema{
		"server":   serverKeys.object(),
		"world":    worldKeys.object(),
		"case":     caseKeys.object(),
		"request":  requestKeys.object(),
		"prefix":   prefixKeys.object(),
		"slo":      sloKeys.object(),
		"workload": workloadKeys.object(),
		"recorded": recordedKeys.object(),
		"trace":    traceKeys.object(),
		"arrivals": arrivalKeys.oneOf(),
		"lengths":  lengthKeys.oneOf(),
		"mix":      mixKeys.object(),
		"arm":      armKeys.object(),
		"expect":   expectKeys.object(),
		"settings": schema{
			"type":                 "object",
			"additionalProperties": schema{"type": []string{"string", "number", "boolean", "null"}},
		},
	}
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}
