"""A week of practice on the page, with only a keyboard: a drill, a test, a lesson, tasks and figures.

Usage: page-practice.py BASE RECORDING.wav --token TOKEN

BASE is the server's address. Its item bank has at least two topics of five questions. RECORDING is not used. Prints one line of JSON with
what was seen. Exits with 1 and one sentence if the page fails.
"""
import datetime, json, pathlib, re

from addresses import goes_back_and_forward
from learner import Failed, arguments, learner, study_day, tell, until

COUNT = 5
PACK = pathlib.Path(__file__).resolve().parents[3] / "Sources/Learning/Packs/BuiltIn/spoken-english.json"


def practise(options):
    with learner(options.base, options.recording) as someone:
        keys = right_options()
        someone.open(options.token)
        looks_at_today(someone)
        drills(someone, keys)
        takes_a_test(someone, keys)
        reads_a_lesson(someone)
        keeps_tasks(someone)
        looks_at_figures(someone)
        signs_in_again(someone, options.token)
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return someone.seen


def right_options():
    """Returns the right option of each built-in question, from its file."""
    pack = json.loads(PACK.read_text())
    choices = {each["prompt"]: each["multipleChoice"] for each in pack["questions"]}
    return {prompt: choice["options"][choice["correct"]] for prompt, choice in choices.items()}


def goes_to_area(someone, name):
    someone.goes_to_place(name)


def text(someone, selector):
    return someone.page.locator(selector).inner_text().strip()


def looks_at_today(someone):
    goes_to_area(someone, "Practice")
    someone.reads("#today-card", "treak")
    someone.reads("#today-card", "minutes today")
    someone.is_accessible("today")
    someone.looks("practice-1-today")


# Drills.


def drills(someone, keys):
    """Answers right with a letter and wrong with a number, leaves and resumes at the same question, goes offline, and finishes."""
    page = someone.page
    begins_a_drill(someone)
    someone.is_accessible("drill")
    someone.looks("practice-2-drill")

    answers(someone, keys, is_right=True)
    someone.reads("#drill-verdict", "Right.")
    someone.hears("Right")
    someone.is_accessible("right")
    someone.looks("practice-3-right")
    page.keyboard.press("Enter")
    answers(someone, keys, is_right=False)
    someone.reads("#drill-verdict", "Not right.")
    someone.reads("#drill-verdict", "It is: ")
    someone.hears("Not right")
    someone.is_accessible("wrong")
    someone.looks("practice-4-wrong")
    page.keyboard.press("Enter")

    prompt, done = next_prompt(someone), text(someone, "#drill-done")
    someone.presses("button", "Leave the drill")
    someone.sees("heading", "Practice")
    page.reload()
    someone.sees("heading", "Practice")
    someone.presses("button", "Go on with your drill")
    if (next_prompt(someone), text(someone, "#drill-done")) != (prompt, done):
        raise Failed(f"the drill went on at another question: “{text(someone, '#drill-prompt')}”, not “{prompt}”")
    someone.seen["came back to"] = prompt

    # An answer that can't be sent is stored, and sent when the line is back.
    someone.offline(True)
    answers(someone, keys, is_right=True)
    someone.reads("#drill-sending-words", "Your answer is not sent yet.")
    someone.hears("not sent yet")
    someone.is_accessible("offline")
    someone.looks("practice-5-offline")
    someone.offline(False)
    someone.reads("#drill-verdict", "Right.")

    goes_on_by_itself(someone, keys)
    while not text(someone, "#drill-prompt").startswith("Done:"):
        before = text(someone, "#drill-done")
        answers(someone, keys, is_right=True)
        # A verdict is shown for half a second. The test waits for the question after it.
        until(
            lambda: text(someone, "#drill-done") != before and page.locator("#drill-verdict .right").count() == 0,
            f"the drill does not go on by itself from “{before}”", page=page)
    someone.seen["drill"] = text(someone, "#drill-prompt")
    if not re.fullmatch(rf"Done: {COUNT - 1} of {COUNT} right at once(, 1 repetition)?\.", someone.seen["drill"]):
        raise Failed(f"a drill with one wrong answer ends with “{someone.seen['drill']}”")
    someone.reads("#drill-answer", "Streak: ")
    someone.is_accessible("drill done")
    someone.looks("practice-6-done")


