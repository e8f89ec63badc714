package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	draw "github.com/tfsim/tfsim/report"
)

// costsFile is where the calibrated costs of a device, its weights and threads
// are kept.
func costsFile(i *device.Info, threads int) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to keep costs in: %w", err)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %d", i.StateKey, threads))
	return filepath.Join(dir, "tfsim", "costs", hex.EncodeToString(key[:8])+".yaml"), nil
}

// calibrated reads the costs that 'tfsim calibrate' measured; nil for none.
func calibrated(i *device.Info, threads int) (*costmodel.Table, error) {
	file, err := costsFile(i, threads)
	if err != nil {
		return nil, nil //nolint:nilerr // where nothing can be kept, nothing is
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return costmodel.Parse(file, data)
}

// canKeepCosts is canHoldCosts for the file of costsFile, whose folder it makes.
func canKeepCosts(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return canHoldCosts(file)
}

// canHoldCosts says why a file cannot be written, and leaves nothing behind. What
// is no regular file is not tried: whoever reads a pipe would take that for all.
func canHoldCosts(file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	f, err := draw.Create(file)
	f.Discard()
	return err
}

// writeCosts writes a table of costs: it is whole there, or not at all.
func writeCosts(file string, t *costmodel.Table) error {
	f, err := draw.Create(file)
	if err != nil {
		return err
	}
	defer f.Discard()
	return errors.Join(t.WriteJSON(f), f.Keep())
}
