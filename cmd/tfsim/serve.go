package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/engine"
	draw "github.com/tfsim/tfsim/report"
	"github.com/tfsim/tfsim/server"
)

const serveLong = `Answer OpenAI clients, with the scheduler of the studies on a clock of the wall.

With --model, a GGUF model answers through llama.cpp. Without one, a simulated
machine does: its replies are words without sense, and take as long as the real
machine's would (--speed shortens that), so that a client, a gateway or a load
test meets real queues, prompts, rounds and drafts.

Settings are the scheduler's own, as 'tfsim settings' lists them: from the
environment, and over it from flags and --set. 'tfsim top --url URL' watches.
GET /settings shows them; with --allow-changes, POST /settings changes them
between two rounds, and a record tells 'tfsim replay' when.

Only this machine is served unless there are API keys: --api-key, a file of
them, TFSIM_API_KEY or TENSORFOLD_API_KEY. SIGTERM and Ctrl-C take no new
requests and let those in flight end; a second one ends at once.`

const serveExample = `  tfsim serve --machine m5-ultra-512gb
  tfsim serve --machine m5-ultra-512gb --speed 10 --set TENSORFOLD_PREFILL_SHARE=0.5
  tfsim serve --model target.gguf --drafter draft.gguf --parallel 4 --context 8192
  curl http://127.0.0.1:8080/v1/chat/completions -d '{"messages": [{"role": "user", "content": "Hello"}], "stream": true}'`

// serveFlags are the command's flags.
type serveFlags struct {
	modelFlags
	addr, name               string
	events, record           string
	machine, load            string
	speed, noise             float64
	keys                     []string
	keyFile                  string
	metricsOpen, allowRemote bool
	allowChanges             bool
	set                      []string
	grace                    time.Duration
	settings                 []*settingFlag
	mac                      mac
}

func newServeCmd(o *options) *cobra.Command {
	f := serveFlags{mac: thisMac()}
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Answer OpenAI clients from a model, or from a simulated machine",
		Long:    serveLong,
		Example: serveExample,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServe(cmd, o, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on `HOST:PORT`")
	flags.StringVar(&f.machine, "machine", "", "the machine to simulate, or what to believe of the model's: a `name` of the library or a file")
	flags.Float64Var(&f.speed, "speed", 1, "how many times faster than the machine to simulate")
	flags.StringVar(&f.load, "load", "chat", "the `kind` of text that the machine's drafts fare as")
	flags.Float64Var(&f.noise, "noise", 0, "sigma of the noise on the machine's times, 0 to 2")
	f.modelFlags.add(flags, "answer from")
	f.addWarmUp(flags)
	flags.StringVar(&f.name, "name", "", "the model's name to clients")
	flags.StringArrayVar(&f.keys, "api-key", nil, "serve only who has this `KEY` (repeatable)")
	flags.StringVar(&f.keyFile, "api-key-file", "", "read keys from `FILE`, one a line; nobody else may read it")
	flags.BoolVar(&f.metricsOpen, "metrics-open", false, "serve /metrics without a key")
	flags.BoolVar(&f.allowRemote, "allow-remote", false, "listen on other addresses than this machine's without a key")
	flags.BoolVar(&f.allowChanges, "allow-changes", false, "let clients change settings while the server runs, by POST /settings")
	flags.StringVar(&f.events, "events", "", "write every event to `FILE` as JSON lines")
	flags.StringVar(&f.record, "record", "", "record all that the scheduler sees and decides in `FILE`, for 'tfsim replay'")
	flags.StringArrayVar(&f.set, "set", nil, "set `NAME=VALUE` over the environment (repeatable)")
	flags.DurationVar(&f.grace, "grace", 30*time.Second, "how long replies may go on once the server is told to end")
	f.settings = addSettings(flags)
	_ = cmd.RegisterFlagCompletionFunc("machine", cobra.FixedCompletions(costmodel.Library(), cobra.ShellCompDirectiveDefault))
	_ = cmd.RegisterFlagCompletionFunc("set", completeSettings)
	return cmd
}

func runServe(cmd *cobra.Command, o *options, f *serveFlags) error {
	if err := f.meant(cmd.Flags().Changed); err != nil {
		return usage(err)
	}
	if err := distinctFiles(cmd, filesRead(nil, nil, f.machine)); err != nil {
		return usage(err)
	}
	values, err := f.values(os.Environ())
	if err != nil {
		return usage(err)
	}
	keys, err := f.apiKeys()
	if err != nil {
		return usage(err)
	}
	if err := f.local(keys); err != nil {
		return usage(err)
	}
	if err := f.possible(); err != nil {
		return usage(err)
	}
	ctx, stop := untilInterrupt(cmd.Context())
	defer stop()
	loaded := newProgress(o, cmd.ErrOrStderr(), "loading").waiting()
	s, err := f.device(ctx, values)
	loaded()
	if err != nil {
		return orInterrupted(ctx, err, stillLoading)
	}
	defer func() { _ = s.device.Close() }()
	for _, n := range s.notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "tfsim: %s\n", n)
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return usage(fmt.Errorf("--addr: %w", err))
	}
	defer func() { _ = listener.Close() }()
	events, err := newEventFile(f.events)
	if err != nil {
		return usage(err)
	}
	defer events.discard()
	options := engine.Options{Config: s.config, CacheBytes: s.cache}
	if f.record != "" {
		file, err := os.Create(f.record)
		if err != nil {
			return usage(fmt.Errorf("--record: %w", err))
		}
		defer func() { _ = file.Close() }()
		options.Record, options.Note = file, s.belief
	}
	notes := make(chan string, 64)
	options.Notes = notes
	defer printNotes(cmd.ErrOrStderr(), notes)()
	live, err := engine.Start(s.device, options)
	if err != nil {
		return usage(err)
	}
	defer func() { _ = live.Close() }()
	recorded := recordEvents(live, events)
	srv, err := server.New(server.Options{
		Live: live, Tokenizer: s.device, Model: s.name, Keys: keys, MetricsOpen: f.metricsOpen, Grace: f.grace,
		Readings: f.mac.watchThermal(ctx, thermalPause, live.Note),
		Settings: &server.Settings{Values: values, Configure: s.configure, Unset: settings.Unset(s.base), Changes: f.allowChanges},
	})
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "serving %s at http://%s/v1: %s\n", s.name, listener.Addr(), s.describe(live, srv))
	err = srv.Serve(ctx, listener)
	return errors.Join(err, <-recorded)
}

