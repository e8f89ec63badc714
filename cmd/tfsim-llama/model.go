package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// model is a model with a context of its own, which one goroutine drives.
type model struct {
	model      llama.Model
	vocab      llama.Vocab
	ctx        llama.Context
	memory     llama.Memory
	vocabulary int
	batch      batch
	outputs    int
}

// sizes are those of a context.
type sizes struct {
	slots   int
	context int // rows of a slot, with what padding takes
	rows    int // most rows of a batch
	outputs int // most rows of a batch that give logits
	threads int
	layers  int  // on a GPU
	exact   bool // weights are not repacked
	flash   bool // flash attention, where the model has it
}

func openModel(file string, z sizes) (*model, error) {
	p := llama.ModelDefaultParams()
	p.NGpuLayers = int32(z.layers)
	if z.layers < 0 {
		p.NGpuLayers = 1 << 20
	}
	if z.exact {
		p.UseExtraBufts = 0
	}
	if z.layers == 0 {
		// An empty list: else large batches go to a GPU even so.
		none := []llama.GGMLBackendDevice{0}
		if err := p.SetDevices(none); err != nil {
			return nil, err
		}
		defer runtime.KeepAlive(none)
	}
	m := &model{outputs: z.outputs}
	var err error
	if m.model, err = llama.ModelLoadFromFile(file, p); err != nil {
		return nil, fmt.Errorf("model %s: %w", file, err)
	}
	if llama.ModelIsRecurrent(m.model) || llama.ModelIsHybrid(m.model) || llama.ModelIsDiffusion(m.model) || !llama.ModelHasDecoder(m.model) || llama.ModelHasEncoder(m.model) {
		return nil, fmt.Errorf("model %s: %s cannot take back single rows, as refused drafts and padding need", file, llama.ModelDesc(m.model))
	}
	m.vocab = llama.ModelGetVocab(m.model)
	m.vocabulary = int(llama.VocabNTokens(m.vocab))
	c := llama.ContextDefaultParams()
	// A multiple of 256 for each sequence, as the library wants it.
	c.NCtx = uint32(z.slots) * uint32((z.context+255)/256*256)
	c.NBatch, c.NUbatch = uint32(z.rows), uint32(z.rows)
	c.NSeqMax = uint32(z.slots)
	c.NOutputsMax = uint32(z.outputs)
	c.NThreads, c.NThreadsBatch = int32(z.threads), int32(z.threads)
	c.KVUnified = 0
	if z.layers == 0 {
		c.Offload_kqv, c.OpOffload = 0, 0
	}
	c.SwaFull = 1
	c.FlashAttentionType = llama.FlashAttentionTypeAuto
	if z.exact {
		// Never by the library's choice.
		c.FlashAttentionType = llama.FlashAttentionTypeEnabled
	}
	if !z.flash {
		c.FlashAttentionType = llama.FlashAttentionTypeDisabled
	}
	if m.ctx, err = llama.InitFromModel(m.model, c); err != nil {
		return nil, fmt.Errorf("model %s with %d slots of %d rows: %w", file, z.slots, z.context, err)
	}
	if m.memory, err = llama.GetMemory(m.ctx); err != nil {
		return nil, err
	}
	if got := int(llama.NBatch(m.ctx)); got < z.rows {
		return nil, fmt.Errorf("model %s: batches hold %d rows, want %d", file, got, z.rows)
	}
	if got := int(llama.NSeqMax(m.ctx)); got != z.slots {
		return nil, fmt.Errorf("model %s: %d sequences, want %d", file, got, z.slots)
	}
	m.batch = newBatch(z)
	return m, nil
}

// name is the model's own, or the file's.
func (m *model) name(file string) string {
	if s, ok := llama.ModelMetaValStr(m.model, "general.name"); ok && s != "" {
		return s
	}
	return filepath.Base(file)
}

// cut takes back the rows of a slot from one on.
func (m *model) cut(slot, from int) error {
	ok, err := llama.MemorySeqRm(m.memory, llama.SeqId(slot), llama.Pos(from), -1)
	if err == nil && !ok {
		err = fmt.Errorf("the cache cannot take back rows from %d of slot %d", from, slot)
	}
	return err
}

// run decodes the batch and gives the logits of its flagged rows, in order.
func (m *model) run() ([]float32, error) {
	rc, err := llama.Decode(m.ctx, m.batch.b)
	if err != nil {
		return nil, err
	}
	if rc != 0 {
		return nil, fmt.Errorf("llama_decode of %d rows returned %d", m.batch.rows(), rc)
	}
	if m.batch.flagged == 0 {
		return nil, llama.Synchronize(m.ctx)
	}
	logits, err := llama.GetLogits(m.ctx, m.batch.flagged, m.vocabulary)
	if err == nil && logits == nil {
		err = fmt.Errorf("no logits of %d rows", m.batch.flagged)
	}
	return logits, err
}

// identity tells weights apart without reading all of a large file: it hashes
// the size, the first 4 MiB, which hold the description of every tensor, and
// 256 blocks spread over the rest.
func identity(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		return "", err
	}
	const first, block, blocks = 4 << 20, 64 << 10, 256
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, st.Size()); err != nil {
		return "", err
	}
	if _, err := io.CopyN(h, f, min(first, st.Size())); err != nil {
		return "", err
	}
	for i := range int64(blocks) {
		at := first + (st.Size()-first-block)*i/(blocks-1)
		if at < first {
			at = first
		}
		if _, err := io.Copy(h, io.NewSectionReader(f, at, block)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
