package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/tui"
)

const topLong = `Watch a running server on a dashboard: its slots, queue, rounds and costs. It
reads the server's events (/events, or the path that the URL names) and changes
nothing. A lost connection is made again.

Lanes, the promised prompt share and totals since the server's start come from
/metrics beside the events; where a server has none or asks for a key, they are
left out.`

func newTopCmd(o *options) *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:     "top --url URL",
		Short:   "Watch a running server",
		Long:    topLong,
		Example: "  tfsim top --url http://127.0.0.1:8080",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" {
				return usage(errors.New("no server: give --url http://HOST:PORT"))
			}
			return watched(tui.Attach(cmd.Context(), url, o.dashboard(cmd.OutOrStdout())))
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "the server's `URL`")
	return cmd
}
