"""Sits an exam with the tasks of other tests on the page: a text to read aloud, a picture, a choice, questions with a shared preparation.

Usage: page-tasks.py BASE RECORDING.wav [--token TOKEN] [--format ID] [--paper ID]

The exam is `tasks`. Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
from learner import Failed, arguments, learner, tell, until


def sit(options):
    with learner(options.base, options.recording) as someone:
        page = someone.page
        someone.chooses = {"Exam": options.format, "Questions": options.paper}
        someone.open(options.token)
        someone.starts("Practice")
        someone.presses("button", "Use the microphone")
        someone.reads("#verdict", "Fine")
        someone.presses("button", "Begin the exam")

        someone.reads("#practice", "does not count")
        someone.reads("#question", "A bridge carries")
        looks(someone, "text")
        goes_on(someone, again=True)

        shows_a_picture(someone, "#picture img", "kitchen")
        looks(someone, "picture")
        if page.locator("#practice").is_visible():
            raise Failed("a question that counts is said to be for practice")
        goes_on(someone)

        someone.reads("#alternatives", "B: ")
        someone.reads("#headline", "Prepare:")
        page.keyboard.press("b")
        someone.reads("#alternatives .chosen", "(your choice)")
        page.keyboard.press("a")
        until(lambda: page.locator("#alternatives .chosen").inner_text().startswith("A: "), "A was not chosen", page=page)
        someone.presses("button", "Choose B")
        until(lambda: page.locator("#alternatives .chosen").inner_text().startswith("B: "), "B was not chosen", page=page)
        looks(someone, "choice")
        goes_on(someone)

        someone.reads("#together", "What is a good market like?")
        someone.reads("#headline", "Prepare:")
        shows_a_picture(someone, "#together img", "market")
        page.keyboard.press("n")
        page.keyboard.type("stalls, noise")
        page.keyboard.press("Escape")
        looks(someone, "together")
        goes_on(someone)
        someone.reads("#question", "What is a good market like?")
        if page.locator("#notes").input_value() != "stalls, noise":
            raise Failed("the notes for both questions are gone in the second")

        title = page.get_by_role("heading", name="Results")
        someone.must(lambda: title.wait_for(), "the exam did not come to its results")
        until(lambda: page.locator("#answers .answer").count() >= 6, "the answers are not among the results", page=page)
        answers = page.locator("#answers")
        for words in ("for practice: it does not count", "begun again: it does not count", "(your choice)", "A right answer: lively."):
            someone.must(lambda: answers.filter(has_text=words).wait_for(), f"the results do not say “{words}”")
        until(lambda: page.locator("#answers .picture img:visible").count() == 2, "the results show no pictures", page=page)
        looks(someone, "results")
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        someone.seen["answers"] = [item.split("\n")[0] for item in page.locator("#answers .answer").all_inner_texts()]
        return someone.seen


def looks(someone, name):
    someone.is_accessible(name)
    someone.looks(f"tasks-{name}")


def shows_a_picture(someone, place, name):
    image = someone.page.locator(place)
    someone.must(image.wait_for, f"the picture of the {name} is not shown")
    if len(image.get_attribute("alt")) < 80:
        raise Failed(f"the picture of the {name} has no words")
    someone.has_ink(image, name)


def goes_on(someone, again=False):
    """Skips the preparation, and ends the answer as soon as that is allowed. If begun again, it is recorded twice."""
    page = someone.page
    headline = page.locator("#headline")
    someone.reads("#headline", "Prepare:")
    until(lambda: page.keyboard.press("s") or headline.text_content() != "Prepare:", "preparation did not end", page=page)
    if again:
        finish = page.locator("[data-ask=again]")
        until(lambda: finish.is_visible() and not page.keyboard.press("t"), "the answer could not be begun again", page=page)
        until(lambda: not finish.is_visible(), "the answer was not begun again", page=page)
    turn = page.locator("#place").text_content()
    until(lambda: page.keyboard.press("f") or page.locator("#place").text_content() != turn or page.locator("#results").is_visible(),
          f"the answer to {turn} did not end", page=page)


if __name__ == "__main__":
    options = arguments().parse_args()
    tell(lambda: sit(options))
