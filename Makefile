# A thin front: every target sets the machine up (tools/setup), calls CMake's presets and says what it did.
# The build itself is described in CMakeLists.txt and CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help setup build demo test check format ablate bench soak fuzz page pictures install clean
MAKEFLAGS += --no-print-directory

JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
DEMO   ?= examples/scenes/docking.json
DEMO_OUT ?= results/demo
PRODUCTS = carom carom_cli

help: ## this list
	@echo "carom: contact and impact dynamics. Targets:"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2> /dev/null || \
	    sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1: \2/p' $(MAKEFILE_LIST)

setup:
	@tools/setup build

# Only what users run; the tests are built by `make test`. CMake runs when there are no build files yet or the presets have
# changed; every other change ninja notices by itself. What both print is in build/build.log; when they fail, on the screen.
build: setup ## build/bin/carom and libcarom.so, optimised
	@mkdir -p build
	@echo "building carom (build/build.log tells how far it is)"
	@{ { test build/build.ninja -nt CMakePresets.json || \
	       { cmake --preset release && touch build/build.ninja; }; } && \
	   cmake --build build --parallel $(JOBS) --target $(PRODUCTS); } > build/build.log 2>&1 || \
	    { grep -m 20 -n -i -A 12 'error\|FAILED' build/build.log || tail -n 30 build/build.log; exit 1; } >&2

demo: build ## set up, build and run the demonstration; says where its page is
	@rm -f $(DEMO_OUT)/report.html
	build/bin/carom run $(DEMO) -o $(DEMO_OUT)
	@test -s $(DEMO_OUT)/report.html || { echo "$(DEMO_OUT)/report.html was not written" >&2; exit 1; }
	@echo "open $(DEMO_OUT)/report.html in a browser"

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

page: ## make viewer/dist/page.html anew, after a change of the viewer
	@tools/setup page
	@tools/check_page --update

pictures: ## make the pictures of the documentation again
	$(call run,tools/pictures,docs)

install: build ## install under PREFIX (default /usr/local)
	cmake --install build --prefix $(PREFIX)

clean: ## remove everything built; results stay
	rm -rf build
