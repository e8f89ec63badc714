package report

import (
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"html/template"
	"io"
	"strings"
)

// Page is a file to send to somebody.
type Page struct {
	// Command is the line that makes the same results again, and Version the
	// program's.
	Command, Version string
	Studies          []*Study
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"series": seriesClass}).Parse(pageHTML))

// seriesClass is the class of an arm's colour and dashes.
func seriesClass(index int) string {
	const colours = 8
	return "s" + string(rune('0'+index%colours)) + " d" + string(rune('0'+index/colours%3))
}

// WritePage writes the page: HTML that refers to nothing outside itself, and
// whose policy forbids it to.
func WritePage(w io.Writer, p Page) error {
	sum := sha256.Sum256([]byte(pageJS))
	view := pageView{
		Page: p, Style: template.CSS(pageCSS), Script: template.JS(pageJS),
		Policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src 'sha256-" +
			base64.StdEncoding.EncodeToString(sum[:]) + "'",
	}
	var titles []string
	for i, s := range p.Studies {
		titles = append(titles, s.Document.Scenario)
		view.Studies = append(view.Studies, newStudyView(s, i))
	}
	view.Title = strings.Join(titles, ", ")
	return pageTemplate.Execute(w, view)
}

// pageView is what the template shows.
type pageView struct {
	Page
	Title, Policy string
	Style         template.CSS
	Script        template.JS
	Studies       []*studyView
}
