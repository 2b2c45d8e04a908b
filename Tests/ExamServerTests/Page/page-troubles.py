"""Tests the message in each trouble, and that the exam then works again. Each trouble has a page of its own.

Usage: page-troubles.py BASE RECORDING.wav [--token TOKEN] [--token TOKEN] [--format ID] [--paper ID] [--only NAME ...]

There may be tokens of one or two users. The troubles are shared between them, and both users run at the same time.

The exam must be as for page-test.py. Prints one line of JSON with what was read. Exits with 1 and one sentence if the page fails.
"""
import argparse, concurrent.futures, json, re, urllib.request
from chromium import chromium
from learner import Failed, arguments, learner_in, tell, until

# A browser of some years ago, and one that stores nothing for pages.
OLD = "delete window.AudioWorkletNode;"
FORGETFUL = "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"

# Holds the microphone's track, so that a test can mute it as a system does: the page only gets the event.
TRACK = """
const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wishes) => {
    const stream = await ask(wishes);
    window.track = stream.getAudioTracks()[0];
    return stream;
};
"""


def troubles(options):
    """Runs all troubles. They mostly wait, for late clips or for a page's timeout, so each user has a browser."""
    users = options.token or [None]
    names = [name for name in TROUBLES if not options.only or name in options.only]
    with concurrent.futures.ThreadPoolExecutor(len(users)) as pool:
        lanes = [pool.submit(meets, options, token, names[place::len(users)]) for place, token in enumerate(users)]
        return {name: read for lane in lanes for name, read in lane.result().items()}


def meets(options, token, names):
    options = argparse.Namespace(**{**vars(options), "token": token})
    seen = {}
    with chromium(options.recording, f"with {names[0]}") as browser:
        for name in names:
            someone = learner_in(browser, options.base)
            someone.chooses = {"Exam": options.format, "Questions": options.paper}
            try:
                seen[name] = TROUBLES[name](someone, options)
            except Failed as failure:
                raise Failed(f"{name}: {failure}") from None
            # An open exam counts against the limit of its user.
            someone.page.context.close()
    return seen


def comes_to_the_microphone(someone, options):
    someone.open(options.token)
    someone.starts("Practice")
    someone.presses("button", "Use the microphone")


def begins(someone, options):
    comes_to_the_microphone(someone, options)
    with someone.page.expect_response(lambda answer: answer.url.endswith("/v1/exams") and answer.status == 201) as made:
        someone.presses("button", "Begin the exam")
    return made.value.json()["session"]


def words(someone, selector, expected):
    someone.reads(selector, expected)
    return someone.page.locator(selector).inner_text()


def is_too_old(someone, options):
    """The page says so before there is anything to fill in, or to agree to."""
    someone.page.add_init_script(OLD)
    someone.open(options.token)
    read = words(someone, "#refused", "This browser is too old for an exam.")
    if someone.page.locator("#choices").is_visible():
        raise Failed("an exam is offered though it is impossible")
    return read


def is_insecure(someone, options):
    """A page that was opened by http from another computer has no microphone."""
    someone.page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false });")
    someone.open(options.token)
    read = words(someone, "#refused", "https")
    someone.is_accessible("refused")
    if someone.page.locator("#choices").is_visible():
        raise Failed("an exam is offered though it is impossible")
    return read


def blocks_storage(someone, options):
    """The token lives as long as the page."""
    someone.page.add_init_script(FORGETFUL)
    begins(someone, options)
    return words(someone, "#headline", re.compile("Your turn:|Listening"))


def lacks_a_script(someone, options):
    someone.page.route("**/page/main.*.js", lambda route: route.abort())
    someone.page.goto(options.base + "/")
    late = someone.page.locator(".late")
    until(lambda: late.evaluate("(place) => getComputedStyle(place).visibility") == "visible",
          "the page does not say that a script is missing", page=someone.page)
    return late.inner_text()


def is_muted(someone, options):
    someone.page.add_init_script(TRACK)
    begins(someone, options)
    someone.reads("#headline", re.compile("Your turn:|Listening"))
    someone.page.evaluate("window.track.dispatchEvent(new Event('mute'))")
    read = words(someone, "#more", "The microphone is muted.")
    someone.page.evaluate("window.track.dispatchEvent(new Event('unmute'))")
    someone.must(lambda: someone.page.locator("#headline", has_text="Interrupted.").wait_for(state="detached"), "it did not come back")
    return read


