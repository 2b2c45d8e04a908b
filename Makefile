# What a person does with Oracy. `make tool`, `make demo` and `make test` set up everything they need on a fresh Debian or Ubuntu with Swift.

PACKAGES = libsndfile1-dev libmpg123-dev libsamplerate0-dev libopus-dev libogg-dev libpulse-dev libssl-dev libcurl4-openssl-dev libsqlite3-dev libexpat1-dev pkg-config espeak-ng
BUILD = swift build -Xswiftc -warnings-as-errors

# Targets that are optimised in debug builds, too: what hears, what reads and writes sound, what measures it.
export ORACY_OPTIMISED = VoiceActivity AudioFiles Assessment
ORACY = .build/release/oracy

# What the server needs beside that; the tool does not.
SERVER = libpq-dev

# What the tests need: servers and browsers of others, what breaks system calls, disks that lose their power; two sound servers and a
# terminal for exams in real time; sox makes recordings of other forms, opus-tools read ours.
TESTS = python3-venv nginx-light openssl strace fuse libfuse2 gcc libc6-dev postgresql chromium firefox-esr $(SERVER) \
	sox opus-tools ffmpeg faketime pulseaudio pulseaudio-utils pipewire-bin pipewire-pulse wireplumber tmux

# Servers of others, for tests of the uploaders: an environment of Python's with packages from PyPI.
TRIALS = .build/trials

# What makes packages for Debian, and a Debian to try them in.
PACKAGING = debhelper dpkg-dev binutils python3 git $(SERVER)
TRYING = mmdebstrap systemd-container util-linux lintian man-db appstream desktop-file-utils curl sox chromium python3-venv shellcheck \
	buildah podman docker-compose postgresql

# Others' detectors, for the benchmark: an environment of Python's with packages from PyPI, and WebRTC's source in C.
PEERS = .build/peers
WEBRTC = .build/webrtcvad

# What the detector's numbers are fitted with: an environment of Python's, pinned, so that the same numbers come out.
TRAINING = .build/training
FROM_PYPI = --quiet --disable-pip-version-check --retries 1 --timeout 20

PICTURE = .build/picture

.PHONY: picture demo tool server deb deb-test deb-again examples test quick flaky check thorough promise sweep races fuzz debug build bench bench-pauses bench-vad intake train-vad train-syllables trials peers pesq webrtc \
	goldens fixtures setup lint format

tool: setup
	swift build -c release --product oracy

# The server, which takes some minutes to build the first time.
server: PACKAGES += $(SERVER)
server: setup
	swift build -c release --product oracy-server

# As fast as it can be built: without the optimiser, without what the server needs, in a folder of its own.
demo: ORACY_OPTIMISED = VoiceActivity AudioFiles
demo: setup
	swift build --product oracy --scratch-path .build/demo --disable-default-traits --disable-index-store -debug-info-format none
	@echo
	@.build/demo/debug/oracy replay AudioFixtures/scenarios/full-exam
	@echo "listen   paplay $${XDG_CACHE_HOME:-$$HOME/.cache}/oracy/replays/full-exam/takes/part2_q1.opus"

# Packages for this release of Debian, without anything of Swift's to install: .build/packages.
deb: PACKAGES += $(PACKAGING)
deb: setup
	@packaging/make-deb

# From `apt install` to a replayed exam and one in Chromium, in a clean Debian; RELEASE=trixie is the next one.
deb-test: RELEASE ?= bookworm
deb-test: PACKAGES += $(PACKAGING) $(TRYING)
deb-test: deb trials
	@packaging/test-packages $(RELEASE) && packaging/test-container $(RELEASE)

# Builds the packages once more, from nothing: the same bytes have to come of it.
deb-again: deb
	@rm -rf .build/packages-again .build/deb && packaging/make-deb .build/packages-again > /dev/null
	@for package in .build/packages/*.deb; do cmp $$package .build/packages-again/$${package##*/} || exit; done
	@echo "the same bytes: $$(ls .build/packages)"

