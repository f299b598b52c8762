# A thin front: every target sets the machine up (tools/setup), calls CMake's presets and says what it did.
# The build itself is described in CMakeLists.txt and CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help setup build demo test check format ablate bench soak fuzz pictures install clean
MAKEFLAGS += --no-print-directory

JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
DEMO   ?= $(firstword $(wildcard examples/scenes/docking.json examples/scenes/demo.json))
DEMO_OUT ?= results/demo
PRODUCTS = carom carom_cli

help: ## this list
	@echo "carom: contact and impact dynamics. Targets:"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2> /dev/null || \
	    sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1: \2/p' $(MAKEFILE_LIST)

setup:
	@tools/setup build

# Only what users run; the tests are built by `make test`. CMake runs when there are no build files yet, the presets have
# changed or the viewer's packages have come; every other change ninja notices by itself.
build: setup ## build/bin/carom and libcarom.so, optimised
	@test build/build.ninja -nt CMakePresets.json && test build/build.ninja -nt viewer/node_modules/.package-lock.json || \
	    { cmake --preset release && touch build/build.ninja; }
	@cmake --build build --parallel $(JOBS) --target $(PRODUCTS)

demo: build ## set up, build and run the demonstration; says where its results are
	@test -n "$(DEMO)" || { echo "there is no scene in examples/scenes yet"; exit 1; }
	build/bin/carom run $(DEMO) -o $(DEMO_OUT)
	@echo "results: $(DEMO_OUT)"

# Sanitizers run what is quick; the long validation runs are for the optimised build. CMake runs in any case, since
# packages may have come that were missing when it ran last.
test: ## every test: optimised, under sanitizers; clang builds without warnings and computes the same bits
	@tools/setup test
	@for preset in release dev clang; do cmake --preset $$preset || exit 1; done
	@cmake --build build --parallel $(JOBS)
	@cmake --build build/clang --parallel $(JOBS) --target $(PRODUCTS) state_hashes
	@cmake --build build/dev --parallel $(JOBS)
	ctest --preset dev --no-tests=error
	ctest --preset release --no-tests=error
	tools/state_hashes --build build/clang --check

check: ## only the mechanical checks: layers, headers, names, format, tree
	@tools/setup test
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target carom
	@ctest --preset release -L '^check$$' --no-tests=error

format: ## format all C files as .clang-format says
	@tools/setup test
	@tools/check_format --fix

ablate: ## breaks the program one line at a time: each mutation must break a test (ONLY=name: some of them)
	@tools/setup test
	tests/ablate/run --jobs $(JOBS) $(addprefix --only ,$(ONLY))

# Runs the script $(1) after setting up profile $(2), and fails clearly where it does not exist.
define run
	@test -x $(1) || { echo "$(1) does not exist in this tree"; exit 1; }
	@tools/setup $(2)
	@$(MAKE) build
	$(1)
endef

bench: ## timings of carom and its peers on the same scenes
	$(call run,bench/run,bench)

soak: ## long runs: hours of simulated time, memory and drift watched
	$(call run,tests/soak/run,test)

fuzz: ## feed every reader with mutated files under sanitizers
	$(call run,tests/fuzz/run,test)

pictures: ## make the pictures of the documentation again
	$(call run,tools/pictures,docs)

install: build ## install under PREFIX (default /usr/local)
	cmake --install build --prefix $(PREFIX)

clean: ## remove everything built; results stay
	rm -rf build
