package report

import "encoding/json"

// appendQuoted adds a text as a JSON string; what is dangerous in HTML is
// escaped as well.
func appendQuoted(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always has a JSON form
	return append(b, quoted...)
}
