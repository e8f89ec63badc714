package costmodel

import (
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// exponent is a number with an exponent and no point, which YAML 1.2 and JSON
// have and the YAML library takes for text.
var exponent = regexp.MustCompile(`^[+-]?[0-9]+[eE][+-]?[0-9]+$`)

// numeric is the value of a node that is a number, an infinity included. What is
// in quotes is text.
func numeric(n ast.Node) (float64, bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		switch v := n.Value.(type) {
		case int64:
			return float64(v), true
		case uint64:
			return float64(v), true
		}
	case *ast.FloatNode:
		return n.Value, true
	case *ast.StringNode:
		if n.Token.Type == token.StringType && exponent.MatchString(n.Value) {
			v, _ := strconv.ParseFloat(n.Value, 64) // beyond what a float64 holds it is infinite
			return v, true
		}
	}
	return 0, false
}
