package tune

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
)

// Journal is a runner that keeps what units gave in a file, and plays only
// those that the file does not have. Each line is a checksum and a JSON value:
// the first says what is studied, each other has a unit and its sample.
type Journal struct {
	path  string
	file  *os.File
	known map[string]Sample
	next  Runner
}

// OpenJournal opens the journal at path, or begins one.
// Of a journal that was cut short the last line is left out. One that is
// damaged otherwise, or of another question, other files or another program,
// is refused.
func OpenJournal(path, program string, b *Bundle) (*Journal, error) {
	j := &Journal{path: path, known: map[string]Sample{}}
	var err error
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	if info, err := j.file.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = j.file.Close()
		return nil, cmp.Or(err, fmt.Errorf("%s is no regular file", path))
	}
	if err := j.load(heading(program, b)); err != nil {
		_ = j.file.Close()
		return nil, err
	}
	return j, nil
}

// Over is the journal as a runner, which has next play what is missing.
func (j *Journal) Over(next Runner) Runner {
	j.next = next
	return j
}

// Known is the number of units that the journal has.
func (j *Journal) Known() int { return len(j.known) }

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// Run gives what is known, has the rest played and keeps it.
func (j *Journal) Run(ctx context.Context, units []Unit, done func(int, Sample, error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var rest []Unit
	var places []int
	for i, u := range units {
		if s, ok := j.known[u.key()]; ok {
			done(i, s, nil)
			continue
		}
		rest, places = append(rest, u), append(places, i)
	}
	if len(rest) == 0 {
		return nil
	}
	var failed error
	err := j.next.Run(ctx, rest, func(k int, s Sample, err error) {
		if err == nil && failed == nil {
			j.known[rest[k].key()] = s
			if failed = j.write(entry{rest[k], s}); failed != nil {
				cancel(failed)
			}
		}
		done(places[k], s, err)
	})
	return errors.Join(failed, err)
}

// entry is a line of a journal after the first.
type entry struct {
	Unit   Unit   `json:"unit"`
	Sample Sample `json:"sample"`
}

func (u Unit) key() string { return u.Point.key() + "\x00" + strconv.Itoa(u.Seed) }

// head is a journal's first line: what decides the samples, by name.
type head struct {
	Journal string      `json:"journal"`
	Of      [][2]string `json:"of"`
}

const journalName = "tfsim tune"

func heading(program string, b *Bundle) head {
	h := head{Journal: journalName}
	add := func(name string, values ...string) { h.Of = append(h.Of, [2]string{name, fmt.Sprintf("%q", values)}) }
	add("program", program)
	for i, f := range b.Files {
		add(fmt.Sprintf("file %d", i+1), f.Name, "sha256 "+f.SHA256)
	}
	q := &b.Question
	add("objective", q.Objectives...)
	add("--subject-to", q.SubjectTo...)
	add("--robust", q.Robust)
	add("--only", q.Only...)
	add("--fix", q.Fix...)
	add("--case", q.Cases...)
	add("--machine", q.Machine)
	add("--noise", given(q.Noise)...)
	add("--seed", given(q.Seed)...)
	return h
}

func given[T any](p *T) []string {
	if p == nil {
		return nil
	}
	return []string{fmt.Sprint(*p)}
}

// differs names the first thing in which two studies differ.
func (h head) differs(other head) string {
	for i := range max(len(h.Of), len(other.Of)) {
		var a, b [2]string
		if i < len(h.Of) {
			a = h.Of[i]
		}
		if i < len(other.Of) {
			b = other.Of[i]
		}
		if a != b {
			name := a[0]
			if name == "" {
				name = b[0]
			}
			return fmt.Sprintf("its %s is %s, here it is %s", name, b[1], a[1])
		}
	}
	return ""
}

var checksums = crc32.MakeTable(crc32.Castagnoli)

// write appends a line in one piece.
func (j *Journal) write(value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = j.file.WriteString(line(data))
	return err
}

// line is a JSON value behind its checksum.
func line(data []byte) string { return fmt.Sprintf("%08x %s\n", crc32.Checksum(data, checksums), data) }

// load reads the file and leaves it ready to be appended to.
func (j *Journal) load(want head) error {
	data, err := json.Marshal(want)
	if err != nil {
		return err
	}
	first := line(data)
	in := bufio.NewReader(j.file)
	size := int64(0) // of the whole lines
	for n := 1; ; n++ {
		text, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			switch {
			case n == 1:
				return j.begin(first, text)
			case text == "":
				return nil
			}
			// What a line cut short has is played again.
			return j.file.Truncate(size)
		}
		if err != nil {
			return err
		}
		size += int64(len(text))
		if n > 1 && text == first {
			continue // two searches began it at the same time
		}
		if err := j.read(n, text, want); err != nil {
			return fmt.Errorf("%s:%d: %w", j.path, n, err)
		}
	}
}

// begin writes the first line, of which the file may have a part.
func (j *Journal) begin(first, have string) error {
	if !strings.HasPrefix(first, have) {
		return fmt.Errorf("%s:1: %w", j.path, errNoJournal)
	}
	_, err := j.file.WriteString(first[len(have):])
	return err
}

var errNoJournal = errors.New("it is no journal of tfsim tune; name one, or a file that is not there yet")

func (j *Journal) read(n int, text string, want head) error {
	sum, data, ok := strings.Cut(strings.TrimSuffix(text, "\n"), " ")
	whole := ok && sum == fmt.Sprintf("%08x", crc32.Checksum([]byte(data), checksums))
	if n == 1 {
		var have head
		if !whole || json.Unmarshal([]byte(data), &have) != nil || have.Journal != want.Journal {
			return errNoJournal
		}
		if what := want.differs(have); what != "" {
			return fmt.Errorf("it is the journal of another study: %s", what)
		}
		return nil
	}
	var e entry
	if !whole || json.Unmarshal([]byte(data), &e) != nil {
		return errors.New("the journal is damaged here: the line does not agree with its checksum")
	}
	if len(e.Sample.Costs) == 0 {
		return errors.New("the journal is damaged here: the line has no sample")
	}
	j.known[e.Unit.key()] = e.Sample
	return nil
}
