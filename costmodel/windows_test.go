package costmodel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLaunchOfWindows(t *testing.T) {
	table := opened(t, "h200-llamacpp-vulkan")
	for _, c := range []struct {
		name          string
		windows, rows int
		price         float64
		grade         Grade
	}{
		{"an entry", 4, 16, 14.214, Measured},
		{"rows that do not divide", 2, 3, (5.557 + 7.048) / 2, Estimated},
		{"between entries of one sequence", 1, 20, 13.643 + (13.87-13.643)*3/7, Estimated},
		{"up a jump", 1, 7, 26.402, Estimated},
		{"down a jump", 1, 9, 26.402, Estimated},
		{"across a jump where rows do not divide", 3, 7, 13.476, Estimated},
		{"between sequences", 6, 12, (10.876 + 14.355) / 2, Estimated},
		{"between sequences across a jump", 6, 6, 11.029, Estimated},
		{"beyond falling rows the last holds", 4, 80, 12.864, Extrapolated},
		{"beyond the sequences", 12, 24, 14.355 + 14.355 - 10.876, Extrapolated},
		{"beyond the launch", 1, 129, 14.098 + (14.098-13.87)*(129-32)/8, Extrapolated},
	} {
		t.Run(c.name, func(t *testing.T) {
			price, grade := table.Launch(Load{Windows: c.windows, Rows: c.rows})
			require.InDelta(t, float64(ms(c.price)), float64(price), 1)
			require.Equal(t, c.grade, grade)
		})
	}
}
