package result

// student975 is the 97.5% quantile of Student's t with df degrees of freedom,
// at least 1: half the width of a 95% interval in standard errors. A table
// and a series keep it the same on every platform.
func student975(df int) float64 {
	if df <= len(studentTable) {
		return studentTable[df-1]
	}
	// The Cornish-Fisher expansion around the normal quantile.
	const z = 1.959963984540054
	const (
		z3 = z * z * z
		z5 = z3 * z * z
		z7 = z5 * z * z
		z9 = z7 * z * z
		c1 = (z3 + z) / 4
		c2 = (5*z5 + 16*z3 + 3*z) / 96
		c3 = (3*z7 + 19*z5 + 17*z3 - 15*z) / 384
		c4 = (79*z9 + 776*z7 + 1482*z5 - 1920*z3 - 945*z) / 92160
	)
	n := float64(df)
	return z + c1/n + c2/(n*n) + c3/(n*n*n) + c4/(n*n*n*n)
}

var studentTable = [...]float64{
	12.70620474, 4.30265273, 3.18244631, 2.77644511, 2.57058184,
	2.44691185, 2.36462425, 2.30600414, 2.26215716, 2.22813885,
	2.20098516, 2.17881283, 2.16036866, 2.14478669, 2.13144955,
	2.11990530, 2.10981558, 2.10092204, 2.09302405, 2.08596345,
	2.07961384, 2.07387307, 2.06865761, 2.06389856, 2.05953855,
	2.05552944, 2.05183052, 2.04840714, 2.04522964, 2.04227246,
}
