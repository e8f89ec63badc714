# `make help` lists the targets. They need Go, make and the usual text tools;
# `make check` also needs a C compiler for the race detector, and fetches the
# linter once into .bin.

SHELL := bash

GO ?= go
# How long each fuzz target runs, and how often each benchmark does.
FUZZTIME ?= 20s
COUNT ?= 6
# Benchmarks to run, as a pattern.
BENCH ?= .

GOLANGCI_LINT_VERSION := v2.15.0
BENCHSTAT_VERSION := v0.0.0-20260908200009-22c9c6c9d4da

# The folders that have benchmarks.
BENCHED = $(or $(shell grep -rlE --include='*_test.go' '^func Benchmark' . | sed 's|/[^/]*$$||' | sort -u),./...)

BIN := $(CURDIR)/.bin
LINTER := $(BIN)/golangci-lint-$(GOLANGCI_LINT_VERSION)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@sed -unE 's/^([a-z-]+):.*## (.*)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r name text; do printf '  %-12s %s\n' "$$name" "$$text"; done

.PHONY: demo
demo: ## what one long prompt does to a running reply, and what helps
	$(GO) run ./cmd/tfsim scenario scenarios/long-beside-short.yaml

.PHONY: build
build: ## build ./tfsim
	$(GO) build -o tfsim ./cmd/tfsim

.PHONY: test
test: ## run the tests
	$(GO) test ./...

.PHONY: check
check: format vet lint race darwin ## all that a change must pass besides the tests

.PHONY: format
format: ## say which files gofmt would change
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi

.PHONY: vet
vet: ## build everything and run go vet
	$(GO) build ./...
	$(GO) vet ./...

.PHONY: lint
lint: $(LINTER) ## run the linters of .golangci.yml
	$(LINTER) run ./...

$(LINTER):
	@mkdir -p $(BIN)
	GOFLAGS= GOBIN=$(BIN) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	@mv $(BIN)/golangci-lint $@

.PHONY: race
race: ## run the tests with the race detector
	$(GO) test -race ./...

.PHONY: darwin
darwin: ## check that it builds for a Mac
	GOOS=darwin GOARCH=arm64 $(GO) build ./...
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...

# Results go to .bench/new.txt and are compared with .bench/old.txt, if there
# is one: `make bench bench-keep` before a change, `make bench` after it.
.PHONY: bench
bench: ## run the benchmarks in full and compare with those kept
	@mkdir -p .bench
	set -o pipefail; $(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 60m $(BENCHED) | tee .bench/new.txt
	@if [ -f .bench/old.txt ]; then $(GO) run golang.org/x/perf/cmd/benchstat@$(BENCHSTAT_VERSION) .bench/old.txt .bench/new.txt; fi

.PHONY: bench-keep
bench-keep: ## keep the last benchmark results to compare with
	cp .bench/new.txt .bench/old.txt

.PHONY: bench-brief
bench-brief: ## run every benchmark briefly
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime 50ms $(BENCHED)

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@set -euo pipefail; \
	{ grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . || true; } | sort | while IFS=: read -r file target; do \
		target=$${target#func }; \
		echo "fuzz $$target in $$(dirname "$$file")"; \
		$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" < /dev/null; \
	done

.PHONY: docs
docs: ## regenerate docs/settings.md
	$(GO) run ./cmd/tfsim settings --docs

.PHONY: clean
clean: ## remove what the targets made
	rm -rf .bin .bench tfsim

# llama.cpp's libraries for this platform, or for LLAMA=linux-x64-vulkan,
# linux-x64-cuda, … . They go to .llama, which git does not see. The program
# that loads them needs libffi.so.8: on Debian and Ubuntu, apt install libffi8.
.PHONY: llama
llama: ## fetch the llama.cpp libraries and build the program for them
	$(GO) run ./device/llamacpp/fetch -package '$(LLAMA)'
	CGO_ENABLED=0 $(GO) build -o .llama/tfsim-llama ./cmd/tfsim-llama

# Needs make llama. Some minutes on an idle machine; the ratios say more than
# the times. GPU=1 plays it on a GPU.
.PHONY: live-demo
live-demo: ## a long prompt beside a reply, and drafts against none, on the demo pair
	set -o pipefail; TFSIM_LLAMA='$(CURDIR)/.llama/tfsim-llama' $(GO) test ./server \
		-run 'TestModelLongPrompt|TestModelDrafts' -demo $(if $(GPU),-gpu) -v -count 1 -timeout 30m | \
		sed -unE 's/^ *model_[a-z]*_test.go:[0-9]+: //p; /^(FAIL|--- FAIL|panic)/p'

# Needs make llama. A minute and a half on a machine that does nothing else.
.PHONY: compare-demo
compare-demo: ## calibrate, serve and record the demo pair; how far a simulation of it is from what was measured
	set -o pipefail; $(GO) test ./cmd/tfsim -run TestModelCompare -demo -v -count 1 | sed -E '/^(===|--- PASS|PASS|ok)/d'

.PHONY: picture
picture: ## draw the dashboard again as docs/tui.svg
	$(GO) run ./tui/internal/picture scenarios/long-beside-short.yaml docs/tui.svg

.PHONY: tune-demo
tune-demo: ## search the settings for a reply beside a long prompt, on two machines
	$(GO) run ./cmd/tfsim tune scenarios/long-beside-short.yaml \
		--objective 'min done_s(reply)' --subject-to 'ttft_s(long) <= 1.05 * base'
	$(GO) run ./cmd/tfsim tune scenarios/long-beside-short-m3.yaml \
		--objective 'min done_s(reply)' --subject-to 'ttft_s(long) <= 1.05 * base'
