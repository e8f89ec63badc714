// Package libs names the prebuilt llama.cpp libraries that the project is
// tested with, fetches and finds them.
//
// They come from the npm packages of node-llama-cpp, one for each platform and
// backend, all of one release of llama.cpp. Each package's archive is pinned by
// its sha512; what does not match is not unpacked.
package libs
