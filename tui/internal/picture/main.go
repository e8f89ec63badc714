// Command picture draws the dashboard for the project's front page:
//
//	go run ./tui/internal/picture scenarios/long-beside-short.yaml docs/tui.svg
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a scenario file and the picture to write, got %q", args)
	}
	file, err := scenario.Load(args[0])
	if err != nil {
		return err
	}
	var out bytes.Buffer
	o := study.Options{Cases: []string{"reply first"}, Arms: []string{"decode-share"}}
	shot := tui.Shot{At: 3_200_000, Window: 5_000_000, Width: 120, Height: 36, Round: true}
	if err := tui.Picture(&out, file, o, shot); err != nil {
		return err
	}
	return os.WriteFile(args[1], out.Bytes(), 0o644)
}
