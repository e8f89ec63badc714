package server_test

import (
	"context"
	"flag"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/internal/demopair"
	"github.com/tfsim/tfsim/server"
)

// demo plays at full size what is worth printing.
var demo = flag.Bool("demo", false, "play the demonstrations on the demo pair at full size")

// gpu runs the demo pair on a GPU, with libraries that can.
var gpu = flag.Bool("gpu", false, "run the demo pair on a GPU")

func TestMain(m *testing.M) {
	code := m.Run()
	demopair.Clean()
	os.Exit(code)
}

// pair serves the demo pair through llama.cpp.
func pair(t testing.TB, change func(*engine.Options)) (openai.Client, *llamacpp.Device, *engine.Live) {
	t.Helper()
	o := demopair.Settings(t)
	if *gpu {
		o.GPULayers = -1
	}
	o.Context = 8400
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	d, err := llamacpp.Open(ctx, o)
	demopair.Missing(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })

	c := core.DefaultConfig()
	i := d.Info()
	c.Lanes, c.LaunchRows, c.Block, c.PlainStreams = i.Slots, i.Shapes.LaunchRows, i.DraftDepth, 0
	for c.DraftDepth > 0 && runtime.GOARCH == "amd64" && !i.Holds(1+c.DraftDepth) {
		c.DraftDepth--
	}
	c.Prices, err = costmodel.Unmeasured(i.DraftDepth).Belief(costmodel.BeliefDefault)
	require.NoError(t, err)
	c.Rule, c.Steps, c.StepRows, c.PromptShare = core.RuleMeasured, true, 128, 250_000
	options := engine.Options{Config: c}
	if change != nil {
		change(&options)
	}
	live, err := engine.Start(d, options)
	require.NoError(t, err)
	s, err := server.New(server.Options{Live: live, Tokenizer: d, Model: "pair"})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		end()
		require.NoError(t, <-ended)
	})
	transport := &http.Transport{MaxConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return openai.NewClient(option.WithBaseURL("http://"+listener.Addr().String()+"/v1"), option.WithAPIKey("key"),
		option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: transport})), d, live
}

var beginnings = []string{
	"func main() {\n\tfmt.Println(", "package http\n\nimport (", "The following example shows how to", "SELECT * FROM",
	"// Read reads up to len(b) bytes from the", "for i := range n {\n\tif x[i] < ", "A list is a mutable sequence, typically used to store",
}

func piece(i int) openai.CompletionNewParams {
	p := openai.CompletionNewParams{
		Model: "pair", MaxTokens: openai.Int(int64(10 + i*7%60)), Temperature: openai.Float(0), Seed: openai.Int(int64(i)),
		Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(strings.Repeat(beginnings[i%len(beginnings)]+" ", 1+i%9))},
	}
	if i%2 == 1 {
		p.Temperature = openai.Float(0.8)
	}
	return p
}
