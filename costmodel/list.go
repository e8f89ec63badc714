package costmodel

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteList writes the built-in tables, one a line in aligned columns: name,
// device, weights, most rows of a launch, and the grade of its prices.
func WriteList(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "NAME\tDEVICE\tWEIGHTS\tROWS\tGRADE")
	for _, name := range Library() {
		t, err := Open(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t%s\n", t.Machine, t.Device, t.Weights, t.Limits.Rows, t.LaunchGrade())
	}
	return tw.Flush()
}
