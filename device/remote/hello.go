package remote

import (
	"encoding/json"
	"fmt"

	"github.com/tfsim/tfsim/device"
)

// Version is that of the protocol; both ends must have the same.
const Version = 2

// hello is what a server says of its device first. The texts of the
// vocabulary come along, so that replies turn into text without a call.
type hello struct {
	Version   int
	Info      device.Info
	Tokenizes bool
}

func putHello(b []byte, d device.Device) ([]byte, error) {
	tk, ok := d.(device.Tokenizer)
	head, err := json.Marshal(hello{Version: Version, Info: *d.Info(), Tokenizes: ok})
	if err != nil {
		return nil, err
	}
	b = putBytes(b, head)
	if ok {
		for t := range d.Info().Vocabulary {
			b = putBytes(b, tk.AppendText(nil, device.Token(t)))
		}
	}
	return b, nil
}

func (r *body) hello() (h hello, texts []string, err error) {
	if err := json.Unmarshal(r.bytes(), &h); err != nil {
		return h, nil, fmt.Errorf("remote: no greeting: %w", err)
	}
	if h.Version != Version {
		return h, nil, fmt.Errorf("remote: the other end speaks version %d, want %d", h.Version, Version)
	}
	if h.Tokenizes {
		for range h.Info.Vocabulary {
			texts = append(texts, string(r.bytes()))
		}
	}
	return h, texts, r.done()
}
