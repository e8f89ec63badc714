// Package trace reads records of real traffic: when requests came, how long
// their prompts and replies were, and what prompts had in common.
//
//	t, err := trace.Open("azure.csv", trace.Options{})
//	…
//	defer t.Close()
//	var r trace.Request
//	for err = t.Next(&r); err == nil; err = t.Next(&r) {
//		…
//	}
//	// err is io.EOF, or names file and line
//
// The formats are those of published traces (Azure LLM inference 2023 and
// 2024, BurstGPT, Mooncake, ShareGPT) and what this project writes itself
// (events, and records of a server). A file says by its content which it is.
//
// Reading is by streaming: memory does not grow with the file. Rows that are a
// little out of order are put in order; a row that comes too late for that is
// an error. Rows that are no requests, such as failures, are left out and
// counted: Notes tells of them.
package trace
