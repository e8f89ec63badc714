// Package view draws the dashboard. [Draw] fills a [Grid] of styled cells from
// a [Scene]; nothing here reads a clock or keeps anything between frames.
//
// A screen is parted into rectangles (layout.go), and each pane draws into its
// own: what does not fit is cut at the rectangle's edge, so no size can break
// the screen. A grid becomes text for a terminal with a [Theme], which holds
// every style (styles.go); no other place knows a colour. Without colours the
// kinds of work differ by their shading too.
package view
