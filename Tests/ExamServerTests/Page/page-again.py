"""Gives an answer of an exam again on the page: a short exam, "Say it again" in its results, and both answers side by side.

Usage: page-again.py BASE RECORDING.wav --token TOKEN --format ID --paper ID

Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
from learner import Failed, arguments, learner, tell, until


def say_again(options):
    with learner(options.base, options.recording) as someone:
        page, seen = someone.page, someone.seen
        someone.chooses = {"Exam": options.format, "Questions": options.paper}
        someone.open(options.token)
        someone.starts("Practice")
        someone.presses("checkbox", "I am wearing headphones", "Space")
        someone.presses("button", "Use the microphone")
        someone.reads("#verdict", "Fine")
        someone.presses("button", "Begin the exam")
        comes_to_its_results(someone)
        exam = page.url

        again = page.get_by_role("button", name="Say it again: ")
        until(lambda: again.count() > 0, "no answer can be said again", page=page)
        seen["offered"] = [button.get_attribute("aria-label") for button in page.locator("#answers button[aria-label^='Say it again']").all()]
        again.first.click()
        someone.sees("heading", "Say it again?")
        # Nothing is recorded without consent.
        someone.presses("button", "Not now")
        if page.url != exam:
            raise Failed("without consent the results were left")
        again.first.click()
        someone.presses("button", "I agree")
        someone.reads("#length", "The examiner asks this question again.")
        someone.presses("button", "Use the microphone")
        someone.reads("#verdict", "Fine")
        with page.expect_response(lambda answer: answer.url.endswith("/v1/exams") and answer.status == 201) as made:
            someone.presses("button", "Begin", exact=True)
        seen["session"] = made.value.json()["session"]
        comes_to_its_results(someone)
        until(lambda: page.locator("#tellings-list h3").count() == 2, "both answers are not shown", page=page)
        seen["tellings"] = page.locator("#tellings-list h3").all_inner_texts()
        hears_both(someone)
        someone.is_accessible("both answers")
        someone.looks("again")

        someone.presses("button", "The exam's results")
        until(lambda: page.url == exam, "the way back does not lead to the exam", page=page)
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return seen


# Counts the sounds that begin to play.
PLAYED = """() => {
    window.played = [];
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
        window.played.push(this.currentTime);
        return play.call(this);
    };
}"""


def hears_both(someone):
    """The earlier answer is that of the exam, and plays like the new one."""
    page = someone.page
    page.evaluate(PLAYED)
    for name in ("Before", "Now"):
        someone.presses("button", f"Listen: {name}")
        until(lambda: page.evaluate("window.played.length") > 0, f"the answer “{name}” is not to be heard", page=page)
        page.evaluate("window.played.length = 0")
    if page.locator("#problem").is_visible():
        raise Failed(f"an answer is not to be heard: {page.locator('#problem').inner_text()}")


def comes_to_its_results(someone):
    # The results of before may still be shown.
    someone.hears("^Your turn: please speak")
    someone.finishes_each_answer()


if __name__ == "__main__":
    tell(lambda: say_again(arguments().parse_args()))