// meant refuses times that are none, and flags given for the other kind of
// device: nothing would read them.
func (f *serveFlags) meant(given func(string) bool) error {
	if f.grace <= 0 {
		return fmt.Errorf("--grace %v: want over 0", f.grace)
	}
	if err := f.check(); err != nil {
		return err
	}
	others, only := []string{"drafter", "llama-lib", "exact", "threads", "gpu-layers", "device-timeout", "warm-up"}, "is for --model: a simulated machine has none"
	if f.model != "" {
		others, only = []string{"speed", "noise", "load"}, "is for a simulated machine: --model answers from a real one"
	}
	for _, name := range others {
		if given(name) {
			return fmt.Errorf("--%s %s", name, only)
		}
	}
	return nil
}

// possible says what would fail once the model is loaded, which takes long: an
// address that is taken, a folder that is missing or in a file's place.
func (f *serveFlags) possible() error {
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	_ = listener.Close()
	for _, to := range []struct{ flag, file string }{{"record", f.record}, {"events", f.events}} {
		if to.file == "" {
			continue
		}
		if err := draw.CanBe(to.file); err != nil {
			return fmt.Errorf("--%s: %w", to.flag, err)
		}
	}
	return nil
}

// local refuses an address that others reach, unless there are keys or it is
// asked for.
func (f *serveFlags) local(keys []string) error {
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return fmt.Errorf("--addr %q: want HOST:PORT", f.addr)
	}
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && ip.IsLoopback() || len(keys) > 0 || f.allowRemote {
		return nil
	}
	return fmt.Errorf("--addr %s is not this machine's alone: give --api-key, or --allow-remote to serve everybody", f.addr)
}

// apiKeys gathers the keys of the flags, the file and the environment.
func (f *serveFlags) apiKeys() ([]string, error) {
	var keys []string
	for _, k := range f.keys {
		if strings.TrimSpace(k) == "" {
			return nil, errors.New("--api-key: blank")
		}
		keys = append(keys, k)
	}
	for _, name := range apiKeyVariables {
		if k := strings.TrimSpace(os.Getenv(name)); k != "" {
			keys = append(keys, k)
		}
	}
	if f.keyFile == "" {
		return keys, nil
	}
	info, err := os.Stat(f.keyFile)
	if err != nil {
		return nil, fmt.Errorf("--api-key-file: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("--api-key-file: %s is readable by others (mode %04o); want 0600", f.keyFile, mode)
	}
	data, err := os.ReadFile(f.keyFile)
	if err != nil {
		return nil, fmt.Errorf("--api-key-file: %w", err)
	}
	found := 0
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			keys = append(keys, line)
			found++
		}
	}
	if found == 0 {
		return nil, fmt.Errorf("--api-key-file: %s has no key", f.keyFile)
	}
	return keys, nil
}

// values are the settings: those of the environment, over them those of flags,
// over them those of --set.
func (f *serveFlags) values(environ []string) (settings.Values, error) {
	v, err := fromEnvironment(environ)
	if err != nil {
		return v, err
	}
	for _, s := range f.settings {
		if s.given {
			if err := v.SetFrom(s.name, s.text, "flag"); err != nil {
				return v, err
			}
		}
	}
	return v, setAll(&v, f.set)
}
