package main

import (
	"context"
	"fmt"

	draw "github.com/tfsim/tfsim/report"
	"github.com/tfsim/tfsim/tune"
)

// front searches two objectives, and draws what it found if that is asked for.
// The picture's file is opened before anything is played.
func (f *tuneFlags) front(ctx context.Context, field *tune.Field, opts tune.Options) (answer, string, error) {
	var picture *draw.File
	var format draw.Format
	if f.plot != "" {
		var err error
		if format, err = draw.FormatOf(f.plot); err != nil {
			return nil, "", usage(fmt.Errorf("--plot: %w", err))
		}
		if picture, err = draw.Create(f.plot); err != nil {
			return nil, "", usage(fmt.Errorf("--plot: %w", err))
		}
		defer picture.Discard()
	}
	found, err := tune.SearchFront(ctx, field, field.Space(), opts)
	if err != nil {
		return nil, "", err
	}
	answer := tune.NewFrontAnswer(field, found)
	if picture != nil {
		if err := answer.Draw(picture, string(format)); err != nil {
			return nil, "", fmt.Errorf("--plot: %w", err)
		}
		if err := picture.Keep(); err != nil {
			return nil, "", fmt.Errorf("--plot: %w", err)
		}
	}
	return answer, found.End, nil
}
