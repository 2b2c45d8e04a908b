"""Tries bad conditions at each moment of an exam in Chromium. The exam must come to its end, with each word in its own answer.

Usage: sweep.py BASE RECORDING.wav [--token TOKEN] [--format ID] [--paper ID] [--only CONDITION/MOMENT …] [--at-once N]

BASE is the server's address, RECORDING the candidate's speech. The exam must be as for page-test.py. Prints a table, and exits with 1 if a
cell fails.
"""
import argparse, base64, concurrent.futures, contextlib, json, pathlib, sys, time, urllib.parse, urllib.request
from playwright.sync_api import Error, TimeoutError
from chromium import chromium
from learner import Failed, Learner, until
from line import Line

HERE = pathlib.Path(__file__).parent

# The seconds for which each tone is the loudest in a recording, in pieces of 20 ms, by Goertzel's algorithm.
HEARD = """
    async ([recording, tones]) => {
        const bytes = Uint8Array.from(atob(recording), (each) => each.charCodeAt(0));
        const sound = await new OfflineAudioContext(1, 1, 16000).decodeAudioData(bytes.buffer);
        const samples = sound.getChannelData(0);
        const amplitude = (start, tone) => {
            const coefficient = 2 * Math.cos(2 * Math.PI * tone / 16000);
            let [one, two] = [0, 0];
            for (let at = start; at < start + 320; at++) [one, two] = [samples[at] + coefficient * one - two, one];
            return Math.sqrt(Math.max(0, one * one + two * two - coefficient * one * two)) / 160;
        };
        const seconds = tones.map(() => 0);
        for (let start = 0; start + 320 <= samples.length; start += 320) {
            const heard = tones.map((tone) => amplitude(start, tone));
            const [loudest, next] = heard.toSorted((a, b) => b - a);
            // Speech has some of every tone.
            if (loudest > 0.01 && loudest > 2 * next) seconds[heard.indexOf(loudest)] += 0.02;
        }
        return seconds;
    }
"""

# The page's state at each moment, of the second question or the card.
MOMENTS = {
    "prompt": "exam.dataset.activity === 'examinerSpeaking' && place.includes('Question 2')",
    "answer": "['speaking', 'closing'].includes(exam.dataset.activity) && place.includes('Question 2')",
    "between": "exam.dataset.activity === 'transition' && place.includes('Question 2')",
    "preparation": "exam.dataset.activity === 'preparing'",
}

# The condition holds from before the page is loaded.
START = "from the start"


