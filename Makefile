# What a person does with Oracy. `make tool`, `make demo` and `make test` set up everything they need on a fresh Debian or Ubuntu with Swift.

PACKAGES = libsndfile1-dev libsamplerate0-dev libpulse-dev libssl-dev pkg-config espeak-ng
BUILD = swift build -Xswiftc -warnings-as-errors
ORACY = .build/release/oracy
SCENARIOS = $(sort $(wildcard AudioFixtures/scenarios/*/))

.PHONY: demo tool test build bench goldens fixtures setup lint format

tool: setup
	swift build -c release --product oracy

demo: tool
	@echo
	@$(ORACY) replay AudioFixtures/scenarios/full-exam
	@echo "listen   paplay $${XDG_CACHE_HOME:-$$HOME/.cache}/oracy/replays/full-exam/takes/part2_q1.opus"

# Exams in real time come last, and by themselves: they need the machine's two cores at the right moment.
test: setup build
	$(BUILD) --build-tests
	ORACY_RELEASE=$(CURDIR)/$(ORACY) swift test --skip-build --skip LiveTests
	swift test --skip-build --filter LiveTests.FaultTable
	swift test --skip-build --no-parallel --filter LiveTests --skip FaultTable

build:
	$(BUILD) -c release --product oracy

bench: PACKAGES += sox pulseaudio pulseaudio-utils
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
