package warm

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
)

// Every shape of work is run, and all slots are free afterwards.
func TestUp(t *testing.T) {
	for name, o := range map[string]fake.Options{
		"usual":          {},
		"one slot":       {Slots: 1, DraftDepth: -1, ChunkRows: 7},
		"many slots":     {Slots: 40, LaunchRows: 64},
		"a small cache":  {Slots: 3, Context: 12},
		"hardly a cache": {Slots: 2, Context: 2},
		"padded":         {Slots: 12, LaunchRows: 12, Least: 2, Multiple: 2},
	} {
		t.Run(name, func(t *testing.T) {
			chunks, rounds, passes := map[int]bool{}, map[[2]int]bool{}, map[[2]int]bool{}
			o := o
			o.OnChunk = func(_, rows int) { chunks[rows] = true }
			d := fake.Open(o)
			var shapes seen
			shapes.Device, shapes.rounds, shapes.passes = d, rounds, passes
			require.NoError(t, Up(context.Background(), &shapes))
			i := d.Info()
			for n := range min(i.Shapes.ChunkRows, i.Context-1) {
				if slices.Contains(sizes(i.Shapes.ChunkRows), n+1) {
					require.True(t, chunks[n+1], n+1)
				}
			}
			if i.Context >= 100 {
				for _, slots := range sizes(i.Slots) {
					for width := 1; width <= 1+i.DraftDepth && slots*width <= i.Shapes.LaunchRows; width++ {
						require.True(t, rounds[[2]int{slots, width}], "%d of %d", slots, width)
						require.Equal(t, width > 1, passes[[2]int{slots, width - 1}])
					}
				}
			}
			for s := range i.Slots {
				_, err := d.Begin(s, device.BeginOptions{})
				require.NoError(t, err)
			}
		})
	}
}

type seen struct {
	device.Device
	rounds, passes map[[2]int]bool
}

func (d *seen) Verify(windows []device.Window, verdicts []device.Verdict) ([]device.Verdict, error) {
	d.rounds[[2]int{len(windows), windows[0].Rows()}] = true
	return d.Device.Verify(windows, verdicts)
}

func (d *seen) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	d.passes[[2]int{len(asks), asks[0].Depth}] = true
	return d.Device.Pass(asks, drafts)
}

// A device that fails says so; one that is told to stop does.
func TestUpEnds(t *testing.T) {
	for _, call := range []string{"begin", "finish", "pass", "verify"} {
		d := fake.Open(fake.Options{OnCall: func(name string) error {
			if name == call {
				return device.ErrLost
			}
			return nil
		}})
		require.ErrorIs(t, Up(context.Background(), d), device.ErrLost, call)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorIs(t, Up(ctx, fake.Open(fake.Options{})), context.Canceled)
}

func TestSizes(t *testing.T) {
	require.Equal(t, []int{1}, sizes(1))
	require.Equal(t, []int{1, 2, 3, 4}, sizes(4))
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 32, 33, 48, 64, 65, 96, 128}, sizes(128))
	for most := 1; most < 5000; most++ {
		all := sizes(most)
		require.True(t, slices.IsSorted(all))
		require.Equal(t, slices.Compact(slices.Clone(all)), all)
		require.Equal(t, most, all[len(all)-1])
		require.Equal(t, 1, all[0])
	}
}

// Slots that keep more drafts than the first do not outgrow the context.
func TestUpWithin(t *testing.T) {
	for context := 2; context < 200; context++ {
		require.NoError(t, Up(t.Context(), &unlike{fake.Open(fake.Options{Context: context})}), "a context of %d", context)
	}
}

// unlike is a device whose first slot keeps no draft.
type unlike struct{ *fake.Device }

func (d *unlike) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	drafts, err := d.Device.Pass(asks, drafts)
	if len(asks) > 0 && asks[0].Slot == 0 {
		for k := range asks[0].Depth {
			drafts[k].Token = 0 // is never drawn
		}
	}
	return drafts, err
}
