package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/ledger"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/gguf"
	"github.com/tfsim/tfsim/device/sampling"
)

var (
	_ device.Device    = (*llamaDevice)(nil)
	_ device.Tokenizer = (*llamaDevice)(nil)
)

// llamaDevice is a device on llama.cpp.
type llamaDevice struct {
	info    device.Info
	books   *ledger.Ledger
	target  *model
	drafter drafter
	sampler sampling.Sampler

	started time.Time
	worked  time.Duration
	order   []int // windows by slot
	drawn   []device.Token
}

const cpuBackend = "cpu"

func open(s llamacpp.Settings) (*llamaDevice, error) {
	gpu := bestGPU()
	if gpu == 0 {
		s.GPULayers = 0
	}
	backend, dev := cpuBackend, llama.GGMLBackendDeviceByType(llama.GGMLBackendDeviceTypeCPU)
	if s.GPULayers != 0 {
		dev = gpu
		backend = backendName(dev)
	}
	if err := admit(s, backend, dev); err != nil {
		return nil, err
	}
	head, err := gguf.Open(s.Model)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", s.Model, err)
	}
	rule, err := llamacpp.RuleFor(s, backend, runtime.GOARCH, llamacpp.Quantized(head))
	if err != nil {
		return nil, err
	}
	shapes := rule.Shapes(s)
	launch := s.LaunchRows + s.Slots*(shapes.Least+shapes.Multiple)
	z := sizes{
		slots: s.Slots, context: s.Context + launch, rows: max(launch, s.ChunkRows+1), outputs: launch,
		threads: s.Threads, layers: s.GPULayers, exact: rule.Exact(), flash: rule.Flash(),
	}
	d := &llamaDevice{}
	if d.target, err = openModel(s.Model, z); err != nil {
		return nil, err
	}
	weights, err := identity(s.Model)
	if err != nil {
		return nil, err
	}
	d.info = device.Info{
		Name: llama.GGMLBackendDeviceDescription(dev), Backend: backend, Build: "llama.cpp " + build,
		Model: d.target.name(s.Model), Weights: weights,
		Slots: s.Slots, Context: s.Context, Vocabulary: d.target.vocabulary,
		Begin: device.NoToken, ChatTemplate: llama.ModelChatTemplate(d.target.model, ""),
		Shapes: shapes, Promise: rule.Promise(),
	}
	free, total := llama.GGMLBackendDeviceMemory(dev)
	d.info.Memory, d.info.Free = int64(total), int64(free)
	if llama.VocabGetAddBOS(d.target.vocab) {
		d.info.Begin = device.Token(llama.VocabBOS(d.target.vocab))
	}
	for t := range d.info.Vocabulary {
		if llama.VocabIsEOG(d.target.vocab, llama.Token(t)) {
			d.info.Ends = append(d.info.Ends, device.Token(t))
		}
	}
	if err := d.openDrafter(s, z); err != nil {
		return nil, err
	}
	d.info.StateKey = fmt.Sprint("llama.cpp ", build, backend, d.info.Name, llama.PrintSystemInfo(), weights, d.info.Drafter, s.Slots, rule.Kind)
	d.info.StateBytes = d.stateBytes()
	d.books = ledger.New(&d.info)
	d.order = make([]int, 0, s.Slots)
	return d, nil
}

// bestGPU is the first GPU there is, one of its own before one that shares
// the memory; or 0.
func bestGPU() llama.GGMLBackendDevice {
	for _, kind := range []llama.GGMLBackendDeviceType{llama.GGMLBackendDeviceTypeGPU, llama.GGMLBackendDeviceTypeIGPU} {
		if dev := llama.GGMLBackendDeviceByType(kind); dev != 0 {
			return dev
		}
	}
	return 0
}

// backendName is the kind of a device: "metal", "cuda", "vulkan".
func backendName(dev llama.GGMLBackendDevice) string {
	name := strings.ToLower(strings.TrimRight(llama.GGMLBackendDeviceName(dev), "0123456789"))
	if name == "mtl" {
		return "metal"
	}
	return name
}

func (d *llamaDevice) Info() *device.Info { return &d.info }

func (d *llamaDevice) Worked() time.Duration { return d.worked }

func (d *llamaDevice) Close() error {
	d.books.Close()
	return nil
}

// clock starts the time of a call; what it returns ends it.
func (d *llamaDevice) clock() func() {
	d.started = time.Now()
	return d.stop
}

func (d *llamaDevice) stop() { d.worked = time.Since(d.started) }

func failed(err error) error { return fmt.Errorf("%w: %w", device.ErrFailed, err) }

func (d *llamaDevice) Piece(ctx context.Context, slot, from int, tokens []device.Token) (int, error) {
	defer d.clock()()
	s, err := d.books.Piece(slot, from, tokens)
	if err != nil {
		return 0, err
	}
	done, _, err := d.feed(ctx, slot, s, tokens, false)
	return done, err
}

func (d *llamaDevice) Finish(ctx context.Context, slot, from int, tokens []device.Token, o device.FinishOptions) (device.Token, int, error) {
	defer d.clock()()
	s, err := d.books.Finish(slot, from, tokens, o)
	if err != nil {
		return device.NoToken, 0, err
	}
	done, logits, err := d.feed(ctx, slot, s, tokens, true)
	if err != nil {
		return device.NoToken, done, err
	}
	first := o.Known
	if !o.Resumed {
		if first = d.sampler.Draw(logits, o.Sampling, s.Rows); first == device.NoToken {
			return device.NoToken, done, failed(errNoLogits)
		}
	}
	s.Finished(first, o)
	return first, done, nil
}

