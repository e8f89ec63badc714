//go:build !(darwin && arm64)

package metal

// Read describes this machine.
func Read() (Machine, error) { return Machine{}, ErrNoMac }

// ReadThermal gives the thermal state.
func ReadThermal() (Thermal, error) { return Nominal, ErrNoMac }
