package metal

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// gpuCores asks the registry of devices; 0 where it does not say.
func gpuCores() int {
	kit, err := purego.Dlopen(frameworks+"IOKit.framework/IOKit", purego.RTLD_LAZY|purego.RTLD_GLOBAL)
	if err != nil {
		return 0
	}
	foundation, err := purego.Dlopen(frameworks+"CoreFoundation.framework/CoreFoundation", purego.RTLD_LAZY|purego.RTLD_GLOBAL)
	if err != nil {
		return 0
	}
	var (
		matching func(name string) uintptr
		service  func(port uint32, matching uintptr) uint32
		property func(entry uint32, key, allocator uintptr, options uint32) uintptr
		release  func(object uint32) int32
		newText  func(allocator uintptr, text string, encoding uint32) uintptr
		number   func(number uintptr, kind int, value unsafe.Pointer) bool
		drop     func(object uintptr)
	)
	for _, f := range []struct {
		lib  uintptr
		to   any
		name string
	}{
		{kit, &matching, "IOServiceMatching"},
		{kit, &service, "IOServiceGetMatchingService"},
		{kit, &property, "IORegistryEntryCreateCFProperty"},
		{kit, &release, "IOObjectRelease"},
		{foundation, &newText, "CFStringCreateWithCString"},
		{foundation, &number, "CFNumberGetValue"},
		{foundation, &drop, "CFRelease"},
	} {
		if _, err := purego.Dlsym(f.lib, f.name); err != nil {
			return 0
		}
		purego.RegisterLibFunc(f.to, f.lib, f.name)
	}
	// The look-up takes the matching dictionary over.
	gpu := service(0, matching("AGXAccelerator"))
	if gpu == 0 {
		return 0
	}
	defer release(gpu)
	const utf8, int32Kind = 0x08000100, 3
	key := newText(0, "gpu-core-count", utf8)
	if key == 0 {
		return 0
	}
	defer drop(key)
	value := property(gpu, key, 0, 0)
	if value == 0 {
		return 0
	}
	defer drop(value)
	var cores int32
	if !number(value, int32Kind, unsafe.Pointer(&cores)) {
		return 0
	}
	return int(cores)
}
