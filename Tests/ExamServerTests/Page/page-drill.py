"""Practises aloud on the page, as a learner with a keyboard does: a spoken drill from its choice to the tellings side by side.

Usage: page-drill.py BASE RECORDING.wav [--token TOKEN]

Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
from learner import Failed, arguments, learner, tell, until


def practise(options):
    with learner(options.base, options.recording) as someone:
        page, seen = someone.page, someone.seen
        someone.open(options.token)
        someone.presses("link", "Practise speaking")
        someone.sees("heading", "Practise speaking")
        someone.is_accessible("drills")
        someone.looks("drill-1-choice")
        someone.goes_to("radio", "Repeat after me")
        seen["drills"] = [card.split("\n")[0] for card in page.locator("#drill-kinds .option").all_inner_texts()]
        chooses_a_part(someone)

        # Nothing is recorded without consent.
        someone.presses("button", "Go on to the microphone")
        someone.reads("#problem", "Practice aloud is recorded.")
        someone.presses("checkbox", "I agree", "Space")
        someone.presses("button", "Go on to the microphone")
        someone.sees("heading", "Before you begin")
        someone.reads("#length", "It takes about 2 minutes.")
        someone.presses("checkbox", "I am wearing headphones", "Space")
        someone.presses("button", "Use the microphone")
        with page.expect_response(lambda answer: answer.url.endswith("/v1/exams") and answer.status == 201) as made:
            someone.presses("button", "Begin", exact=True)
        seen["session"] = made.value.json()["session"]

        finishes_each_answer(someone)
        compares_the_tellings(someone)
        comes_back_to_the_drills(someone)
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return seen


def chooses_a_part(someone):
    """A part of an exam is chosen with the arrow keys. Then the drill is chosen again."""
    page = someone.page
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    someone.sees("combobox", "Part")
    someone.seen["parts"] = page.locator("#part-number option").all_inner_texts()
    someone.is_accessible("one part")
    someone.looks("drill-1-part")
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    if page.locator("#one-part").is_visible() or not page.get_by_role("radio", name="Repeat after me").is_checked():
        raise Failed("the drill cannot be chosen again after a part")


def finishes_each_answer(someone):
    someone.hears("^Your turn: please speak")
    someone.looks("drill-2-exam")
    someone.finishes_each_answer()


def compares_the_tellings(someone):
    page, seen = someone.page, someone.seen
    someone.reads("#tellings-verdict", "of 5 took about as long as the voice did.")
    seen["verdict"] = page.locator("#tellings-verdict").inner_text()
    seen["tellings"] = page.locator("#tellings-list h3").all_inner_texts()
    seen["measures"] = page.locator("#tellings-measures tbody th").all_inner_texts()
    if page.locator("#assessed").is_visible():
        raise Failed("a drill is shown with an assessment")
    someone.is_accessible("tellings")
    someone.looks("drill-3-tellings")
    someone.has_ink(page.locator("#tellings-list svg").nth(1), "a telling")
    with page.expect_response(lambda answer: "/voice/" in answer.url) as said:
        someone.presses("button", "Listen: Voice 1")
    if said.value.status != 200 or page.locator("#problem").is_visible():
        raise Failed(f"the voice cannot be heard: {said.value.status}, “{page.locator('#problem').text_content()}”")
    someone.presses("button", "Listen: You 1")
    until(lambda: page.evaluate("document.querySelector('audio')?.currentTime > 0"), "a telling could not be heard", page=page)


def comes_back_to_the_drills(someone):
    page, seen = someone.page, someone.seen
    someone.presses("button", "Do it again")
    someone.sees("heading", "Practise speaking")
    if not page.get_by_role("radio", name="Repeat after me").is_checked():
        raise Failed("the drill that was done is not chosen to do it again")
    until(lambda: page.locator("#spoken-sessions li").count() == 1, "the drill is not listed", page=page)
    someone.reads("#spoken-sessions", "Repeat after me")
    someone.looks("drill-4-again")
    someone.presses("link", "Sit an exam")
    someone.sees("heading", "Sit an exam")
    if page.locator("#sessions li").count():
        raise Failed("the drill is listed among the exams")


if __name__ == "__main__":
    tell(lambda: practise(arguments().parse_args()))