def begins_a_drill(someone):
    page = someone.page
    someone.presses("summary", "Choose what to practise")
    chooses(someone, "From", re.compile("^Spoken English"))
    chooses(someone, "Topic", page.locator("#wish-topic option").nth(1).inner_text())
    someone.goes_to("spinbutton", "How many questions")
    page.keyboard.type(str(COUNT))
    someone.is_accessible("wish")
    someone.looks("practice-1-wish")
    page.keyboard.press("Enter")
    someone.reads("#drill-done", f"0 of {COUNT} done")
    someone.sees("button", "Leave the drill")


def chooses(someone, label, option):
    someone.goes_to("combobox", label, exact=True)
    field = someone.page.get_by_label(label, exact=True)
    if not isinstance(option, str):
        option = next(each for each in field.locator("option").all_inner_texts() if option.search(each))
    field.select_option(label=option)


def next_prompt(someone):
    someone.page.locator("#drill-answer .option").first.wait_for()
    return text(someone, "#drill-prompt")


def answers(someone, keys, is_right):
    """Answers with a letter if the answer should be right, with a number if not."""
    prompt = next_prompt(someone)
    options = someone.page.locator("#drill-answer .option > span:nth-child(2)").all_inner_texts()
    place = options.index(keys[prompt])
    someone.page.keyboard.press("abcdefghi"[place] if is_right else str((place + 1) % len(options) + 1))


def goes_on_by_itself(someone, keys):
    someone.presses("summary", "Drill settings")
    someone.presses("checkbox", "Continue automatically", "Space")
    someone.page.locator("#drill-after button").focus()
    someone.page.keyboard.press("Enter")
    someone.seen["kept"] = someone.page.evaluate("localStorage.getItem('oracy.practice.drill-goes-on')")


# Tests.


def takes_a_test(someone, keys):
    page = someone.page
    goes_to_area(someone, "Tests")
    someone.reads("#no-tests", "You have no tests yet")
    someone.is_accessible("no tests")
    someone.looks("practice-7-no-tests")
    someone.presses("button", "Make your first test")
    for topic in page.locator("#test-topics span").all_inner_texts()[:2]:
        someone.presses("checkbox", topic, "Space", exact=True)
    someone.goes_to("spinbutton", "How many questions")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(str(COUNT))
    someone.is_accessible("make a test")
    someone.looks("practice-7-make")
    someone.presses("button", "Make the test", exact=True)
    someone.hears("The test is ready")
    someone.is_accessible("tests")
    someone.looks("practice-8-ready")
    someone.presses("button", "Begin the test")
    someone.reads("#test-done", f"0 of {COUNT} answered")
    someone.is_accessible("test")

    chosen = [chooses_in_test(someone, keys, is_right=place != 1) for place in range(2)]
    someone.reads("#test-kept", "Your answers are kept.")
    someone.looks("practice-9-test")
    someone.presses("button", "Leave the test")
    someone.reads("#test-now", f"In progress: 2 of {COUNT} answered")
    someone.is_accessible("test in progress")
    someone.looks("practice-9-in-progress")
    page.reload()
    someone.sees("heading", "Tests")
    someone.presses("button", "Go on: ")
    someone.reads("#test-about", f"Question 3 of {COUNT}")

    # Back to the second question, which has a wrong answer. The answer is still there, and is changed while the line is down.
    someone.presses("button", "Previous", exact=True)
    someone.reads("#test-about", f"Question 2 of {COUNT}")
    if page.locator("#test-answer input:checked + .letter").inner_text() != chosen[1]:
        raise Failed("what was answered before is not there any more")
    someone.offline(True)
    chooses_in_test(someone, keys, is_right=True, goes_on=False)
    someone.reads("#test-kept", "1 answer not kept yet")
    someone.hears("not kept yet")
    someone.is_accessible("not kept")
    someone.looks("practice-9-not-kept")
    someone.offline(False)
    someone.reads("#test-kept", "Your answers are kept.")
    page.keyboard.press("n")
    for _ in range(2):
        chooses_in_test(someone, keys, is_right=True)
    someone.reads("#test-done", f"4 of {COUNT} answered")

    someone.presses("button", "Hand in")
    someone.reads("#sure-text", "You cannot change your answers afterwards. 1 question has no answer: 5.")
    someone.is_accessible("hand in")
    someone.looks("practice-9-sure")
    someone.presses("button", "Not yet")
    someone.presses("button", "Hand in")
    someone.presses("button", "Hand in", exact=True)
    someone.sees("heading", "Your result")
    someone.reads("#test-result", "Handed in; it will be graded.")
    someone.is_accessible("handed in")
    someone.reads("#result-score", "80 %")
    someone.hears("Graded: 80 %, Good")
    someone.seen["graded"] = text(someone, "#result-score")
    for part in ("By topic", "By difficulty"):
        someone.reads("#result-parts", part)
    someone.presses("button", "Open all questions")
    if page.locator("#result-questions details[open]").count() != COUNT:
        raise Failed("not every question is opened")
    words = page.locator("#result-questions .mark").all_inner_texts()
    if words.count("✓ right, yours") != 4 or words.count("✓ right") != 1:
        raise Failed(f"the options are marked {words}")
    someone.is_accessible("result")
    someone.looks("practice-9-result")
    someone.presses("button", "Close all")
    someone.looks("practice-9-result-closed")
    someone.presses("button", "Your tests")
    someone.reads("#test-now", "80 %")
    someone.reads("#tests-figures", "80 % right on average")
    someone.is_accessible("recent tests")
    someone.looks("practice-9-recent")


