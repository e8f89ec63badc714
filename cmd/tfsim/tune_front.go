package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	draw "github.com/tfsim/tfsim/report"
	"github.com/tfsim/tfsim/tune"
)

// front searches two objectives. The picture's file is opened before anything
// is played.
func (f *tuneFlags) front(ctx context.Context, cmd *cobra.Command, field *tune.Field, space *tune.Space, opts tune.Options, bar *progress) error {
	var picture *draw.File
	var format draw.Format
	if f.plot != "" {
		var err error
		if format, err = draw.FormatOf(f.plot); err != nil {
			return usage(fmt.Errorf("--plot: %w", err))
		}
		if picture, err = draw.Create(f.plot); err != nil {
			return usage(fmt.Errorf("--plot: %w", err))
		}
		defer picture.Discard()
	}
	found, err := tune.SearchFront(ctx, field, space, opts)
	bar.clear()
	if err != nil {
		return faultOfPanic(err)
	}
	answer := tune.NewFrontAnswer(field, found)
	if picture != nil {
		if err := answer.Draw(picture, string(format)); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
		if err := picture.Keep(); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	if f.json {
		return tune.WriteJSON(cmd.OutOrStdout(), answer)
	}
	return answer.Write(cmd.OutOrStdout())
}
