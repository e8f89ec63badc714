// Package devicetest is the conformance suite of devices. Any implementation
// of device.Device, here or elsewhere, can be held to the contract:
//
//	func TestConformance(t *testing.T) {
//		devicetest.Run(t, func(t *testing.T, o devicetest.Options) device.Device {
//			return mine.Open(o.Slots, o.Context)
//		})
//	}
//
// What a device promises not, the suite does not ask: a device of a level
// below Exact skips the comparisons of texts, with its reason, and is held to
// the rest.
package devicetest