# A little of everything: some twenty minutes on two cores with the build. docs/tests.md says what each part costs, and what `make check`
# tries beside it.
test: PACKAGES += $(TESTS)
test: setup
	@$(MAKE) --jobs 2 trials debug
	@Tests/run quick

# The tests that matter after a change of one target, in a build that holds nothing else: make quick TARGET=ExamCore. SUITES names other
# test targets.
quick: TARGET ?= ExamCore
quick: SUITES ?=
quick: PACKAGES += $(SERVER)
quick: setup
	@Tests/quick $(TARGET) $(SUITES)

# Every group of `make test`, RUNS times on a machine that is kept busy, and each test whose verdict differed. It may be stopped, and
# goes on where it was; ONLY names some of the groups.
flaky: RUNS ?= 10
flaky: ONLY ?=
flaky: PACKAGES += $(TESTS)
flaky: setup
	@$(MAKE) --jobs 2 trials debug
	@RUNS=$(RUNS) Tests/flaky $(ONLY)

# Once a change: as much of everything as is promised, the packages, races, and a million things that are nearly right.
check: thorough deb-test races fuzz

# The suites that try more: seeds, kills and power cuts by the thousand, exams in real time and browsers beyond the first; with the
# counts. ORACY_CHECK=10 tries ten times as much.
thorough: PACKAGES += $(TESTS)
thorough: setup
	@$(MAKE) --jobs 2 trials debug
	@$(MAKE) build
	@ORACY_RELEASE=$(CURDIR)/$(ORACY) Tests/run thorough

# The promise of the queue of uploads, row by row, with counts. ORACY_CHECK=10 breaks ten times as much.
promise: PACKAGES += $(TESTS)
promise: setup
	@$(MAKE) --jobs 2 trials debug
	@Tests/run promise

# Bad lines, devices and machines at each moment of an exam in Chromium: a table.
sweep: PACKAGES += $(TESTS)
sweep: setup
	@$(MAKE) --jobs 2 trials debug
	@Tests/run sweep

# The threads of the queue, of the kit and of live exams on the server, watched by the thread sanitizer: a build of its own.
races: PACKAGES += $(TESTS)
races: setup
	swift build --sanitize=thread --scratch-path .build/races --build-tests
	@Tests/run races

# Things from outside that are nearly right, decoded under the address sanitizer, with counts by kind: some forty minutes after the
# build. CASES=50000 is quick, SEED=7 is what seed 7 was before, KIND=packets is that kind alone. Where it fails, it says which case of
# which seed did. Leaks are not looked for: XCTest has some of its own.
fuzz: CASES ?= 1000000
fuzz: SEED ?=
fuzz: KIND ?=
fuzz: PACKAGES += $(SERVER)
fuzz: setup
	swift build --sanitize=address --scratch-path .build/fuzz --build-tests
	@ORACY_FUZZ=$(CASES) ORACY_FUZZ_SEED=$(SEED) ORACY_FUZZ_KIND=$(KIND) Tests/run fuzz

debug:
	$(BUILD) --build-tests

# A package of its own, with Oracy's libraries built as for the tests: in the same folder, so that they are built once.
examples: PACKAGES += $(SERVER) sox bc python3
examples: setup
	$(BUILD) --package-path Examples --scratch-path .build
	@Examples/try .build/debug

build:
	$(BUILD) -c release --product oracy