def chooses_in_test(someone, keys, is_right, goes_on=True):
    """Chooses an option. @returns its letter"""
    page = someone.page
    options = page.locator("#test-answer .option > span:not(.letter)").all_inner_texts()
    place = options.index(keys[text(someone, "#test-prompt")])
    letter = "abcdefghi"[place if is_right else (place + 1) % len(options)]
    page.keyboard.press(letter)
    if goes_on:
        number = text(someone, "#test-about").split(" of ")[0]
        page.keyboard.press("n")
        until(lambda: text(someone, "#test-about").split(" of ")[0] != number, "the next question does not come", page=page)
    return letter


# Lessons, tasks, figures.


def reads_a_lesson(someone):
    page = someone.page
    goes_to_area(someone, "Lessons")
    someone.is_accessible("lessons")
    someone.looks("practice-a-lessons")
    closed = page.get_by_role("button", name="Open it now: ").first
    title = closed.get_attribute("aria-label").removeprefix("Open it now: ")
    closed.focus()
    page.keyboard.press("Enter")
    someone.hears(f"{re.escape(title)} is open")
    someone.seen["lessons"] = page.locator("#lesson-categories h2").all_inner_texts()
    # One lesson of each category, because each kind looks different.
    for number, category in enumerate(someone.seen["lessons"]):
        first = page.locator("#lesson-categories ul").nth(number).get_by_role("button", name="Read: ").first
        first.focus()
        page.keyboard.press("Enter")
        page.locator("#lesson-items > li").first.wait_for()
        page.locator("#lesson").wait_for()
        someone.is_accessible(f"lesson: {category}")
        someone.looks(f"practice-b-lesson-{number}")
        if number < len(someone.seen["lessons"]) - 1:
            someone.presses("button", "All lessons")
            someone.sees("heading", "Lessons")
    with page.expect_response(re.compile("/items/.*/speech$")) as said:
        page.get_by_role("button", name="Listen: ").first.focus()
        page.keyboard.press("Enter")
    if said.value.status != 200:
        raise Failed(f"the voice answered {said.value.status}")
    someone.presses("button", "All lessons")
    practised = page.get_by_role("button", name="Practise: ").first
    practised.focus()
    page.keyboard.press("Enter")
    someone.reads("#drill-done", "0 of ")
    someone.seen["lesson's drill"] = text(someone, "#drill-about")
    if page.get_by_role("button", name="Listen").is_visible():
        someone.presses("button", "Listen", exact=True)
    someone.presses("button", "Leave the drill")
    someone.sees("heading", "Practice")


