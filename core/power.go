package core

import "math"

// power is x^e for x > 0 and 0 ≤ e ≤ 4, with e taken to 1/65536. It uses only
// products and square roots, which IEEE 754 rounds alike on every platform.
func power(x, e float64) float64 {
	whole, part := math.Modf(e)
	result := 1.0
	for range int(whole) {
		result = float64(result * x)
	}
	root := x
	for bits := int(part * 65536); bits != 0; bits = bits << 1 & 0xffff {
		root = math.Sqrt(root)
		if bits&0x8000 != 0 {
			result = float64(result * root)
		}
	}
	return result
}
