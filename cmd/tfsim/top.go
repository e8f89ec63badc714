package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/tui"
)

const topLong = `Watch a running server on a dashboard: its slots, queue, rounds and costs. It
reads the server's events (/events, or the path that the URL names). A lost
connection is made again.

Nothing is changed, unless the server runs with --allow-changes: w then changes a
setting.

Lanes, the promised prompt share and totals since the server's start come from
/metrics beside the events; where a server has none, they are left out.

A server with API keys is given that of --api-key, TFSIM_API_KEY or
TENSORFOLD_API_KEY.`

func newTopCmd(o *options) *cobra.Command {
	var url, key string
	cmd := &cobra.Command{
		Use:     "top --url URL",
		Short:   "Watch a running server",
		Long:    topLong,
		Example: "  tfsim top --url http://127.0.0.1:8080",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" {
				return usage(errors.New("no server: give --url http://HOST:PORT"))
			}
			return watched(tui.Attach(cmd.Context(), url, ownKey(key), o.dashboard(cmd.OutOrStdout())))
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "the server's `URL`")
	cmd.Flags().StringVar(&key, "api-key", "", "the `KEY` that the server wants")
	return cmd
}

// ownKey is the key given, or else that of the environment.
func ownKey(given string) string {
	for _, name := range apiKeyVariables {
		if given == "" {
			given = strings.TrimSpace(os.Getenv(name))
		}
	}
	return given
}
