package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Format is how a trace is written.
type Format string

// The formats.
const (
	// Azure is the CSV of the Azure LLM inference traces of 2023 and 2024.
	Azure Format = "azure"
	// BurstGPT is the CSV of BurstGPT, with or without sessions.
	BurstGPT Format = "burstgpt"
	// Mooncake is JSON lines with ids of prompt blocks.
	Mooncake Format = "mooncake"
	// ShareGPT is a JSON array of conversations, without times.
	ShareGPT Format = "sharegpt"
	// Events are what --events writes.
	Events Format = "events"
	// Record is what a server's --record writes.
	Record Format = "record"
)

// Formats are all formats, in the order of explanation.
var Formats = []Format{Azure, BurstGPT, Mooncake, ShareGPT, Events, Record}

// Names are the names of all formats.
func Names() (names []string) {
	for _, f := range Formats {
		names = append(names, string(f))
	}
	return names
}

// Timed says that requests of the format have times of their own.
func (f Format) Timed() bool { return f != ShareGPT }

// marks are the column or key that tells each format from the others. Arrays
// are ShareGPT's.
var marks = []struct {
	key    string
	format Format
}{
	{"ContextTokens", Azure}, {"Request tokens", BurstGPT},
	{"input_length", Mooncake}, {"conversations", ShareGPT}, {"run", Events}, {"at_us", Events}, {"config", Record},
}

// sniffed is how much of a file is looked at.
const sniffed = 1 << 16

// detect says by its beginning which format a file has.
func detect(in *bufio.Reader) (Format, error) {
	head, _ := in.Peek(sniffed)
	head = bytes.TrimSpace(bytes.TrimPrefix(head, bom))
	if len(head) == 0 {
		return "", wrong("no trace: the file is empty", "", "%s", accepted())
	}
	var keys []string
	switch head[0] {
	case '[':
		return ShareGPT, nil
	case '{':
		keys = keysOf(head)
	default:
		line, _, _ := bytes.Cut(head, []byte("\n"))
		keys, _ = fields(bytes.TrimSpace(line), nil)
	}
	for _, m := range marks {
		if slices.Contains(keys, m.key) {
			return m.format, nil
		}
	}
	return "", wrong("no trace of a known format", string(head[:min(len(head), 240)]), "%s", accepted())
}

func accepted() string {
	return "formats are " + strings.Join(Names(), ", ") + ", told by their header or keys"
}

// keysOf are the keys of an object, as far as it is there.
func keysOf(head []byte) (keys []string) {
	dec := json.NewDecoder(bytes.NewReader(head))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	for {
		key, err := dec.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return keys
		}
		keys = append(keys, name)
		if err := dec.Decode(new(json.RawMessage)); err != nil {
			return keys
		}
	}
}