def keeps_tasks(someone):
    page = someone.page
    goes_to_area(someone, "Tasks")
    someone.is_accessible("tasks")
    someone.looks("practice-c-tasks")
    question = page.locator("#tasks-list > li").filter(has_text=someone.seen["came back to"])
    until(lambda: question.count() == 1, "an answered question is not a task any more", page=page)
    look = question.get_by_role("button", name="Look at it")
    look.focus()
    page.keyboard.press("Enter")
    someone.reads("#task-text", someone.seen["came back to"])
    someone.is_accessible("task")
    someone.looks("practice-c-task")
    someone.presses("button", "Mark incomplete")
    someone.hears("It is asked in your next drill")
    someone.presses("button", "Back to the tasks")
    someone.presses("checkbox", "Only what is incomplete", "Space")
    until(lambda: page.locator("#tasks-list > li").count() == 1, "what is complete is still listed", page=page)
    someone.presses("button", "Delete…")
    someone.reads("#sure-text", "removed from the list for good")
    someone.presses("button", "Keep it")
    someone.presses("button", "Delete…")
    someone.presses("button", "Delete for good")
    someone.reads("#no-tasks", "Everything is complete.")
    someone.is_accessible("no tasks")
    someone.presses("checkbox", "Only what is incomplete", "Space")


def looks_at_figures(someone):
    page = someone.page
    goes_to_area(someone, "Statistics")
    someone.reads("#figures-list", "right on average")
    shown = [page.locator(f"#chart {each}").count() for each in (".column", "tbody tr")]
    if shown != [14, 14]:
        raise Failed(f"fourteen days have {shown} columns and rows")
    someone.is_accessible("statistics")
    someone.looks("practice-d-statistics")
    joins_a_board(someone)
    goes_to_area(someone, "Settings")
    someone.goes_to("spinbutton", "Minutes a day")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("0")
    someone.presses("button", "Keep these settings")
    someone.reads("#problem", "How many minutes a day?")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("15")
    # The rest day is not today, so that today's practice counts.
    someone.presses("checkbox", f"{study_day() + datetime.timedelta(days=3):%A}", "Space")
    someone.presses("button", "Keep these settings")
    someone.reads("#settings-kept", "Kept.")
    pauses(someone)
    goes_to_area(someone, "Statistics")
    someone.reads("#figures-list", "of 15 minutes")
    goes_back_and_forward(someone)


def joins_a_board(someone):
    """Joins a board. Only learners who joined are on it, and only they see the minutes."""
    page = someone.page
    someone.reads("#boards-title", "Your group this week")
    someone.goes_to("textbox", "Your name on the board of 8b")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    someone.hears("You are on the board of 8b.")
    someone.reads("#boards-list", "Ana (you)")
    someone.is_accessible("board")
    someone.looks("practice-e-board")
    someone.presses("button", "Leave the board of 8b")
    someone.hears("You are no longer on this board.")
    someone.sees("button", "Join the board")


def pauses(someone):
    page = someone.page
    until_day = study_day() + datetime.timedelta(days=3)
    page.get_by_label("Pause from today, up to").fill(until_day.isoformat())
    someone.presses("button", "Keep these settings")
    someone.reads("#pause-words", "You pause until")
    someone.is_accessible("pause")
    someone.presses("button", "End the pause")
    someone.hears("The pause is over.")
    until(lambda: not page.locator("#pause-now").is_visible(), "a pause that is over is still told", page=page)


def signs_in_again(someone, token):
    """The server no longer accepts the token. The page asks for another one, and practice continues."""
    page = someone.page
    page.evaluate("sessionStorage.setItem('oracy.token', 'none')")
    someone.presses("link", "Learn", exact=True)
    someone.sees("heading", "Sign in")
    someone.is_accessible("signed out")
    someone.goes_to("textbox", "Your token")
    page.keyboard.type(token)
    page.keyboard.press("Enter")
    someone.sees("heading", "Practice")
    someone.sees("button", "Go on with your drill")


if __name__ == "__main__":
    options = arguments().parse_args()
    tell(lambda: practise(options))
