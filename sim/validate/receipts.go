package validate

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/tfsim/tfsim/core"
)

//go:embed receipts/*.yaml
var receipts embed.FS

// Receipt is one file of published figures.
type Receipt struct {
	Name string
	Data []byte
}

// Shipped are the receipts of the project, by name.
func Shipped() ([]Receipt, error) {
	entries, err := receipts.ReadDir("receipts")
	if err != nil {
		return nil, err
	}
	var all []Receipt
	for _, e := range entries {
		data, err := receipts.ReadFile("receipts/" + e.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, Receipt{e.Name(), data})
	}
	return all, nil
}

// into decodes the receipt.
func (r Receipt) into(v any) error {
	if err := yaml.Unmarshal(r.Data, v); err != nil {
		line, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
		return fmt.Errorf("%s: %s", r.Name, line)
	}
	return nil
}

// fillReceipt is a fill-*.yaml.
type fillReceipt struct {
	Device      string    `yaml:"device"`
	Arms        []fillArm `yaml:"arms"`
	RepeatUnset []fillArm `yaml:"repeat_unset"`
	FirstGapS   float64   `yaml:"reply_first_gap_s"`
	LeadS       float64   `yaml:"long_first_lead_s"`
	ReplyAlone  float64   `yaml:"reply_alone"`
}

type fillArm struct {
	Name       string            `yaml:"name"`
	Env        map[string]string `yaml:"env"`
	Flags      map[string]string `yaml:"flags"`
	Alone      float64           `yaml:"long_ttft_alone"`
	ReplyFirst fillCase          `yaml:"reply_first"`
	LongFirst  fillCase          `yaml:"long_first"`
}

type fillCase struct {
	LongTTFT  float64 `yaml:"long_ttft"`
	ReplyDone float64 `yaml:"reply_done"`
	GapP95    float64 `yaml:"gap_p95_ms"`
	GapMax    float64 `yaml:"gap_max_ms"`
}

// settings of an arm, and its name without the number of the run: runs with
// the same settings are one arm.
func (a fillArm) settings() (name string, set []pair) {
	for k, v := range a.Env {
		set = append(set, pair{k, v})
	}
	for k, v := range a.Flags {
		set = append(set, pair{k, v})
	}
	if len(set) == 0 {
		return "base", nil
	}
	return runNumber.ReplaceAllString(a.Name, ""), set
}

var runNumber = regexp.MustCompile(`-\d+$`)

// concurrentReceipt is concurrent-m5-ultra.yaml.
type concurrentReceipt struct {
	Device string `yaml:"device"`
	Cells  []struct {
		Streams  int       `yaml:"streams"`
		T        float64   `yaml:"T"`
		Load     string    `yaml:"load"`
		NoDrafts []float64 `yaml:"no_drafts"`
		Priced   []float64 `yaml:"priced"`
		Earlier  []float64 `yaml:"earlier"`
	} `yaml:"cells"`
	Single []struct {
		Prompt   string    `yaml:"prompt"`
		T        float64   `yaml:"T"`
		NoDrafts []float64 `yaml:"no_drafts"`
		Earlier  []float64 `yaml:"earlier"`
	} `yaml:"single_stream"`
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func seconds(s float64) core.Micros { return core.Micros(s*1e6 + 0.5) }
