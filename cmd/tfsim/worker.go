package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/tune/remote"
)

const workerLong = `Play runs for searches of other processes: of 'tfsim tune --nats' at the same NATS
server, or of 'tfsim tune --listen' at its address.

A worker may join, leave and die at any time; what it had is played by others.
Ctrl-C makes it leave. It serves one search after another, of the same program
only. Without --nats the URL is that of NATS_URL. NATS_TOKEN and NATS_CREDS, the
path of a file, give access, unless the URL has it.`

const workerExample = `  tfsim worker --nats nats://192.168.1.20:4222
  tfsim worker --nats tls://nats.example:4222 --jobs 4 --idle 10m`

func newWorkerCmd(*options) *cobra.Command {
	var o remote.WorkerOptions
	var quiet bool
	cmd := &cobra.Command{
		Use:     "worker",
		Short:   "Play runs for searches of other processes",
		Long:    workerLong,
		Example: workerExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.URL == "" {
				o.URL = os.Getenv("NATS_URL")
			}
			switch {
			case o.URL == "":
				return usage(errors.New("no --nats; try: " + firstExample(workerExample)))
			case o.Jobs < 0 || o.Jobs > mostWorkers:
				return usage(fmt.Errorf("--jobs %d: want 0 to %d", o.Jobs, mostWorkers))
			case o.Idle < 0:
				return usage(fmt.Errorf("--idle %s: want 0s or more", o.Idle))
			}
			o.Access, o.Program = access(o.URL), program()
			if !quiet {
				o.Say = func(line string) { _, _ = fmt.Fprintf(cmd.ErrOrStderr(), "tfsim worker: %s\n", oneLine(line)) }
			}
			ctx, stop := untilInterrupt(cmd.Context())
			defer stop()
			return remote.Work(ctx, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.URL, "nats", "", "the `URL` of the NATS server")
	flags.IntVar(&o.Jobs, "jobs", 0, "batches of runs at a time; 0 is `N` cores")
	flags.DurationVar(&o.Idle, "idle", 0, "leave after so long without a search, such as `10m`; 0s is never")
	flags.BoolVar(&quiet, "quiet", false, "say nothing but why it ends")
	return cmd
}

// access is how to reach a server: its secrets come from the environment, where
// they are not in the URL.
func access(url string) remote.Access {
	return remote.Access{URL: url, Token: os.Getenv("NATS_TOKEN"), Creds: os.Getenv("NATS_CREDS")}
}

// idleWorkers is how long the workers that a search started outlive it, if it
// could not end them.
const idleWorkers = time.Minute
