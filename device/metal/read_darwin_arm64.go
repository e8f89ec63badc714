package metal

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/ebitengine/purego"
	"github.com/ebitengine/purego/objc"
	"golang.org/x/sys/unix"
)

const frameworks = "/System/Library/Frameworks/"

var apple struct {
	once sync.Once
	err  error
	// defaultDevice is MTLCreateSystemDefaultDevice.
	defaultDevice func() objc.ID
}

// load opens the frameworks. Without CoreGraphics there is no default device.
func load() error {
	apple.once.Do(func() {
		for _, name := range []string{"Foundation", "CoreGraphics", "Metal"} {
			lib, err := purego.Dlopen(frameworks+name+".framework/"+name, purego.RTLD_LAZY|purego.RTLD_GLOBAL)
			if err != nil {
				apple.err = fmt.Errorf("metal: %w", err)
				return
			}
			if name == "Metal" {
				purego.RegisterLibFunc(&apple.defaultDevice, lib, "MTLCreateSystemDefaultDevice")
			}
		}
	})
	return apple.err
}

// pool runs f within an autorelease pool, which belongs to one thread.
func pool(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p := objc.ID(objc.GetClass("NSAutoreleasePool")).Send(objc.RegisterName("new"))
	defer p.Send(objc.RegisterName("drain"))
	f()
}

// Read describes this machine.
func Read() (Machine, error) {
	var m Machine
	if err := load(); err != nil {
		return m, err
	}
	m.Chip, _ = unix.Sysctl("machdep.cpu.brand_string") // empty where unknown
	if n, err := unix.SysctlUint64("hw.memsize"); err == nil {
		m.Memory = int64(n)
	}
	if mb, err := unix.SysctlUint32("iogpu.wired_limit_mb"); err == nil {
		m.WiredLimit = int64(mb) << 20
	}
	m.GPUCores = gpuCores()
	pool(func() {
		if d := apple.defaultDevice(); d != 0 {
			m.GPU = text(d.Send(objc.RegisterName("name")))
			m.WorkingSet = int64(objc.Send[uint64](d, objc.RegisterName("recommendedMaxWorkingSetSize")))
			m.Allocated = int64(objc.Send[uint64](d, objc.RegisterName("currentAllocatedSize")))
			m.MaxBuffer = int64(objc.Send[uint64](d, objc.RegisterName("maxBufferLength")))
			m.Unified = objc.Send[bool](d, objc.RegisterName("hasUnifiedMemory"))
			d.Send(objc.RegisterName("release"))
		}
		m.LowPower = objc.Send[bool](process(), objc.RegisterName("isLowPowerModeEnabled"))
	})
	return m, nil
}

// ReadThermal gives the thermal state.
func ReadThermal() (t Thermal, err error) {
	if err := load(); err != nil {
		return Nominal, err
	}
	pool(func() {
		t = thermalOf(objc.Send[int](process(), objc.RegisterName("thermalState")))
	})
	return t, nil
}

func process() objc.ID {
	return objc.ID(objc.GetClass("NSProcessInfo")).Send(objc.RegisterName("processInfo"))
}

func text(s objc.ID) string {
	if s == 0 {
		return ""
	}
	return objc.Send[string](s, objc.RegisterName("UTF8String"))
}