var errNoLogits = errors.New("the model gave no number to draw by")

// feed runs prompt rows in chunks, looking at the context before each. With
// last it gives the logits of the last row.
func (d *llamaDevice) feed(ctx context.Context, slot int, s *ledger.Slot, tokens []device.Token, last bool) (done int, logits []float32, err error) {
	for done < len(tokens) {
		if err := ctx.Err(); err != nil {
			return done, nil, err
		}
		chunk := tokens[done:min(done+d.info.Shapes.ChunkRows, len(tokens))]
		end := last && done+len(chunk) == len(tokens)
		if logits, err = d.chunk(slot, s.Rows, chunk, end); err != nil {
			return done, nil, failed(err)
		}
		s.Fed(chunk)
		done += len(chunk)
		if !s.NoDraft {
			if err := d.drafter.fed(slot, s); err != nil {
				return done, nil, failed(err)
			}
		}
	}
	return done, logits, nil
}

// chunk runs one chunk. Where windows have at least two rows, a lone row gets a
// second one, thrown away, and the last two rows of a prompt are flagged: their
// sums then go the way those of a window go.
func (d *llamaDevice) chunk(slot, from int, tokens []device.Token, end bool) ([]float32, error) {
	m := d.target
	m.batch.clear()
	least := d.info.Shapes.Least
	rows := max(len(tokens), least)
	for i := range rows {
		t := tokens[min(i, len(tokens)-1)]
		flag := end && i >= min(len(tokens)-1, rows-least)
		if err := m.batch.add(slot, from+i, t, flag); err != nil {
			return nil, err
		}
	}
	logits, err := m.run()
	if err != nil {
		return nil, errors.Join(err, m.cut(slot, from))
	}
	if rows > len(tokens) {
		if err := m.cut(slot, from+len(tokens)); err != nil {
			return nil, err
		}
	}
	if !end {
		return nil, nil
	}
	// Of the flagged rows, which end the batch, that of the last token.
	at := m.batch.flagged - 1 - (rows - len(tokens))
	return logits[at*m.vocabulary : (at+1)*m.vocabulary], nil
}

func (d *llamaDevice) Verify(windows []device.Window, verdicts []device.Verdict) ([]device.Verdict, error) {
	defer d.clock()()
	if err := d.books.Verify(windows); err != nil {
		return verdicts, err
	}
	if err := d.launch(windows); err != nil {
		return verdicts, failed(err)
	}
	logits, err := d.target.run()
	if err != nil {
		for i := range windows {
			err = errors.Join(err, d.target.cut(windows[i].Slot, windows[i].Position))
		}
		return verdicts, failed(err)
	}
	size := 0
	for i := range windows {
		size += 1 + len(windows[i].Drafts)
	}
	d.drawn = slices.Grow(d.drawn[:0], size)[:size]
	start := len(verdicts)
	verdicts = slices.Grow(verdicts, len(windows))[:start+len(windows)]
	room := d.drawn
	for _, i := range d.order {
		w := &windows[i]
		s := d.books.Slot(w.Slot)
		rows := d.info.Shapes.Padded(w.Rows())
		tokens := d.keep(room[:0], logits, w, s)
		if len(tokens) == 0 {
			return verdicts[:start], failed(errNoLogits)
		}
		room = room[1+len(w.Drafts):]
		logits = logits[rows*d.target.vocabulary:]
		if len(tokens) < rows {
			if err := d.target.cut(w.Slot, w.Position+len(tokens)); err != nil {
				return verdicts[:start], failed(err)
			}
		}
		s.Verified(tokens)
		verdicts[start+i] = device.Verdict{Kept: len(tokens) - 1, Tokens: tokens}
	}
	return verdicts, nil
}

// launch fills the batch with the windows, by ascending slot, all flagged.
func (d *llamaDevice) launch(windows []device.Window) error {
	d.order = d.order[:0]
	for i := range windows {
		d.order = append(d.order, i)
	}
	slices.SortFunc(d.order, func(a, b int) int { return windows[a].Slot - windows[b].Slot })
	b := &d.target.batch
	b.clear()
	for _, i := range d.order {
		w := &windows[i]
		t := d.books.Slot(w.Slot).Pending()
		for k := range d.info.Shapes.Padded(w.Rows()) {
			if k > 0 && k <= len(w.Drafts) {
				t = w.Drafts[k-1]
			}
			if err := b.add(w.Slot, w.Position+k, t, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep draws a token after each row for as long as the drafts agree.
func (d *llamaDevice) keep(tokens []device.Token, logits []float32, w *device.Window, s *ledger.Slot) []device.Token {
	n := d.target.vocabulary
	for k := 0; ; k++ {
		t := d.sampler.Draw(logits[k*n:(k+1)*n], s.Sampling, w.Position+1+k)
		if t == device.NoToken {
			return nil
		}
		tokens = append(tokens, t)
		if k == len(w.Drafts) || w.Drafts[k] != t {
			return tokens
		}
	}
}

func (d *llamaDevice) Release(slots ...int) error {
	defer d.clock()()
	if err := d.books.Release(slots); err != nil {
		return err
	}
	var err error
	for _, s := range slots {
		err = errors.Join(err, d.target.cut(s, 0), d.drafter.forget(s))
	}
	if err != nil {
		return failed(err)
	}
	return nil
}
