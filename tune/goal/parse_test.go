package goal

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

func TestExpressions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"min done_s(reply)", ""},
		{" max  decode_tok_s ", "max decode_tok_s"},
		{"min gap_ms p95", "min gap_ms.p95"},
		{"min done_s.mean in 'reply first'", ""},
		{`min done_s( "a)b" ) in x`, "min done_s('a)b') in 'x'"},
		{"max fairness", ""},
		{"min ttft_s(the long one)", ""},
	} {
		o, err := ParseObjective(c.text)
		require.NoError(t, err, c.text)
		if c.want == "" {
			c.want = c.text
		}
		require.Equal(t, c.want, o.String())
	}
	for _, c := range []struct{ text, want string }{
		{"ttft_s(long) <= 1.05 * base", ""},
		{"ttft_s(long)<=base*1.05", "ttft_s(long) <= 1.05 * base"},
		{"goodput_rps >= base", ""},
		{"gap_ms.max <= 1e3 ", "gap_ms.max <= 1000"},
		{"gap_ms.max in 'a' >= -.5", "gap_ms.max in 'a' >= -0.5"},
	} {
		o, err := ParseConstraint(c.text)
		require.NoError(t, err, c.text)
		if c.want == "" {
			c.want = c.text
		}
		require.Equal(t, c.want, o.String())
	}
	targets, err := ParseTargets("ttft_s p95 <= 10, gap_ms p95 <= 500")
	require.NoError(t, err)
	require.Len(t, targets, 2)
	require.Equal(t, "gap_ms.p95 <= 500", targets[1].String())
	both, err := ParseObjectives("min done_s(reply), max decode_tok_s")
	require.NoError(t, err)
	require.Len(t, both, 2)
}

func TestExpressionErrors(t *testing.T) {
	objective := func(s string) error { _, err := ParseObjective(s); return err }
	constraint := func(s string) error { _, err := ParseConstraint(s); return err }
	targets := func(s string) error { _, err := ParseTargets(s); return err }
	for _, c := range []struct {
		parse func(string) error
		text  string
		want  string
	}{
		{objective, "", "column 1: the end; want min or max, then a metric"},
		{objective, "least done_s", `column 1: "least"; want min or max, then a metric`},
		{objective, "min", "column 4: the end; want a metric, such as done_s(reply) or gap_ms.p95"},
		{objective, "min done", `column 5: "done_x"; want a figure`},
		{objective, "min done_s", `column 5: "done_s"; want done_s(REQUEST), done_s.mean or done_s.p95; a figure of the run: wall_s`},
		{objective, "min wall_s(reply)", `column 5: "wall_s"; want a request's figure: prompt_tokens`},
		{objective, "min done_s(", "column 12: the end; want a request's name"},
		{objective, "min done_s(x", "column 13: the end; want a closing )"},
		{objective, "min done_s('x", `column 12: "'x"; want a closing '`},
		{objective, "min wall_s in", "column 14: the end; want a case's name in quotes"},
		{objective, "min wall_s in 'a' 3", `column 19: "3"; want the end`},
		{constraint, "wall_s", "column 7: the end; want <= or >="},
		{constraint, "wall_s < 3", `column 8: "<"; want <= or >=`},
		{constraint, "wall_s <= x", `column 11: "x"; want a number, base, or a number * base`},
		{constraint, "wall_s <= 1.2.3", `column 11: "1.2.3"; want a number`},
		{constraint, "wall_s <= 1e999", `column 11: "1e999"; want a number`},
		{constraint, "wall_s <= 3 * 4", `column 15: "4"; want base`},
		{constraint, "wall_s <= base * base", `column 18: "base"; want a number`},
		{constraint, "wall_s <= 3 s", `column 13: "s"; want the end`},
		{targets, "wall_s <= base", `column 11: "base"; want a number`},
		{targets, "wall_s <= 3; steps <= 3", `column 12: ";"; want a comma or the end`},
		{targets, "wall_s <= 3,", "column 13: the end; want a metric"},
	} {
		if strings.Contains(c.want, "done_x") {
			c.text = "min done_x"
		}
		err := c.parse(c.text)
		require.Error(t, err, c.text)
		require.Contains(t, err.Error(), c.want, c.text)
		require.NotContains(t, err.Error(), "\n")
	}
}

// What is read prints as something that reads the same; what is refused is
// refused in one printable line that names a place in the text.
func FuzzExpressions(f *testing.F) {
	for _, s := range []string{
		"min done_s(reply)", "max fairness in 'a case'", "ttft_s(long) <= 1.05 * base", "gap_ms p95 >= base*2",
		"ttft_s.p95 <= 10, gap_ms.p95 <= 5e2", `min done_s("it's")`, "min done_s('", "<= <= \x00 \xff", "min queue_s.max in x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		check := func(err error, again func() (string, string, error)) {
			if err == nil {
				first, second, err := again()
				if err != nil || first != second {
					t.Fatalf("%q prints as %q, which reads as %q, %v", s, first, second, err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v", s, err)
			}
			if e.Col < 1 || e.Col > len([]rune(s))+1 {
				t.Fatalf("%q: column %d", s, e.Col)
			}
			for _, r := range e.Error() {
				if !unicode.IsPrint(r) {
					t.Fatalf("%q: error %q", s, e.Error())
				}
			}
		}
		o, err := ParseObjective(s)
		check(err, func() (string, string, error) {
			b, err := ParseObjective(o.String())
			return o.String(), b.String(), err
		})
		c, err := ParseConstraint(s)
		check(err, func() (string, string, error) {
			b, err := ParseConstraint(c.String())
			return c.String(), b.String(), err
		})
		if all, err := ParseTargets(s); err == nil && len(all) == 0 {
			t.Fatal("no target and no error")
		}
	})
}
