package main

import "github.com/spf13/cobra"

func newMachineFitCmd(*options) *cobra.Command {
	return &cobra.Command{Use: "fit"}
}
