"""Sits a whole short exam in Firefox with a sound server's devices, and tries what differs there: no loudspeaker, an unplugged microphone.

Usage: firefox-test.py BASE RECORDING.wav MOUTH MICROPHONE [--token TOKEN] [--format ID] [--paper ID] [--pictures FOLDER]

BASE is the server's address. RECORDING is played in a loop into the sink MOUTH, whose monitor is the source of MICROPHONE. PULSE_SERVER
names the sound server. The exam must be as for page-test.py. Prints one line of JSON with what was seen. Exits with 1 and one sentence if
the page fails.
"""
import argparse, contextlib, json, re, subprocess, sys, threading
from firefox import Failed, firefox, patience

# Records everything that a learner would see, without changing the page.
WATCH = """(() => {
    window.passed = [];
    const note = () => {
        const words = `${document.querySelector('#headline').textContent} ${document.querySelector('#more').textContent}`.trim();
        if (words && window.passed.at(-1) !== words) window.passed.push(words);
    };
    new MutationObserver(note).observe(document.querySelector('.state'), { childList: true, characterData: true, subtree: true });
})()"""
PASSED = "window.passed.includes({})"
HEADLINE = "document.querySelector('#headline').textContent"


class Device:
    """A device of the sound server, which can be removed and brought back."""

    def __init__(self, name):
        self.name = name

    def unplug(self):
        lines = pactl("list", "short", "modules").splitlines()
        fields = next(line.split("\t") for line in lines if re.search(rf"(sink|source)_name={re.escape(self.name)}(\s|$)", line))
        self._module = fields[1:3]
        pactl("unload-module", fields[0])

    def plug(self):
        pactl("load-module", *self._module)
        pactl("set-default-source", self.name)


def pactl(*arguments):
    return subprocess.run(["pactl", *arguments], capture_output=True, check=True, text=True, timeout=patience.PATIENCE).stdout


@contextlib.contextmanager
def speaking(options):
    """Plays the recording in a loop."""
    is_over = threading.Event()

    def play():
        while not is_over.is_set():
            subprocess.run(["paplay", f"--device={options.mouth}", "--latency-msec=500", options.recording], capture_output=True)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def goes_to_the_microphone(browser, options):
    browser.open(options.base + "/#/speak")
    if options.token:
        browser.until("!document.querySelector('#sign-in').hidden", "the page does not ask who the learner is")
        browser.goes_to("element.id === 'token'")
        browser.types(*options.token)
        browser.types("Enter")
    browser.until("!document.querySelector('#home').hidden", "the first screen did not appear")
    for name in ("format", "paper"):
        if value := getattr(options, name):
            place = f"document.querySelector('#{name}')"
            browser.evaluate(f"({place}.value = {json.dumps(value)}, {place}.dispatchEvent(new Event('change')))")
    browser.goes_to("element.name === 'mode'")
    browser.types("ArrowDown")
    browser.presses("I agree")
    browser.presses("Go on to the microphone")
    browser.presses("Use the microphone")


def finds_no_loudspeaker(options):
    """Firefox without a loudspeaker never says that it can't play audio. The page says so within seconds."""
    with firefox("no loudspeaker", {"media.navigator.streams.fake": True}, {"PULSE_SERVER": "unix:/nowhere"}) as browser:
        goes_to_the_microphone(browser, options)
        return browser.until(
            "!document.querySelector('#problem').hidden && document.querySelector('#problem').textContent",
            "that there is no sound was not said")


def sits(options):
    seen = {}
    with firefox("exam") as browser, speaking(options):
        goes_to_the_microphone(browser, options)
        browser.until("!document.querySelector('#listening').hidden", "the microphone is not heard")
        browser.until("document.querySelector('#verdict').textContent.startsWith('Fine')", "the voice is not found fine")
        seen["line"] = browser.until(
            "/(fast|fine|slow)/i.test(document.querySelector('#line').textContent) && document.querySelector('#line').textContent",
            "nothing is said of the line")
        browser.presses("Hear the examiner")
        browser.until("document.querySelector('#loudspeaker').textContent.startsWith('Did you hear')", "the examiner was not heard")
        browser.evaluate(WATCH)
        browser.presses("Begin the exam")
        browser.until(PASSED.format("'Your turn: please speak.'"), "it was never the learner's turn")
        if options.pictures:
            browser.picture(f"{options.pictures}/firefox-question.png")
        if options.unplug:
            loses_the_microphone(browser, Device(options.microphone))
        browser.until(f"{HEADLINE} === 'Prepare:'", "there was nothing to prepare")
        browser.types("n", *"by the river")
        browser.types("Escape")
        # From here on the examiner may let the talk begin. The key is pressed until that happens, as a person would.
        browser.until(f"{HEADLINE} !== 'Prepare:'", "preparation did not end", meanwhile=lambda: browser.types("s"))
        browser.until("!document.querySelector('#results').hidden", "the exam did not come to its results")
        browser.until("document.querySelectorAll('#answers .answer svg').length >= 3", "the answers have no pictures")
        seen["notes"] = browser.evaluate("document.querySelector('#written-notes').textContent")
        seen["answers"] = browser.evaluate("[...document.querySelectorAll('#answers h3')].map((each) => each.textContent)")
        browser.presses("Listen")
        browser.until("document.querySelector('audio')?.currentTime > 0", "an answer could not be heard")
        seen["passed"] = browser.evaluate("window.passed")
        interruptions = [words for words in seen["passed"] if words.startswith("Interrupted.")]
        if len(interruptions) != options.unplug:
            raise Failed(f"{int(options.unplug)} losses of the microphone were said as {interruptions}")
        if browser.complaints:
            raise Failed(f"the browser complained: {browser.complaints[0]}")
    return seen


def loses_the_microphone(browser, microphone):
    """Unplugs the microphone in an answer, and plugs it in again."""
    microphone.unplug()
    try:
        browser.until(PASSED.format("'Interrupted. The microphone is gone. Plug it in again; the question will then be asked again.'"),
                      "that the microphone is gone was not said")
    finally:
        microphone.plug()
    browser.until(f"{HEADLINE} !== 'Interrupted.'", "the microphone did not come back")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("base", "recording", "mouth", "microphone"):
        parser.add_argument(name)
    for name in ("--token", "--format", "--paper", "--pictures"):
        parser.add_argument(name)
    parser.add_argument("--unplug", action="store_true")
    options = parser.parse_args()
    try:
        silent = finds_no_loudspeaker(options)
        print(json.dumps({"noLoudspeaker": silent, **sits(options)}))
    except Failed as failure:
        sys.exit(str(failure))
