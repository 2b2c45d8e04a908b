# What a person does with Oracy. `make demo` and `make test` set up everything they need on a fresh Debian or Ubuntu with Swift.

PACKAGES = libsndfile1-dev libsamplerate0-dev libssl-dev pkg-config espeak-ng
BUILD = swift build -Xswiftc -warnings-as-errors
ORACY = .build/release/oracy
SCENARIOS = $(sort $(wildcard AudioFixtures/scenarios/*/))

.PHONY: demo test build bench goldens fixtures setup lint format

demo: setup
	swift build -c release --product oracy
	@echo
	@$(ORACY) replay AudioFixtures/scenarios/full-exam
	@echo "listen   paplay $${XDG_CACHE_HOME:-$$HOME/.cache}/oracy/replays/full-exam/takes/part2_q1.opus"

test: setup build
	$(BUILD) --build-tests
	ORACY_RELEASE=$(CURDIR)/$(ORACY) swift test --skip-build

build:
	$(BUILD) -c release --product oracy

bench: PACKAGES += sox
bench: setup
	$(BUILD) -c release --product oracy
	$(BUILD) -c release --product oracy-bench
	$(BUILD) -c release --product codec-reference
	.build/release/oracy-bench

# Makes every scenario's log the expected one: read the diff before you commit it.
goldens: build
	@for scenario in $(SCENARIOS); do $(ORACY) replay $$scenario --no-encode --update > /dev/null || exit; done
	git diff --stat -- AudioFixtures

fixtures: build
	AudioFixtures/make-fixtures

# Installs the C libraries and the examiner's voice where they are missing; twice at most, since apt can be busy.
setup:
	@dpkg -s $(PACKAGES) > /dev/null 2>&1 || { \
		root=$$([ $$(id -u) = 0 ] || echo sudo); \
		install() { $$root apt-get update -qq && $$root apt-get install -y -qq --no-install-recommends $(PACKAGES); }; \
		install || { sleep 20; install; }; }

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

format:
	swift format format --in-place --recursive Package.swift Sources Tests