def loses_its_clips(someone, options):
    """For a while no clips arrive, and the exam waits. Then one clip is missing, and the exam continues."""
    page = someone.page
    page.route("**/clips/**", lambda route: route.abort())
    begins(someone, options)
    late = words(someone, "#problem", "The examiner's words have not arrived yet.")
    page.unroute("**/clips/**")
    someone.must(lambda: page.locator("#problem").wait_for(state="hidden"), "the clip did not come")
    someone.reads("#headline", re.compile("Your turn:|Listening"))
    if not page.locator("#question").inner_text():
        raise Failed("the question is not to be read")
    page.route("**/clips/**", lambda route: route.fulfill(status=404))
    page.reload()  # Drops the clips that were fetched ahead.
    goes_on(someone)
    someone.reads("#headline", re.compile("Your turn:|Listening"))
    page.keyboard.press("r")
    # The page says so at once, and then the server's message follows.
    failed = words(someone, "#problem", re.compile("The examiner's (last )?words could not be played."))
    someone.reads("#headline", re.compile("Your turn:|Listening"))
    page.unroute("**/clips/**")
    return [late, failed]


def goes_on(someone):
    """After a reload the page is at the same exam."""
    someone.presses("button", "Use the microphone")
    someone.presses("button", "Begin the exam")
    someone.sees("heading", "Part 1 of 3")


def comes_back_with_a_microphone(someone, options):
    """A page that lost the microphone is reloaded and has it again. The exam continues."""
    begins(someone, options)
    someone.reads("#headline", re.compile("Your turn:|Listening"))
    someone.allows(False)
    read = words(someone, ".state", "Interrupted.")
    someone.allows(True)
    someone.page.once("dialog", lambda dialog: dialog.accept())
    someone.page.reload()
    goes_on(someone)
    someone.reads("#headline", re.compile("The examiner|Your turn:|Listening"))
    return read


def is_reloaded_in_an_answer(someone, options):
    """A page that is reloaded in an answer has lost what was said, so the examiner asks again."""
    begins(someone, options)
    someone.reads("#headline", "Listening")
    someone.page.once("dialog", lambda dialog: dialog.accept())
    someone.page.reload()
    someone.sees("button", "Use the microphone")
    someone.page.evaluate("""() => {
        window.heard = [];
        const exam = document.querySelector("#exam");
        new MutationObserver(() => window.heard.push(exam.dataset.activity)).observe(exam, { attributes: true, attributeFilter: ["data-activity"] });
    }""")
    goes_on(someone)
    someone.reads("#headline", re.compile("Your turn:|Listening"))
    heard = someone.page.evaluate("window.heard")
    if "examinerSpeaking" not in heard:
        raise Failed(f"the question was not asked again: {heard}")
    return heard


def has_too_many_windows(someone, options):
    """Five exams at once: the fifth waits, and continues when another one is closed."""
    context = someone.page.context
    others = [type(someone)(context.new_page(), options.base) for _ in range(4)]
    for other in others:
        other.chooses = someone.chooses
        begins(other, options)
    someone.page.bring_to_front()
    begins(someone, options)
    read = words(someone, "#connection", "You have too many exams open at once.")
    for other in others:
        other.page.close()
    someone.must(lambda: someone.page.locator("#connection").wait_for(state="hidden"), "it does not go on though there is room")
    return read


def lists_all_exams(someone, options):
    """Lists more exams than fit on one page, each with its facts. The oldest can be erased."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {options.token}"} if options.token else {})}
    body = json.dumps({"format": options.format, "paper": options.paper, "mode": "practice", "consent": True}).encode()
    for _ in range(25):
        urllib.request.urlopen(urllib.request.Request(options.base + "/v1/exams", body, headers)).read()
    someone.open(options.token)
    page, items = someone.page, someone.page.locator("#sessions > li")
    while page.locator("#older").is_visible():
        before = items.count()
        someone.presses("button", "Older exams")
        until(lambda: items.count() > before, "no older exams came", page=page)
    count = items.count()
    if count < 25:
        raise Failed(f"only {count} exams are listed")
    read = items.last.inner_text()
    items.last.get_by_role("button", name="Erase").click()
    someone.presses("button", "Erase for good")
    until(lambda: items.count() == count - 1, "an erased exam is still listed", page=page)
    page.locator("#consent").check()
    page.goto("about:blank")
    page.go_back()
    someone.sees("heading", "Sit an exam")
    if page.locator("#consent").is_checked():
        raise Failed("consent is ticked when the page comes back")
    return read


TROUBLES = {
    "oldBrowser": is_too_old,
    "insecureAddress": is_insecure,
    "storageBlocked": blocks_storage,
    "scriptMissing": lacks_a_script,
    "microphoneMuted": is_muted,
    "clips": loses_its_clips,
    "reloaded": comes_back_with_a_microphone,
    "reloadedInAnAnswer": is_reloaded_in_an_answer,
    "tooManyConnections": has_too_many_windows,
    "list": lists_all_exams,
}

if __name__ == "__main__":
    parser = arguments(token="append")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    tell(lambda: troubles(options))