# Storage with an S3 API that checks signatures, clients of resumable uploads and of the WebSocket, what drives a browser, what tries a
# description, disks made in Python, readers of subtitles and TextGrids, Praat, a grammar checker, a counter of words, a server of language
# models, a scheduler of flashcards, a reader of GIFT, Anki, ffmpeg's decoders; and a server of resumable uploads, which wants other versions. Where one cannot be installed, the tests that need it are skipped
# and say so.
trials: $(TRIALS)/bin/pip $(TRIALS)/tus/bin/pip
	@cmp -s Makefile $(TRIALS)/made-by || { failed=0; \
	for packages in "swift==2.38.3 keystonemiddleware==13.0.1" "tuspy==1.1.0 aiotus==1.1.0" websockets==17.4 playwright==1.65.2 \
		axe-playwright-python==0.1.8 \
		schemathesis==4.32.5 openapi-spec-validator==0.9.0 jsonschema==4.26.0 fusepy==3.0.1 "webvtt-py==0.5.1 praatio==6.2.2" \
		"praat-parselmouth==0.4.7 numpy==2.4.6" standardwebhooks==1.1.0 "httpx==0.28.1 httpx-sse==0.4.3" harper-py==0.2.0 \
		lexicalrichness==0.5.1 "xllamacpp==2026.10.11549 gguf==0.19.0" fsrs==6.3.2 pygiftparser==1.1 anki==26.9.3 icalendar==7.3.2 av==18.1.0; do \
		$(TRIALS)/bin/pip install $(FROM_PYPI) $$packages >> $(TRIALS)/log 2>&1 \
			|| { failed=1; echo "not installed: $$packages ($(TRIALS)/log)"; }; \
	done; \
	$(TRIALS)/tus/bin/pip install $(FROM_PYPI) resumable-upload==0.3.0 >> $(TRIALS)/log 2>&1 \
		|| { failed=1; echo "not installed: resumable-upload ($(TRIALS)/log)"; }; \
	test $$failed = 1 || cp Makefile $(TRIALS)/made-by; }

# One within the other: made at once, the outer one would find its folder there and give up.
$(TRIALS)/tus/bin/pip: $(TRIALS)/bin/pip

$(TRIALS)/bin/pip $(TRIALS)/tus/bin/pip:
	@python3 -m venv $(@D:/bin=) || echo "other servers have no environment: $(@D:/bin=)"

bench: PACKAGES += sox pulseaudio pulseaudio-utils python3-venv python3-dev gcc libc6-dev $(SERVER)
bench: setup webrtc pesq
	$(BUILD) -c release --product oracy
	$(BUILD) -c release --product oracy-server
	$(BUILD) -c release --product oracy-bench
	$(BUILD) -c release --product codec-reference
	.build/release/oracy-bench

# This detector beside others on labelled speech: ../shared/data/vad, or ORACY_VAD_DATA. VAD="--rows babble --peers none" is quick. The
# first time takes others twenty minutes of two cores; what they heard is kept in .build/peers/heard.
bench-vad: VAD ?= --folds docs/vad-folds --output docs/vad.md
bench-vad: PACKAGES += python3-venv python3-dev gcc libc6-dev libc++1
bench-vad: setup peers
	$(BUILD) -c release --product oracy-bench
	.build/release/oracy-bench vad $(VAD)

# Reads the sound files that other programs test themselves with, from source packages of Debian's and of PyPI's. .build/intake keeps them.
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

# Fits what counts syllables to sentences whose syllables are known: ../shared/data/fluency, or ORACY_FLUENCY.
train-syllables: ORACY_FLUENCY ?= ../shared/data/fluency
train-syllables: PACKAGES += python3-venv libsndfile1
train-syllables: setup $(TRAINING)/bin/pip
	@$(TRAINING)/bin/pip install $(FROM_PYPI) numpy==2.4.6 scipy==1.17.1 soundfile==0.14.0
	$(BUILD) -c release --product oracy-bench
	$(TRAINING)/bin/python Sources/oracy-bench/Training/train_syllables.py $(ORACY_FLUENCY) \
		"Sources/Assessment/Timing/SyllableNuclei+Weights.swift"

$(TRAINING)/bin/pip:
	python3 -m venv $(TRAINING)

