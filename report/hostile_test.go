package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/costmodel"
)

// evil is a name that tries to get out of everything.
const evil = `</title></script><script>alert(1)</script>"' onload=x <b>&amp; -->` + "\u2028`${1}`]]>"

// hostile is the recording with evil names.
func hostile(t *testing.T) ([]byte, *Study) {
	name, err := json.Marshal(evil)
	require.NoError(t, err)
	events := bytes.ReplaceAll(recording(t), []byte(`"reply"`), name)
	s := studyOf(t, events)
	s.About = evil + "\n\n" + evil
	s.Document.Scenario, s.Document.Machine = evil, evil
	for i := range s.Document.Results {
		e := &s.Document.Results[i]
		e.World, e.Case, e.Arm, e.Notes = evil, evil, evil, []string{evil}
		s.Runs[i].Place = Place{evil, evil, evil}
	}
	s.Arms = []Arm{{Name: evil}}
	s.Worlds = []World{{evil, []Fact{{evil, evil}}}}
	s.Server = []Fact{{evil, evil}}
	s.Machine = &costmodel.Table{Machine: evil, Device: evil, About: evil}
	s.Machine.Provenance.Rows = costmodel.Provenance{Source: evil, Method: evil, Date: evil}
	return events, s
}

func TestHostileNamesInPage(t *testing.T) {
	_, s := hostile(t)
	var b bytes.Buffer
	require.NoError(t, WritePage(&b, Page{Command: evil, Version: evil, Studies: []*Study{s}}))
	html := b.String()
	assert.Equal(t, 1, strings.Count(html, "<script"))
	assert.Equal(t, 1, strings.Count(html, "</script"))
	assert.Equal(t, 1, strings.Count(html, "</title></head>")+strings.Count(html, "</title>\n<style>"))
	assert.NotContains(t, html, "<b>&amp;amp;")
	assert.NotContains(t, html, evil)
	assert.NotContains(t, html, "<script>alert")
	assert.NotContains(t, html, `" onload`)
}

func TestHostileNamesInPlot(t *testing.T) {
	_, s := hostile(t)
	var b bytes.Buffer
	require.NoError(t, WritePlot(&b, SVG, []*Study{s}))
	dec := xml.NewDecoder(&b)
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok {
			assert.NotEqual(t, "script", start.Name.Local)
			assert.NotEqual(t, "b", start.Name.Local)
		}
	}
	require.NoError(t, WritePlot(io.Discard, PNG, []*Study{s}))
}

func TestHostileNamesInTrace(t *testing.T) {
	events, _ := hostile(t)
	b := trace(t, events, traceBudget)
	var file struct {
		TraceEvents []struct{ Name string }
	}
	require.NoError(t, json.Unmarshal(b, &file))
	found := false
	for _, e := range file.TraceEvents {
		found = found || e.Name == evil
	}
	assert.True(t, found)
	assert.NotContains(t, string(b), "<script>")
}

// The page asks for nothing from outside.
func TestSelfContained(t *testing.T) {
	html := page(t, studyOf(t, recording(t)))
	for _, no := range []string{"http:", "https:", "src=", "@import", "url(", "<iframe", "<object"} {
		assert.NotContains(t, strings.ReplaceAll(html, "script-src", ""), no)
	}
	assert.Contains(t, html, "default-src &#39;none&#39;")
}

// What scrolls can be reached by key, and every drawing has words.
func TestReachable(t *testing.T) {
	html := page(t, studyOf(t, recording(t)))
	assert.Equal(t, strings.Count(html, `class="scroll"`), strings.Count(html, `class="scroll" tabindex="0" role="region" aria-label="`))
	for _, svg := range strings.Split(html, "<svg ")[1:] {
		tag, _, _ := strings.Cut(svg, ">")
		assert.True(t, strings.Contains(tag, `role="img" aria-label="`) || strings.Contains(tag, `aria-hidden="true"`), tag)
	}
	for _, th := range strings.Split(html, "<th")[1:] {
		if !strings.HasPrefix(th, "ead") {
			assert.True(t, strings.HasPrefix(th, " scope="), th[:20])
		}
	}
}
