"""Sits a whole short exam in a browser, as a learner with a keyboard does, from permission to results.

Usage: page-test.py BASE RECORDING.wav [--token TOKEN] [--format ID] [--paper ID] [--sound opus|pcm]

BASE is the server's address. RECORDING is the microphone's sound, in a loop. The exam should be a short one with a card: its connection is
broken in an answer, it is paused, and its preparation is ended shortly before its limit (so the preparation should be at least 20 s long,
because shorter ones get no warning). Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
from learner import Failed, arguments, learner, tell, until

# Records everything that a learner would see, without changing the page.
WATCH = """
    window.passed = [];
    const note = () => {
        const words = `${document.querySelector('#headline').textContent} ${document.querySelector('#more').textContent}`.trim();
        if (words && window.passed.at(-1) !== words) window.passed.push(words);
    };
    new MutationObserver(note).observe(document.querySelector('.state'), { childList: true, characterData: true, subtree: true });
    window.turns = [];
    const exam = document.querySelector('#exam');
    const turn = () => window.turns.push(`${exam.dataset.turn} ${document.querySelector('#turn-word').textContent}`);
    new MutationObserver(turn).observe(exam, { attributes: true, attributeFilter: ['data-turn'] });
    window.said = [];
    const announcer = document.querySelector('#announcer');
    const hear = () => announcer.textContent && window.said.push(announcer.textContent);
    new MutationObserver(hear).observe(announcer, { childList: true });
