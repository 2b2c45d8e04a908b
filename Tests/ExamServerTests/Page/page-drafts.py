"""Tests what a learner keeps: offline, over a reload, and when the sign-in expires, in a check, in an exam, in results, in a test and in a drill.

Usage: page-drafts.py BASE RECORDING.wav --token TOKEN --format ID --paper ID

The exam is a short one. Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
import json, urllib.request
from learner import Failed, arguments, learner, tell, until

WORDS = "I live in a new house"


def keep(options):
    with learner(options.base, options.recording) as someone:
        someone.chooses = {"Exam": options.format, "Questions": options.paper}
        someone.open(options.token)
        is_offline(someone)
        expires_in_a_check(someone, options)
        expires_in_an_exam(someone, options)
        keeps_typed_words(someone, options)
        keeps_an_answer_of_a_test(someone, options)
        keeps_an_answer_of_a_drill(someone)
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return someone.seen


def is_offline(someone):
    """Buttons that need the network say why they are disabled, and work again by themselves."""
    page = someone.page
    button = page.get_by_role("button", name="Go on to the microphone")
    someone.offline(True)
    until(lambda: button.get_attribute("aria-disabled") == "true", "a button that needs the network is not disabled", page=page)
    if button.get_attribute("aria-describedby") != "offline":
        raise Failed("a disabled button does not say why")
    someone.is_accessible("no network")
    someone.looks("offline")
    button.click(force=True)
    someone.reads("#problem", "You are offline. This works again as soon as the network is back.")
    if page.locator("#start-own button").get_attribute("aria-disabled"):
        raise Failed("a button that needs no network is disabled")
    someone.offline(False)
    until(lambda: not button.get_attribute("aria-disabled"), "the button stays disabled", page=page)
    someone.seen["offline"] = True


def expires(someone):
    someone.page.evaluate("sessionStorage.setItem('oracy.token', 'none')")


def signs_in(someone, options):
    someone.sees("heading", "Sign in")
    someone.reads("#problem", "You were signed out.")
    someone.goes_to("textbox", "Your token")
    someone.page.keyboard.type(options.token)
    someone.page.keyboard.press("Enter")


def expires_in_a_check(someone, options):
    """After signing in again the learner is at the same check, and need not choose again."""
    someone.starts("Practice")
    someone.presses("button", "Use the microphone")
    someone.reads("#verdict", "Fine")
    expires(someone)
    someone.presses("button", "Begin the exam")
    signs_in(someone, options)
    someone.sees("heading", "Before you begin")
    someone.presses("button", "Use the microphone")
    someone.reads("#verdict", "Fine")
    someone.seen["check"] = True


def expires_in_an_exam(someone, options):
    """The exam has a token of its own: it goes on, even over a broken line. A reload and the results need the learner's
    token, ask to sign in, and lead back. No answer is lost."""
    page = someone.page
    with page.expect_response(lambda answer: answer.url.endswith("/v1/exams") and answer.status == 201) as made:
        someone.presses("button", "Begin the exam")
    session = made.value.json()["session"]
    someone.hears("^Your turn: please speak")
    expires(someone)
    someone.offline(True)
    someone.offline(False)
    stored = lambda: len(answers_of(session, options))
    someone.finishes_answers(lambda: stored() > 0, "after the sign-in has expired no answer arrives")

    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    signs_in(someone, options)
    someone.sees("heading", "Before you begin")
    someone.presses("button", "Use the microphone")
    someone.reads("#verdict", "Fine")
    someone.presses("button", "Begin the exam")
    someone.hears("^Your turn: please speak")

    expires(someone)
    someone.finishes_answers(page.locator("#sign-in").is_visible, "the results of an exam do not ask to sign in again")
    signs_in(someone, options)
    someone.sees("heading", "Results")
    until(lambda: page.locator("#answers li.answer").count() == stored() > 2, "the results do not show all stored answers", page=page)
    someone.seen["answers"] = answers_of(session, options)


def answers_of(session, options):
    """Returns the names of the answers that the server has, each with a recording."""
    ask = urllib.request.Request(f"{options.base}/v1/sessions/{session}/results", headers={"Authorization": f"Bearer {options.token}"})
    told = json.loads(urllib.request.urlopen(ask).read())
    return [f"part{each['part']}_q{each['order']}" for each in told["answers"] if each["recording"]]


def keeps_typed_words(someone, options):
    page = someone.page
    field = page.get_by_label("What you said in Part 1, question 1")
    until(lambda: page.locator("#answers .own-words").count() > 0, "no words can be typed", page=page)
    page.locator("#answers details.own-words summary").first.click()
    field.fill(WORDS)
    page.reload()
    until(lambda: field.is_visible() and field.input_value() == WORDS, "typed words are lost by a reload", page=page)
    someone.reads(".own-words", "You typed this before. It is not kept yet.")
    address = page.url
    expires(someone)
    page.get_by_role("button", name="Keep what you typed for Part 1, question 1").click()
    signs_in(someone, options)
    until(lambda: field.is_visible() and field.input_value() == WORDS, "typed words are lost by a new sign-in", page=page)
    if page.url != address:
        raise Failed(f"after signing in again the address is {page.url}, and was {address}")
    page.get_by_role("button", name="Keep what you typed for Part 1, question 1").click()
    someone.reads(".own-words", "Your words are kept.")
    page.reload()
    until(lambda: page.locator("#answers .own-words").count() > 0, "the results do not come back", page=page)
    if page.get_by_text("You typed this before.").count():
        raise Failed("kept words are shown as unkept")
    someone.seen["words"] = WORDS


def reloads_without(someone, pattern, act):
    """Answers while only the server's door for answers is shut, and closes the page before it opens again."""
    page = someone.page
    shut = lambda route: route.abort("internetdisconnected") if route.request.method in ("PUT", "POST") else route.continue_()
    page.route(pattern, shut)
    act()
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.unroute(pattern, shut)


def keeps_an_answer_of_a_test(someone, options):
    page = someone.page
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {options.token}"}
    ask = lambda path, body: json.loads(urllib.request.urlopen(urllib.request.Request(options.base + path, json.dumps(body).encode(), headers)).read())
    test = ask("/v1/practice-tests", {"count": 3})["id"]
    ask(f"/v1/practice-tests/{test}/start", {})
    page.goto(f"{options.base}/#/learn/test/{test}")
    someone.reads("#test-done", "0 of 3 answered")

    def answer():
        page.keyboard.press("b")
        someone.reads("#test-kept", "1 answer not kept yet")

    reloads_without(someone, "**/v1/practice-tests/*/answers/**", answer)
    someone.reads("#test-done", "1 of 3 answered")
    someone.reads("#test-kept", "Your answers are kept.")
    someone.seen["test"] = page.locator("#test-done").inner_text()


def keeps_an_answer_of_a_drill(someone):
    page = someone.page
    someone.goes_to_place("Practice")
    page.get_by_role("button", name="Begin").first.click()
    someone.reads("#drill-done", "0 of ")

    def answer():
        options = page.locator("#drill-answer .option")
        if options.count():
            options.first.click()
        else:
            page.locator("#drill-answer input").fill("x")
            page.keyboard.press("Enter")
        someone.reads("#drill-sending-words", "Your answer is not sent yet.")

    reloads_without(someone, "**/v1/practice/drill/answers", answer)
    until(lambda: page.locator("#drill-verdict .verdict-of").count() > 0, "an answer of a drill is lost by a reload", page=page)
    someone.seen["drill"] = page.locator("#drill-verdict .word").inner_text()


if __name__ == "__main__":
    options = arguments().parse_args()
    tell(lambda: keep(options))