class Sitting:
    """An exam that is being sat: the page, its line, and the faults of both."""

    def __init__(self, page, line):
        self.page, self.line = page, line
        self.network = page.context.new_cdp_session(page)

    def slow(self, up, down=None):
        self.line.up, self.line.down = up, down or up

    def waits(self, seconds):
        self.page.wait_for_timeout(seconds * 1000)

    def dead(self, seconds):
        self.line.is_dead = True
        self.waits(seconds)
        self.line.is_dead = False

    def offline(self, seconds):
        self.network.send("Network.enable")
        for is_off in (True, False):
            self.network.send(
                "Network.emulateNetworkConditions",
                {"offline": is_off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
            if is_off:
                self.waits(seconds)

    def late(self, seconds):
        self.line.delay = seconds

    def busy(self, times):
        self.network.send("Emulation.setCPUThrottlingRate", {"rate": times})

    def frozen(self, seconds):
        self.network.send("Page.setWebLifecycleState", {"state": "frozen"})
        time.sleep(seconds)
        self.network.send("Page.setWebLifecycleState", {"state": "active"})

    def suspended(self):
        """Suspends the page's audio, as after a telephone call, until its button is pressed."""
        self.page.evaluate("window.contexts.forEach((each) => each.state === 'running' && each.suspend())")
        self.waits(2)
        self.page.locator("#wake").click()

    def unplugged(self):
        self.page.evaluate("candidate.stream.getAudioTracks()[0].dispatchEvent(new Event('ended'))")


CONDITIONS = {
    "64 kbit/s": lambda it: it.slow(8_000),
    "192 kbit/s, samples": lambda it: it.slow(24_000),
    "late by 0.8 s": lambda it: it.late(0.8),
    "dead for 8 s": lambda it: it.dead(8),
    "dead for 40 s": lambda it: it.dead(40),
    "offline for 8 s": lambda it: it.offline(8),
    "CPU six times slower": lambda it: it.busy(6),
    "frozen for 10 s": lambda it: it.frozen(10),
    "sound suspended": lambda it: it.suspended(),
    "microphone gone": lambda it: it.unplugged(),
}
# Conditions that last, and may begin with the page.
LASTING = {"64 kbit/s", "192 kbit/s, samples", "late by 0.8 s", "CPU six times slower"}
# Opus and prefetched clips are made for it, so the exam must never stand still.
NEVER_STILL = {"64 kbit/s"}


def sit(options, condition, moment):
    """Raises `Failed`, in a few words, if something is wrong."""
    address = urllib.parse.urlsplit(options.base)
    line = Line(address.hostname, address.port)
    speech = base64.b64encode(pathlib.Path(options.recording).read_bytes()).decode()
    scripts = f"const SPEECH = '{speech}';\n" + (HERE / "candidate.js").read_text() + CONTEXTS
    if condition.endswith("samples"):
        scripts += "delete window.AudioEncoder;\n"
    with chromium(None, condition, moment) as browser:
        context = browser.context(reduced_motion="no-preference")
        context.add_init_script(scripts)
        someone = Learner(context.new_page(), f"http://127.0.0.1:{line.port}")
        sitting = Sitting(someone.page, line)
        if moment == START:
            CONDITIONS[condition](sitting)
        someone.chooses = {"Exam": options.format, "Questions": options.paper}
        someone.open(options.token)
        someone.starts("Practice")
        someone.presses("button", "Use the microphone")
        someone.sees("button", "Begin the exam")
        with someone.page.expect_response(lambda answer: answer.url.endswith("/v1/exams") and answer.status == 201) as made:
            someone.presses("button", "Begin the exam")
        session = made.value.json()["session"]
        if moment != START:
            someone.page.wait_for_function(
                f"() => {{ const exam = document.querySelector('#exam'), place = document.querySelector('#place').textContent; "
                f"return {MOMENTS[moment]}; }}")
            CONDITIONS[condition](sitting)
        comes_to_its_end(someone.page)
        log, still = someone.page.evaluate("[candidate.log, candidate.stoodStill]")
        if still and condition in NEVER_STILL:
            raise Failed(f"stood still {still} times")
        judge(options, session, log, context.new_page())


# The page's audio contexts, so that they can be suspended.
CONTEXTS = """
window.contexts = [];
const Original = window.AudioContext;
window.AudioContext = class extends Original {
    constructor(...options) {
        super(...options);
        window.contexts.push(this);
    }
};
"""


def comes_to_its_end(page):
    """Acts as a learner who begins after a few seconds of preparation, and resumes suspended sound."""
    shown = None

    def goes_on():
        for button in ("[data-ask=skip][aria-disabled=false]", "#wake"):
            if page.locator(button).is_visible():
                # The exam may continue by itself before the press, and then the button is gone.
                with contextlib.suppress(TimeoutError):
                    page.locator(button).click(timeout=2_000)
        now = page.locator("#place").inner_text() + page.locator(".state").inner_text()
        return page.locator("#results").is_visible() or (now != shown and now)

    # The patience is for each step of the exam, not for all of it.
    while not page.locator("#results").is_visible():
        shown = until(goes_on, f"no end: “{shown}”", page=page)


def judge(options, session, log, blank):
    """Checks that each answer has all of its own question's tone, and no other tone. Listens in an empty page."""
    tones = {entry["place"]: entry["tone"] for entry in log}
    spoken = {}
    for entry in log:
        spoken.setdefault(entry["place"], []).append(entry["seconds"])
    answers = results(options, session)
    last = {}
    for answer in answers:
        last[(answer["part"], answer["order"])] = answer
    wrong = []
    for place, tone in tones.items():
        part, order = place.split("Part ")[1][0], place.split("Question ")[1]
        answer = last.get((int(part), int(order)))
        if not answer:
            wrong.append(f"no answer {part}.{order}")
            continue
        recording = base64.b64encode(fetch(options, answer["recording"])).decode()
        seconds = dict(zip(tones, blank.evaluate(HEARD, [recording, list(tones.values())])))
        others = max((length for each, length in seconds.items() if each != place), default=0)
        if others > 0.15:
            wrong.append(f"{others:.1f} s of another answer in {part}.{order}")
        # A question that was asked again was answered again, and the last answer counts.
        if answer["attempt"] == 1 and answer["end"].split(".")[0] != "timeUp" and seconds[place] < 0.85 * sum(spoken[place]):
            wrong.append(f"{seconds[place]:.1f} of {sum(spoken[place]):.1f} s in {part}.{order}")
    if wrong:
        raise Failed(", ".join(wrong))


def results(options, session):
    return json.loads(fetch(options, f"/v1/sessions/{session}/results"))["answers"]


def fetch(options, path):
    headers = {"Authorization": f"Bearer {options.token}"} if options.token else {}
    return urllib.request.urlopen(urllib.request.Request(options.base + path, headers=headers)).read()


def cell(options, condition, moment):
    """Runs one cell. @returns the failure, or an empty text if it passed"""
    try:
        sit(options, condition, moment)
        return ""
    except (Failed, Error, OSError) as failure:  # The table continues with the next cell.
        said = str(failure).splitlines()[0]
        print(f"{condition} / {moment}: {said}", file=sys.stderr)
        return said


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "recording"):
        parser.add_argument(name)
    for name in ("--token", "--format", "--paper"):
        parser.add_argument(name)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--at-once", type=int, default=2)
    options = parser.parse_args()
    moments = [*MOMENTS, START]
    cells = [(condition, moment) for condition in CONDITIONS for moment in moments if moment != START or condition in LASTING]
    if options.only:
        cells = [each for each in cells if "/".join(each) in options.only or each[0] in options.only]
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        found = dict(zip(cells, pool.map(lambda each: cell(options, *each), cells)))
    print("| condition | " + " | ".join(moments) + " |\n|---" + "|---" * len(moments) + "|")
    for condition in dict.fromkeys(condition for condition, _ in cells):
        row = [found.get((condition, moment)) for moment in moments]
        print(f"| {condition} | " + " | ".join("–" if each is None else each or "went on" for each in row) + " |")
    sys.exit(1 if any(found.values()) else 0)


if __name__ == "__main__":
    main()