"""


def sit(options):
    with learner(options.base, options.recording, reduced_motion="no-preference") as someone:
        page, seen = someone.page, someone.seen
        if options.sound == "pcm":
            page.add_init_script("delete window.AudioEncoder;")
        someone.chooses = {"Exam": options.format, "Questions": options.paper}
        someone.open(options.token)
        # The device and the line are checked before anything is filled in.
        someone.reads("#ready-microphone", "A microphone is there.")
        someone.reads("#line", "Line: ")
        seen["line"] = page.locator("#line").inner_text()
        someone.is_accessible("home")
        someone.looks("1-home")
        someone.reads("#which-words", "New ones, drawn for you")
        someone.opens_the_questions()
        someone.is_accessible("the questions")
        someone.looks("1-questions")

        # There is no exam without consent.
        someone.presses("button", "Go on to the microphone")
        someone.reads("#problem", "An exam is recorded.")
        someone.starts("Practice")
        someone.presses("checkbox", "I am wearing headphones", "Space")
        someone.presses("button", "Use the microphone")
        someone.sees("button", "Begin the exam")
        someone.reads("#verdict", "Fine")
        seen["level"] = page.get_by_role("meter").first.get_attribute("aria-valuetext")
        someone.is_accessible("check")
        someone.looks("2-check")

        page.evaluate(WATCH)
        with page.expect_response(lambda answer: answer.url.endswith("/v1/exams") and answer.status == 201) as made:
            someone.presses("button", "Begin the exam")
        seen["session"] = made.value.json()["session"]
        someone.hears("^The examiner is speaking")
        someone.hears("^Your turn: please speak")
        someone.is_accessible("exam")
        someone.looks("3-question")
        if page.locator("header, #ways").locator("visible=true").count():
            raise Failed("the exam does not have the whole window")
        goes_back_from_the_exam(someone)

        breaks_the_line(someone)
        uses_the_card(someone)
        hears_the_results(someone)

        seen["passed"], seen["said"] = page.evaluate("[window.passed, window.said]")
        # A silence of half a heartbeat must not interrupt an exam. A longer one, on a busy machine, may.
        seen["interrupted"] = any(words.startswith("Interrupted.") for words in seen["passed"])
        turns = page.evaluate("window.turns")
        if not {"examiner Listen", "you Speak", "prepare Prepare"} <= set(turns):
            raise Failed(f"whose turn it is was shown only as {turns}")
        for words in ("The examiner is speaking.", "Your turn: please speak.", "Listening…", "Prepare: you may write notes."):
            if words not in seen["passed"]:
                raise Failed(f"the exam never showed “{words}”")
        # In an exam of a minute a screen reader speaks a few sentences, and no levels and seconds.
        if len(seen["said"]) > 60:
            raise Failed(f"a screen reader was made to speak {len(seen['said'])} times")
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return seen


def goes_back_from_the_exam(someone):
    """The browser's Back asks, and stays at the exam's address."""
    page, address = someone.page, someone.page.url
    page.evaluate("history.back()")
    someone.sees("heading", "Leave the exam?")
    someone.presses("button", "Stay")
    if page.url != address or "/#/speak/exam/" not in address:
        raise Failed(f"after Back the exam's address is {page.url}, and was {address}")


def passes(someone, words, after=None):
    """Waits until the exam has shown these words, however briefly, since it last showed `after`."""
    def has_passed():
        passed = someone.page.evaluate("window.passed")
        last = max((index for index, shown in enumerate(passed) if shown == after), default=0)
        return words in passed[last:]
    until(has_passed, f"the exam did not show “{words}”", page=someone.page)


def breaks_the_line(someone):
    """Breaks the line for two seconds. They are real time, since the learner keeps speaking. The speech is kept, and the exam continues."""
    someone.offline(True)
    someone.reads("#connection", "The connection is lost")
    someone.page.wait_for_timeout(2000)
    someone.offline(False)
    someone.must(lambda: someone.page.locator("#connection").wait_for(state="hidden"), "the connection did not come back")
    someone.seen["reconnected"] = True


def uses_the_card(someone):
    page, seen = someone.page, someone.seen
    someone.reads("#headline", "Prepare:")
    page.keyboard.press("n")
    page.keyboard.type("by the river\nafter work")
    page.keyboard.press("Escape")
    seen["timeLeft"] = page.locator("#time").text_content()
    page.keyboard.press("p")
    someone.reads("#headline", "Paused.")
    someone.is_accessible("card")
    someone.looks("4-card")
    someone.sees_together("#card", "#notes", "#time", ".state")
    someone.has_ink(page.locator("#card"), "the card")
    seen["card"] = page.locator("#card").inner_text()
    someone.presses("summary", "Menu")
    someone.is_accessible("menu")
    someone.looks("4-menu")
    someone.presses("checkbox", "Show the time left", "Space")
    if page.locator("#time-box").is_visible():
        raise Failed("the time is shown though it was hidden by choice")
    page.keyboard.press("Escape")
    if page.locator("#exam-menu").get_attribute("open") is not None:
        raise Failed("Escape does not close the menu")
    someone.presses("button", "Continue")
    someone.reads("#headline", "Prepare:")
    someone.hears("^[0-9]+ seconds left")
    # From here on the examiner may let the talk begin. The key is pressed until that happens, as a person would.
    headline = page.locator("#headline")
    until(lambda: page.keyboard.press("s") or headline.text_content() != "Prepare:", "preparation did not end", page=page)
    passes(someone, "Your turn: please speak.", after="Prepare: you may write notes.")
    notes = page.locator("#notes")
    if notes.get_attribute("readonly") is None or notes.input_value() != "by the river\nafter work":
        raise Failed("the notes are not locked, or not what was written")


def hears_the_results(someone):
    page, seen = someone.page, someone.seen
    title = page.get_by_role("heading", name="Results")
    someone.must(lambda: title.wait_for(), "the exam did not come to its results")
    someone.reads("#scores", "This server does not score answers")
    until(lambda: page.locator("#answers .answer").count() >= 2, "the answers are not among the results", page=page)
    pictures = page.locator("#answers svg")
    answers = page.locator("#answers .answer").count()
    until(lambda: pictures.count() == answers, "the answers have no pictures", page=page)
    someone.reads("#results-about", "your answers are ready")
    seen["answers"] = [item.split("\n")[0] for item in page.locator("#answers .answer").all_inner_texts()]
    seen["waveforms"] = [pictures.nth(index).get_attribute("aria-label") for index in range(pictures.count())]
    seen["status"] = page.locator("#results-about").text_content()
    someone.presses("button", "Listen to Part 1, question 1")
    until(lambda: page.evaluate("document.querySelector('audio')?.currentTime > 0"), "an answer could not be heard", page=page)
    seen["heard"] = page.evaluate("document.querySelector('audio').duration")
    types_what_was_said(someone)
    someone.is_accessible("results")
    for index in range(answers):
        someone.has_ink(pictures.nth(index), f"waveform {index + 1}")
    someone.looks("5-results")


def types_what_was_said(someone):
    """Measures are shown. Typed words are counted, and are in the saved report."""
    page = someone.page
    until(lambda: page.locator("#delivery-evidence").text_content(), "the page does not say how it sounded", page=page)
    until(lambda: page.locator("#answers .measures").count() > 0, "the answers have no measures", page=page)
    someone.presses("summary", "Type what you said")
    page.evaluate("document.querySelector('audio').pause()")
    someone.presses("button", "Play or pause Part 1, question 1")
    until(lambda: page.evaluate("!document.querySelector('audio').paused"), "the answer does not play while typing", page=page)
    page.evaluate("document.querySelector('audio').loop = true")
    someone.goes_to("textbox", "What you said in Part 1, question 1")
    page.keyboard.press("Escape")
    until(lambda: page.evaluate("document.querySelector('audio').paused"), "Esc does not stop the answer", page=page)
    page.keyboard.type("I live in a new building, and I likes it")
    someone.presses("button", "Keep what you typed for Part 1, question 1")
    someone.reads(".own-words", "Your words are kept.")
    someone.presses("summary", "What was counted in your words")
    someone.reads("#answers .answer", "words a minute")
    plays_a_word(someone)
    with page.expect_download() as saved:
        someone.presses("button", "Save the report")
    with open(saved.value.path()) as file:
        report = file.read()
    for words in ("I live in a new building, and I likes it", "data:audio/", 'class="examiner"'):
        if words not in report:
            raise Failed(f"the report that was saved does not have “{words}”")
    someone.seen["report"] = saved.value.suggested_filename


def plays_a_word(someone):
    """A typed word can be played by keyboard: the arrow keys go from word to word, Enter plays."""
    page = someone.page
    words = page.get_by_role("group", name="Play Part 1, question 1 from a word").get_by_role("button")
    until(lambda: words.count() == 10, "the typed words are not there to be played", page=page)
    words.first.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    until(lambda: page.evaluate("document.querySelector('audio').currentTime > 0.5 && !document.querySelector('audio').paused"),
          "the word does not play", page=page)
    if page.evaluate("document.activeElement.textContent") != "new":
        raise Failed("playing a word moves the focus away from it")
    page.evaluate("document.querySelector('audio').pause()")


if __name__ == "__main__":
    parser = arguments()
    parser.add_argument("--sound", choices=("opus", "pcm"), default="opus", help="pcm: a browser without WebCodecs")
    options = parser.parse_args()
    tell(lambda: sit(options))
