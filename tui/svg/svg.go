// Package svg draws a frame of the dashboard as a picture. The same frame
// gives the same bytes. Both grounds are in it: a viewer that prefers light
// sees the light one.
package svg

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tfsim/tfsim/tui/view"
)

// The size of a cell and the margin around the frame, in pixels. A column is
// wide enough for the fonts that are named.
const (
	cellW, cellH = 8.4, 17
	margin       = 12
	fontSize     = 14
)

// grounds are the colours behind and of plain text: dark and light.
var grounds = [2]struct{ back, text string }{{"#0D1117", "#D5DBE3"}, {"#FFFFFF", "#1F2328"}}

// Write draws a grid.
func Write(w io.Writer, g *view.Grid, title string) error {
	b := bufio.NewWriter(w)
	width, height := float64(g.W)*cellW+2*margin, g.H*cellH+2*margin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %d" width="%s" height="%d" role="img">`+"\n",
		number(width), height, number(width), height)
	fmt.Fprintf(b, "<title>%s</title>\n<style>\n", escape(title))
	fmt.Fprintf(b, "text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;white-space:pre}\n", fontSize)
	rules(b, 0)
	fmt.Fprintln(b, "@media (prefers-color-scheme:light){")
	rules(b, 1)
	fmt.Fprintln(b, "}\n</style>")
	fmt.Fprintf(b, `<rect class="back" width="100%%" height="100%%" rx="8"/>`+"\n")
	for y := range g.H {
		row(b, g, y)
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// rules are the colours on one ground.
func rules(b *bufio.Writer, ground int) {
	t := view.NewTheme(ground == 0, true)
	fmt.Fprintf(b, ".back,.on{fill:%s}text,rect,.sel{fill:%s}.back{fill:%s}\n", grounds[ground].back, grounds[ground].text, grounds[ground].back)
	for i, name := range view.Names {
		rule := ""
		if c, ok := t.Color(view.Style(i)); ok {
			r, g, bl, _ := c.RGBA()
			rule = fmt.Sprintf("fill:#%02x%02x%02x", r>>8, g>>8, bl>>8)
		}
		if t.Bold(view.Style(i)) {
			rule = strings.TrimPrefix(rule+";font-weight:bold", ";")
		}
		if rule != "" {
			fmt.Fprintf(b, ".%s{%s}\n", name, rule)
		}
	}
	fmt.Fprintf(b, "text.on{fill:%s}\n", grounds[ground].back)
}

// row draws a line: runs of block characters as rectangles, so that no font
// leaves gaps in them, and the rest as text at its exact columns.
func row(b *bufio.Writer, g *view.Grid, y int) {
	for x := 0; x < g.W; {
		first := *g.At(x, y)
		end := x + 1
		for end < g.W && g.At(end, y).Style == first.Style && g.At(end, y).Selected == first.Selected &&
			block(g.At(end, y).Text) == block(first.Text) && (block(first.Text) == 0 || g.At(end, y).Text == first.Text) {
			end++
		}
		px, py, w := margin+float64(x)*cellW, margin+y*cellH, float64(end-x)*cellW
		if first.Selected {
			fmt.Fprintf(b, `<rect class="sel" x="%s" y="%d" width="%s" height="%d"/>`+"\n", number(px), py, number(w), cellH)
		}
		if kind := block(first.Text); kind != 0 {
			rect(b, first, px, py, end-x)
		} else {
			text(b, g, x, end, y, first)
		}
		x = end
	}
}

// block is the block character of a cell, or 0.
func block(text string) rune {
	if r, _ := utf8.DecodeRuneInString(text); r >= 0x2580 && r <= 0x2593 {
		return r
	}
	return 0
}

// rect draws a run of one block character.
func rect(b *bufio.Writer, c view.Cell, x float64, y, n int) {
	w, h, top, shade := float64(n)*cellW, float64(cellH), float64(y), ""
	switch r := block(c.Text); {
	case r == '▄':
		top, h = top+h/2, h/2
	case r >= '▉' && r <= '▏': // so many eighths of the first column
		w = cellW * float64('▏'-r+1) / 8
	case r == '▓':
		shade = ` opacity=".8"`
	case r == '▒':
		shade = ` opacity=".65"`
	case r == '░':
		shade = ` opacity=".4"`
	}
	fmt.Fprintf(b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"%s/>`+"\n",
		class(c), number(x), number(top+1), number(w), number(h-2), shade)
}

// text draws a run of other characters, blanks at its ends dropped.
func text(b *bufio.Writer, g *view.Grid, x, end, y int, c view.Cell) {
	for x < end && g.At(x, y).Text == " " {
		x++
	}
	for end > x && (g.At(end-1, y).Text == " " || g.At(end-1, y).Text == "") {
		end--
	}
	if x == end {
		return
	}
	var s strings.Builder
	for i := x; i < end; i++ {
		s.WriteString(g.At(i, y).Text)
	}
	fmt.Fprintf(b, `<text class="%s" x="%s" y="%d" textLength="%s">%s</text>`+"\n", class(c),
		number(margin+float64(x)*cellW), margin+y*cellH+13, number(float64(end-x)*cellW), escape(s.String()))
}

func class(c view.Cell) string {
	name := view.Names[c.Style]
	if c.Selected {
		name = "on"
	}
	return name
}

func number(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace
