package svg_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
	"github.com/tfsim/tfsim/tui/svg"
	"github.com/tfsim/tfsim/tui/view"
)

func TestWrite(t *testing.T) {
	st := state.New(state.Setup{Lanes: 2, Promised: 500_000, Steps: true})
	st.Apply(&core.Event{Kind: core.EventSubmitted, ID: 1, Slot: -1, Rows: 900, Tokens: 10}, `<"&'>`)
	st.Apply(&core.Event{Kind: core.EventAdmitted, ID: 1}, "")
	st.Apply(&core.Event{At: 500_000, Wall: 500_000, Kind: core.EventStep, ID: 1, Rows: 400}, "")
	var g view.Grid
	g.Reset(80, 24)
	view.Draw(&g, &view.Scene{State: st, Title: "a < b", Window: 1_000_000})
	var one, two bytes.Buffer
	require.NoError(t, svg.Write(&one, &g, "a < b"))
	require.NoError(t, svg.Write(&two, &g, "a < b"))
	require.Equal(t, one.String(), two.String())

	classes, texts := map[string]bool{}, ""
	d := xml.NewDecoder(&one)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			for _, a := range x.Attr {
				if a.Name.Local == "class" {
					classes[a.Value] = true
				}
			}
		case xml.CharData:
			texts += string(x) + "\n"
		}
	}
	for _, c := range []string{"back", "step", "title", "sel", "on", "dim"} {
		require.True(t, classes[c], c)
	}
	require.Contains(t, texts, `<"&'>`)
	require.Contains(t, texts, "prefers-color-scheme:light")
	require.NotContains(t, strings.ToLower(two.String()), "http://www.w3.org/1999/xlink")
}

// failing is a writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteFails(t *testing.T) {
	var g view.Grid
	g.Reset(200, 60)
	require.ErrorContains(t, svg.Write(failing{}, &g, ""), "full")
}
