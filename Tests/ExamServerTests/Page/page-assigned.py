"""Homework on the page: a teacher assigns a lesson to a class and an exam to one learner, they are done by doing them, and the teacher sees who did what.

Usage: page-assigned.py BASE RECORDING.wav --format ID --paper ID --link SECRET --code CODE --name CLASS --lesson ID [--later]

With --later, it is a week later: what was not done is missing, and late once it is done. Each person has a browser context of their own. Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
import importlib

from chromium import chromium
from learner import Failed, arguments, tell, until

page_class = importlib.import_module("page-class")


def hold(options):
    with chromium(options.recording) as browser:
        teacher = page_class.person(browser, options, f"#/link/{options.link}")
        teacher.sees("heading", options.name)
        seen = later(browser, options, teacher) if options.later else first(browser, options, teacher)
        if teacher.complaints:
            raise Failed(f"the browser complained: {teacher.complaints[0]}")
        return seen


def first(browser, options, teacher):
    teacher.reads("#assigned-none", "Nothing is assigned yet.")
    ann, bo = (page_class.joins(browser, options, options.code, name) for name in ("Ann Lee", "Bo"))
    teacher.page.reload()
    teacher.reads("#members-title", "2 learners")
    title = assigns(teacher, f"lesson:{options.lesson}", "2026-11-25", note="Read it aloud.")
    # A live exam begins by the machine's clock, not by the test's.
    exam = assigns(teacher, f"paper:{options.format}/{options.paper}", "2098-12-31", to="Ann Lee")
    teacher.is_accessible("a class with assigned work")
    teacher.looks("class-assigned")
    sees_states(teacher, options.name, [f"{title} 0 of 2 done", f"{exam} 0 of 1 done"])

    # A learner without a plan sees assigned work first, and nothing of a classmate's.
    for someone in (ann, bo):
        to_today(someone)
        someone.reads("#front-plan .above", "From your teacher · by Wednesday, November 25")
        someone.reads("#front-plan", "Read it aloud.")
    if bo.page.locator("#front-assigned").is_visible():
        raise Failed(f"Bo sees a classmate's work: {bo.page.locator('#front-assigned').inner_text()}")
    ann.reads("#front-assigned-list", exam)
    ann.is_accessible("Today with assigned work")
    ann.looks("today-assigned")
    ann.presses("button", "Read the lesson")
    until(lambda: ann.page.locator("#lesson").is_visible(), "the lesson does not open", ann.page)
    to_today(ann)
    ann.reads("#front-plan", exam)
    ann.reads("#front-assigned-list", "done on Monday, November 23")
    ann.presses("button", "Begin the exam")
    ann.presses("button", "I agree")
    ann.presses("button", "Use the microphone")
    ann.reads("#verdict", "Fine")
    ann.presses("button", "Begin the exam")

    def is_over():
        # The preparation of the long turn may be cut short.
        ann.page.keyboard.press("s")
        return ann.page.locator("#results").is_visible()
    until(is_over, "the exam did not come to its results", ann.page)

    sees_states(teacher, options.name, [f"{title} 1 of 2 done", f"{exam} 1 of 1 done"])
    teacher.reads("#assigned-list", "Ann Lee: done on Monday, November 23")
    teacher.presses("button", f"Results: Ann Lee, {exam}")
    teacher.reads("#results-whose", "Ann Lee")
    teacher.presses("button", options.name, exact=True)
    return {"title": title, "exam": exam, "table": table(teacher)}


def later(browser, options, teacher):
    bo = page_class.person(browser, options, "#/today")
    bo.sees("heading", "Join your class")
    page_class.fills(bo, code=options.code, name="Bo", pin=page_class.PIN)
    bo.presses("button", "I have joined before")
    bo.reads("#front-plan .above", "From your teacher · was due Wednesday, November 25")
    title = bo.page.locator("#front-plan h2").inner_text()
    sees_states(teacher, options.name, [f"{title} 1 of 2 done, 1 missing"])
    bo.presses("button", "Read the lesson")
    until(lambda: bo.page.locator("#lesson").is_visible(), "the lesson does not open", bo.page)
    sees_states(teacher, options.name, [f"{title} 2 of 2 done, 1 late"])
    # Nothing is left to do, so a learner without a plan is asked for one.
    bo.page.goto(f"{bo.base}/#/learn")
    bo.sees("heading", "Practice")
    bo.page.goto(f"{bo.base}/#/today")
    bo.sees("heading", "What is your goal?")
    before = table(teacher)
    teacher.presses("button", f"Withdraw: {title}")
    teacher.presses("button", "Withdraw it")
    until(lambda: teacher.page.locator("#assigned-list > li").count() == 1, "the work is not withdrawn", teacher.page)
    return {"table": before}


def assigns(teacher, work, due, to="Everyone", note=""):
    """Assigns work by its form. Returns its title in the list."""
    count = teacher.page.locator("#assigned-list > li").count()
    teacher.presses("summary", "Assign work")
    until(lambda: teacher.page.locator("#assign-work option").count() > 50, "there is nothing to assign", teacher.page)
    teacher.page.locator("#assign-work").select_option(work)
    teacher.page.locator("#assign-to").select_option(label=to)
    if not teacher.page.locator("#assign-due").input_value():
        raise Failed("no day is proposed")
    teacher.page.locator("#assign-due").fill(due)
    teacher.page.locator("#assign-note").fill(note)
    teacher.presses("button", "Assign it")
    until(lambda: teacher.page.locator("#assigned-list > li").count() == count + 1, "the work is not listed", teacher.page)
    # Those due first come first.
    return teacher.page.locator("#assigned-list > li p b").nth(count).inner_text()


def to_today(someone):
    # Another screen first, so that the address changes and the list is fetched again.
    someone.page.goto(f"{someone.base}/#/learn")
    someone.sees("heading", "Practice")
    someone.page.goto(f"{someone.base}/#/today")
    someone.sees("heading", "Today")


def sees_states(teacher, group, wanted):
    """Waits until the teacher's list has these titles with these counts. An exam counts once it is measured."""
    seen = []

    def shown():
        teacher.page.reload()
        teacher.sees("heading", group)
        items = teacher.page.locator("#assigned-list > li").all()
        seen[:] = [f"{item.locator('p b').first.inner_text()} {item.locator('.facts').inner_text().split(' · ')[-1]}" for item in items]
        return set(wanted) <= set(seen)
    try:
        until(shown, f"the teacher does not see {wanted}", teacher.page)
    except Failed:
        raise Failed(f"the teacher does not see {wanted}, but {seen}") from None


def table(teacher):
    with teacher.page.expect_download() as started:
        teacher.presses("button", "Save as a table (CSV)")
    with open(started.value.path(), encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    parser = arguments()
    for name in ("link", "code", "name", "lesson"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--later", action="store_true")
    options = parser.parse_args()
    tell(lambda: hold(options))
