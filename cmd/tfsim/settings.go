package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/core/settings"
)

const settingsExample = `  tfsim settings
  tfsim settings --json
  tfsim settings --docs`

func newSettingsCmd(*options) *cobra.Command {
	var json, docs bool
	cmd := &cobra.Command{
		Use:   "settings",
		Short: "List every setting: its forms, default and effect",
		Long: `List every setting that an arm, the environment or a flag may set: the forms
that are accepted, the default and what it does. --docs writes docs/settings.md
in the current directory.`,
		Example: settingsExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case docs:
				return writeDocs(cmd)
			case json:
				return settings.WriteJSON(cmd.OutOrStdout())
			default:
				return settings.WriteTable(cmd.OutOrStdout())
			}
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print the settings as JSON")
	cmd.Flags().BoolVar(&docs, "docs", false, "write docs/settings.md")
	cmd.MarkFlagsMutuallyExclusive("json", "docs")
	return cmd
}

func writeDocs(cmd *cobra.Command) error {
	var text bytes.Buffer
	if err := settings.WriteMarkdown(&text); err != nil {
		return fault(err)
	}
	path := filepath.Join("docs", "settings.md")
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		return usage(err)
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), "wrote", path)
	return err
}
