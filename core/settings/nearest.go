package settings

import (
	"slices"
	"strings"
)

// nearest gives at most three settings whose names could be meant, nearest
// first.
func nearest(name string) []string {
	const longest = 80
	if len(name) > longest {
		return nil
	}
	type match struct {
		name string
		far  int
	}
	var found []match
	wanted := strings.ToUpper(strings.TrimLeft(name, "-"))
	for _, s := range registry {
		known := strings.ToUpper(strings.TrimLeft(s.Name, "-"))
		far := distance(wanted, known)
		if far <= max(2, len(wanted)/5) {
			found = append(found, match{s.Name, far})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.far - b.far })
	var names []string
	for _, m := range found[:min(3, len(found))] {
		if m.far > found[0].far+1 {
			break
		}
		names = append(names, m.name)
	}
	return names
}

// distance counts the edits from a to b: a byte more, less or other, or two
// neighbours swapped.
func distance(a, b string) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			edit := 1
			if a[i] == b[j] {
				edit = 0
			}
			row[j+1] = min(last[j]+edit, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
