package libs

import (
	"runtime"
	"slices"
)

// Release is the release of llama.cpp that everything here is made for.
const Release = "0.4.0"

// Version is that of the packages.
const Version = "3.21.1"

// Package is one archive of libraries.
type Package struct {
	// Name is its last part, after @node-llama-cpp/.
	Name string
	// Platform is the GOOS/GOARCH it is for.
	Platform string
	// SHA512 is the archive's, as npm gives it: base64.
	SHA512 string
}

// Packages are all that are pinned. The first for a platform is its default.
var Packages = []Package{
	{"linux-x64", "linux/amd64", "Totj6RTDMGo3FoK2yNUaz/oGmZD0olAqTrRluFUWmu0kW2i9TOzHSW0OWCAiGkzRCVX0WsU2CyUQo/W2NYtdPA=="},
	{"linux-x64-vulkan", "linux/amd64", "flEeSzONQ6OIm5bYKLQf4eEnBzcC5WugFbyPUwkCqyyOFZ8pH0H9ulQ7ZNDLSIczeKneMRJornlyY1Hq7d3GDA=="},
	{"linux-x64-cuda", "linux/amd64", "idsE55VoD/FbvLhnBC9krUJaUoC0XnebseAAnCpm/brKf61HEbu+idgbb5eN6mxkjLSrHtILprJ0nDcUJjVrFg=="},
	{"linux-arm64", "linux/arm64", "eI3anSEGzJiwF2rpMpZVTdHzw47LztbvfvuRzlu/fPO18ROnBOd+75RPUBlV6qENPpmNtbov85+3VODwEwBurg=="},
	{"mac-arm64-metal", "darwin/arm64", "6MIDAZV7DXD9R1+jEXWJkFuolni3GATGE6mmuyFYc6ZmtOh9djAy15df0T0AXK3sCmVKL+fQcOAWZezxx4MvQQ=="},
	{"mac-x64", "darwin/amd64", "Q4nyNmbcNiKygBZQZjX+qLk2w3YzoiFpLWsxNURQN7xjyUi2p2rWxjRa7Otg0FrjGf/ri4aQ+X3Uj5Y0zD06eg=="},
}

// Default is the package of this platform, if there is one.
func Default() (Package, bool) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	i := slices.IndexFunc(Packages, func(p Package) bool { return p.Platform == platform })
	if i < 0 {
		return Package{}, false
	}
	return Packages[i], true
}

// Named is the package of a name.
func Named(name string) (Package, bool) {
	i := slices.IndexFunc(Packages, func(p Package) bool { return p.Name == name })
	if i < 0 {
		return Package{}, false
	}
	return Packages[i], true
}
