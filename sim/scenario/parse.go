package scenario

import (
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

func (p *parser) scenario(n ast.Node) *File {
	f := &File{Path: p.file}
	o := p.object(n, scenarioKeys)
	if o == nil {
		return f
	}
	f.Name, f.About = baseName(p.file), o.text("about")
	if o.given("name") {
		f.Name = o.name("name")
	}
	f.Machine, f.MachinePos = o.name("machine"), o.pos("machine")
	if isFile(f.Machine) {
		f.Machine, f.MachineFile = p.path(f.Machine), true
	}
	f.Server = p.server(o)
	f.Settings = o.settings("settings")
	f.Worlds = p.worlds(o)
	for _, n := range o.items("cases", "cases") {
		f.Cases = append(f.Cases, p.oneCase(n))
	}
	if len(f.Cases) == 0 {
		p.fail(o.pos("cases"), "no cases", "[]", "a scenario has one case or more")
	}
	for _, n := range o.items("arms", "arms") {
		f.Arms = append(f.Arms, p.arm(n))
	}
	if len(f.Arms) == 0 {
		f.Arms = []Arm{{Pos: o.at, Name: "base"}}
	}
	for _, n := range o.items("expect", "claims") {
		f.Expect = append(f.Expect, p.expect(n))
	}
	return f
}

// isFile says whether a machine is meant as a file rather than a library name.
func isFile(machine string) bool {
	ext := strings.ToLower(filepath.Ext(machine))
	return strings.ContainsAny(machine, `/\`) || ext == ".yaml" || ext == ".yml"
}

func (p *parser) server(of *object) (s Server) {
	if !of.given("server") {
		return s
	}
	o := p.object(of.values["server"], serverKeys)
	if o == nil {
		return s
	}
	place := func(key string) Pos {
		if o.given(key) {
			return o.pos(key)
		}
		return Pos{}
	}
	s.Parallel, s.ParallelPos = o.length("parallel"), place("parallel")
	s.Context, s.ContextPos = o.length("context"), place("context")
	s.PromptCacheGiB, s.CachePos = o.number("prompt_cache_gib", cacheSpan, 0), place("prompt_cache_gib")
	return s
}

func (p *parser) worlds(o *object) []World {
	switch one, many := o.given("world"), o.given("worlds"); {
	case one && many:
		p.fail(o.pos("worlds"), "both world and worlds", "worlds", "one of the two")
		return nil
	case many:
		var worlds []World
		for _, n := range o.items("worlds", "worlds") {
			w := p.world(n)
			if w.Name == "" {
				p.fail(w.Pos, "a world without a name", "name", "each of several worlds has one")
			}
			worlds = append(worlds, w)
		}
		if len(worlds) == 0 {
			p.fail(o.pos("worlds"), "no worlds", "[]", "one world or more")
		}
		return worlds
	case one:
		return []World{p.world(o.values["world"])}
	}
	return []World{PlainWorld()}
}

// PlainWorld is the one world of a file that names none.
func PlainWorld() World {
	return World{Seed: 1, Drafts: DraftsSampled, Rows: 1, Pass: 1, Chunk: 1, Confidence: 1}
}

func (p *parser) world(n ast.Node) World {
	w := World{Pos: posOf(n)}
	o := p.object(n, worldKeys)
	if o == nil {
		return w
	}
	w.Name = o.name("name")
	w.Seed = uint64(o.whole("seed", 0, maxSeed, 1))
	w.Noise = o.number("noise", noiseSpan, 0)
	w.Drafts = Drafts(o.oneOf("drafts", string(DraftsSampled), string(DraftsExpected)))
	w.Rows = o.number("rows", factorSpan, 1)
	w.Pass = o.number("pass", factorSpan, 1)
	w.Chunk = o.number("chunk", factorSpan, 1)
	w.Confidence = o.number("confidence", factorSpan, 1)
	w.Heat = o.number("heat", heatSpan, 0)
	return w
}

func (p *parser) arm(n ast.Node) Arm {
	a := Arm{Pos: posOf(n)}
	if o := p.object(n, armKeys); o != nil {
		a.Name = o.name("name")
		a.Env, a.Flags = o.settings("env"), o.settings("flags")
	}
	return a
}

// settings reads a mapping of setting names to scalars, in order.
func (o *object) settings(key string) []Setting {
	if !o.given(key) {
		return nil
	}
	p := o.p
	n := p.resolve(o.values[key])
	if n == nil {
		return nil
	}
	entries, ok := pairs(n)
	if !ok {
		p.fail(o.pos(key), key+" is not a mapping", kindOf(n), "settings as NAME: value")
		return nil
	}
	var out []Setting
	p.entries(entries, func(name string, at Pos, v ast.Node) bool {
		place := posOf(v)
		if v = p.resolve(v); v == nil {
			return false
		}
		text, ok := scalarText(v)
		if !ok {
			p.fail(place, "the value of "+name+" is not a scalar", kindOf(v), "a text, a number or a truth value")
			return false
		}
		out = append(out, Setting{Pos: at, Name: name, Value: Value{Text: text, Pos: place}})
		return true
	})
	return out
}