# What cannot be installed is missing in the table, which says why. silero-vad wants torch, which its model does not need.
peers: $(PEERS)/bin/pip
	@for package in "setuptools<81" webrtcvad==2.0.10 auditok==0.5.2 ten_vad==1.0.6.9 onnxruntime \
		"--no-deps silero-vad==6.2.3"; do \
		$(PEERS)/bin/pip install $(FROM_PYPI) $$package >> $(PEERS)/log 2>&1 || echo "not installed: $$package ($(PEERS)/log)"; \
	done

$(PEERS)/bin/pip:
	python3 -m venv $(PEERS) || echo "other detectors have no environment: $(PEERS)"

# The flags are those of its own build, with -O2; where it cannot be fetched, the benchmark goes on without it.
webrtc: $(PEERS)/bin/pip
	@mkdir -p $(WEBRTC) && cd $(WEBRTC) && { test -d webrtcvad-2.0.10 || { \
		$(CURDIR)/$(PEERS)/bin/pip download $(FROM_PYPI) --no-binary :all: --no-deps webrtcvad==2.0.10 \
			&& tar xzf webrtcvad-2.0.10.tar.gz; }; } > log 2>&1 \
		&& cc -O2 -DNDEBUG -fwrapv -DWEBRTC_POSIX -Iwebrtcvad-2.0.10/cbits -o webrtc-speed \
			$(CURDIR)/Sources/oracy-bench/Peers/webrtc-speed.c \
			webrtcvad-2.0.10/cbits/webrtc/common_audio/*/*.c >> log 2>&1 || true

# Rates what is heard, as ITU-T P.862.2 does; where it cannot be installed, the benchmark goes on without it.
pesq: $(PEERS)/bin/pip
	@$(PEERS)/bin/pip install $(FROM_PYPI) numpy==2.4.6 pesq==0.0.4 >> $(PEERS)/log 2>&1 || echo "not installed: pesq ($(PEERS)/log)"

# Makes every scenario's log the expected one: read the diff before you commit it.
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

# Installs the C libraries and the examiner's voice where they are missing; twice at most, since apt can be busy.
setup:
	@dpkg -s $(PACKAGES) > /dev/null 2>&1 || { \
		root=$$([ $$(id -u) = 0 ] || echo sudo); \
		export DEBIAN_FRONTEND=noninteractive; \
		install() { $$root apt-get update -qq && $$root apt-get install -y -qq --no-install-recommends $(PACKAGES); }; \
		install || { sleep 20; install; }; }

# The format of Swift, then the wording of comments, documents and messages: Tests/Prose/check.py.
lint:
	swift format lint --strict --recursive Package.swift Sources Tests Examples/Package.swift Examples/Sources
	@python3 Tests/Prose/check.py

format:
	swift format format --in-place --recursive Package.swift Sources Tests Examples/Package.swift Examples/Sources
	@python3 Tests/Prose/check.py --update

# What there is, for whoever types `make` alone.
.DEFAULT_GOAL := help
.PHONY: help
## make demo         builds the tool and replays a whole exam
## make test         builds everything and runs the tests
## make quick        builds and runs the tests of one target: make quick TARGET=ExamCore
## make tool         the command line: .build/release/oracy
## make server       exams in a browser, and for other programs: .build/release/oracy-server
## make examples     builds the programs of Examples, and uses each
## make deb          packages for Debian: .build/packages
## make deb-test     installs, uses, upgrades and purges them in a clean Debian, as root
## make deb-again    builds them again, from nothing, and compares their bytes
## make check        tries far more than make test does, once a change: thorough, deb-test, races, fuzz
## make thorough     the suites that try more, as much as is promised, with counts
## make races        the thread sanitizer over the queue, the kit and live exams
## make fuzz         a million things that are nearly right, under the address sanitizer
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
## make lint         checks the sources' format and the prose; make format mends the format and lowers the prose's baseline
## make setup        installs the system libraries; all of the above do it by themselves
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
