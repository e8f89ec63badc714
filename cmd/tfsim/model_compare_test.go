package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/internal/demopair"
	"github.com/tfsim/tfsim/sim/recorded"
)

// demo plays at full size what is worth printing.
var demo = flag.Bool("demo", false, "play the demonstrations on the demo pair at full size")

// traffic is some mixed requests: prompts of code and prose, most short and some
// long, replies of all lengths, greedy and drawn, at times that a crowd comes at.
type traffic struct {
	requests int
	gap      time.Duration // in the mean
	longest  int           // bytes of a prompt
}

func (c traffic) play(t *testing.T, url string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for _, pattern := range []string{"../../core/*.go", "../../docs/*.md"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		var all strings.Builder
		for _, f := range files {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			all.Write(data)
		}
		texts = append(texts, all.String())
	}
	var all sync.WaitGroup
	for i := range c.requests {
		text := texts[random.IntN(2)]
		n := min(int(700*random.ExpFloat64())+50, c.longest)
		from := random.IntN(len(text) - n)
		body, err := json.Marshal(map[string]any{
			"prompt": strings.ToValidUTF8(text[from:from+n], ""), "seed": i, "ignore_eos": true,
			"max_tokens": []int{20, 60, 120, 200, 250}[random.IntN(5)], "temperature": []float64{0, 0, 0.8}[random.IntN(3)],
		})
		require.NoError(t, err)
		all.Go(func() {
			response, err := http.Post(url+"/v1/completions", "application/json", bytes.NewReader(body))
			if err == nil {
				_, err = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
			if err != nil || response.StatusCode != http.StatusOK {
				t.Errorf("request %d: %v %v", i, response, err)
			}
		})
		time.Sleep(time.Duration(random.ExpFloat64() * float64(c.gap)))
	}
	all.Wait()
}

// The way from a device to a simulation of it: calibrate, serve and record,
// replay, compare. With -demo it is at full size and its errors are printed:
// on a machine that does nothing else the medians are to be at most 10%.
func TestModelCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it measures a model for seconds")
	}
	o := demopair.Settings(t)
	t.Setenv(llamacpp.ProgramEnv, o.Program)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	load, context, budget := traffic{8, 20 * time.Millisecond, 800}, "1024", "5s"
	if *demo {
		load, context, budget = traffic{60, 800 * time.Millisecond, 9000}, "8192", "1m"
	}
	model := []string{"--model", o.Model, "--drafter", o.Drafter, "--llama-lib", o.Library, "--gpu-layers", "0", "--context", context}
	run := func(args ...string) string {
		t.Helper()
		var out, wrong bytes.Buffer
		code := Execute(args, &out, &wrong)
		demopair.Missing(t, errors.New(wrong.String()))
		require.Zero(t, code, wrong.String())
		return out.String()
	}
	run(append([]string{"calibrate", "--budget", budget}, model...)...)
	record := filepath.Join(t.TempDir(), "run.jsonl")
	url, said, _, stop := serving(t, append(model, "--record", record)...)
	require.Contains(t, said.String(), "calibrated costs")
	load.play(t, url)
	require.Zero(t, stop())
	require.Contains(t, run("replay", record), "decisions, all as recorded\n")

	table := run("compare", record)
	require.True(t, strings.HasPrefix(table, "costs: calibrated on the device\n"), table)
	if *demo {
		fmt.Println(table)
	}
	var c recorded.Comparison
	require.NoError(t, json.Unmarshal([]byte(run("compare", record, "--json")), &c))
	require.Len(t, c.Requests, load.requests)
	for _, r := range c.Requests {
		require.True(t, r.TTFT.Error.Valid && r.Done.Error.Valid && r.Rate.Error.Valid, r.ID)
	}
	require.GreaterOrEqual(t, len(c.Work), 2)
	for _, w := range c.Work {
		require.Positive(t, w.Ratio.Value, w.Kind)
	}
}
