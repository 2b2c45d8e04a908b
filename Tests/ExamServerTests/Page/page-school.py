"""A school on the page: results that grow while a learner watches, a teacher with a group, a marker who marks by keyboard.

Usage: page-school.py BASE SERVICE SESSION GROUP --learner TOKEN --teacher TOKEN --marker TOKEN

BASE is the server's address. SERVICE is a scripted service that judges: each GET of SERVICE/let allows it to answer one more call, and of
SERVICE/all any number. SESSION is over, has two answers and belongs to GROUP, whose teacher has no other group. A third party waits for a
consent. Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
import argparse, urllib.request
from chromium import chromium
from learner import Failed, Learner, tell, until
from patience import PATIENCE

PLACE = "#answers .answer"


class School:
    """A browser in which each person has a page and a sign-in of their own."""

    def __init__(self, browser, options):
        self.browser, self.options = browser, options

    def person(self, token):
        someone = Learner(self.browser.context().new_page(), self.options.base)
        someone.open(token)
        return someone

    def works(self, token, area):
        """A person whose first screen is that of their work."""
        someone = self.person(token)
        someone.presses("link", area, exact=True)
        until(lambda: someone.current("header") == area, f"“{area}” is not told as the present part", page=someone.page)
        return someone

    def service(self, path):
        urllib.request.urlopen(f"{self.options.service}/{path}", timeout=PATIENCE).read()


def visit(options):
    with chromium() as browser:
        school = School(browser, options)
        learner = school.person(options.learner)
        watches_results_grow(school, learner)
        teacher = asks_for_marks(school)
        marker = marks_the_exam(school)
        sees_the_marks(learner)
        sees_the_result(teacher)
        agrees_and_looks_who_read(learner)
        seen = {}
        for someone in (learner, teacher, marker):
            if someone.complaints:
                raise Failed(f"the browser complained: {someone.complaints[0]}")
            for name, what in someone.seen.items():
                seen[name] = seen[name] + what if isinstance(what, list) and name in seen else what
        return seen


def texts(someone, selector):
    return [each.strip() for each in someone.page.locator(selector).all_inner_texts()]


def watches_results_grow(school, someone):
    """One answer's words come, then the other's, then their mistakes, and marks, without reloading the page."""
    page = someone.page
    someone.presses("button", "Results")
    someone.reads("#scores", "The answers are being assessed.")
    page.evaluate("window.stayed = true")
    until(lambda: page.locator(PLACE).count() == 2, "the answers are not shown", page=page)

    grown = lambda: [len(texts(someone, f"{PLACE}:nth-child({place}) .transcript")) for place in (1, 2)]
    if grown() != [0, 0]:
        raise Failed("words were shown that were not recognised")
    school.service("let")
    until(lambda: sum(map(bool, grown())) == 1, "the first answer's words did not come by themselves", page=page)
    someone.seen["after the first call"] = grown()
    school.service("all")
    until(lambda: all(grown()), "the second answer's words did not come by themselves", page=page)
    until(lambda: page.locator(f"{PLACE} mark").count() >= 2, "mistakes are not marked in the words", page=page)
    someone.reads("#scores", "Grammar")
    someone.reads("#scores", "llama")
    someone.reads("#estimate", "about ")
    someone.reads("#estimate", "by llama")
    someone.reads("#results-about", "your results are ready")
    if not page.evaluate("window.stayed"):
        raise Failed("the page was loaded again")
    someone.seen["scores"] = page.locator("#scores dl.scores").first.inner_text()
    someone.presses("summary", "Sources of the marks")
    someone.reads("#scores", "asked 3 times")
    someone.presses("summary", "What llama said")
    someone.reads(".said[open]", "You speak on.")
    someone.reads(".said[open]", "3 × quotes that are not in the answer")
    someone.reads("#answers", "cloud said nothing. You did not agree that anything is sent to cloud.invalid.")
    someone.is_accessible("results that grew")
    someone.looks("6-grown")


def asks_for_marks(school):
    someone, group = school.works(school.options.teacher, "Class"), school.options.group
    page = someone.page
    someone.sees("heading", f"Group {group}")
    until(lambda: page.locator("#group-sessions > li").count() > 0, "the group has no exams", page=page)
    listed = texts(someone, "#group-sessions > li")
    if len(listed) != 1 or "Ann of 7b" not in listed[0]:
        raise Failed(f"the group is not its one learner: {listed}")
    someone.is_accessible("group")
    someone.looks("7-group")
    someone.presses("button", "Results")
    someone.reads("#results-whose", "Ann of 7b")
    until(lambda: page.locator(f"{PLACE} mark").count() >= 2, "the teacher does not see the mistakes", page=page)
    for gone in ("#erase", ".own-words"):
        if page.locator(gone).locator("visible=true").count() > 0:
            raise Failed(f"a teacher is offered {gone} of another user's exam")
    someone.presses("button", "Listen to Part 1, question 1")
    until(lambda: page.evaluate("document.querySelector('audio')?.currentTime > 0"), "a teacher cannot hear an answer", page=page)
    someone.presses("button", f"Group {group}")
    someone.presses("button", "Have it marked…")
    someone.presses("button", "Have it marked", exact=True)
    someone.reads("#group-sessions", "0 of 1 person has marked it")
    return someone


def marks_the_exam(school):
    someone = school.works(school.options.marker, "Desk")
    page = someone.page
    someone.reads("#marking-waiting", "1 exam waits to be marked.")
    someone.is_accessible("marking")
    someone.looks("8-marking")
    someone.presses("button", "Take the next exam")
    someone.sees("heading", "Your marks")
    until(lambda: page.locator("#desk-answers > li").count() == 2, "the desk has no answers", page=page)
    blind = page.locator("main").inner_text()
    for hidden in ("Ann", "llama", "He don't", "2026"):
        # The day until which the marker has the exam contains the year, too.
        if hidden in blind.replace(page.locator("#desk-about").inner_text(), ""):
            raise Failed(f"a marker who has not marked yet is shown “{hidden}”")

    # With only the keyboard: an answer, a note at a moment of it, a mark for each criterion.
    page.keyboard.press("p")
    until(lambda: page.evaluate("document.querySelector('#desk-answers audio')?.currentTime > 0.5"), "P does not play the answer", page=page)
    page.get_by_label("Speed", exact=True).select_option("1.5")
    if page.evaluate("document.querySelector('#desk-answers audio').playbackRate") != 1.5:
        raise Failed("the answer is not played faster")
    page.keyboard.press("c")
    page.keyboard.type("lovely p, v and j")
    page.keyboard.press("Enter")
    someone.reads("#desk-answers .comments", "lovely p, v and j")
    page.keyboard.press("j")
    if page.evaluate("document.activeElement.textContent") != "Part 1, question 2":
        raise Failed("J does not go to the next answer")
    for letter, band in (("f", "6.5"), ("v", "6"), ("g", "6"), ("n", "7")):
        page.keyboard.press(letter)
        page.keyboard.type(band)
        page.keyboard.press("Tab")
    chosen = page.locator("#desk-criteria select").evaluate_all("fields => fields.map(({ value }) => value)")
    if chosen != ["6.5", "6", "6", "7", ""]:
        raise Failed(f"the keyboard chose {chosen}")
    around = texts(someone, "#band-fluency p")
    if [each[0] for each in around] != ["7", "6"]:
        raise Failed(f"beside 6.5 stand {around}")
    someone.reads("#draft", "The draft is kept.")
    someone.is_accessible("desk")
    someone.looks("9-desk")

    # A marker who loads the page again is at the same desk, and finds the draft.
    page.reload()
    someone.sees("heading", "Your marks")
    someone.reads("#draft", "Your draft is here again.")
    someone.reads("#desk-answers .comments", "lovely p, v and j")
    someone.presses("button", "Save the marks…")
    someone.reads("#sure-text", "Fluency and coherence: 6.5")
    someone.presses("button", "Save for good")
    someone.reads("#desk-scores", "marker 1, a person")
    someone.presses("summary", "Sources of the marks")
    someone.reads("#desk-scores", "llama")
    if page.locator("#save-marks").is_visible():
        raise Failed("marks that are final can be saved again")
    someone.is_accessible("desk, saved")
    someone.looks("10-saved")
    someone.presses("button", "Take the next exam")
    someone.hears("Nothing waits just now.")
    someone.sees("heading", "Mark exams")
    someone.presses("summary", "How well markers agree")
    someone.reads("#agreement-list", "of the 20 exams that are needed")
    someone.is_accessible("agreement")
    return someone


def sees_the_marks(someone):
    """On the same page, a person's marks beat the machine's, and name the marker."""
    someone.reads("#scores", "marker 1, a person")
    someone.reads("#scores", "It does not count.") if someone.page.locator("#scores details[open]").count() else None
    someone.reads("#answers .comments", "lovely p, v and j")
    if not someone.page.evaluate("window.stayed"):
        raise Failed("the page was loaded again")
    someone.seen["marks"] = someone.page.locator("#scores dl.scores").first.inner_text()
    someone.looks("11-marked")


def sees_the_result(someone):
    someone.page.reload()
    someone.reads("#group-sessions", "1 of 1 person has marked it")
    someone.reads("#group-sessions", "Fluency 6.5")


def agrees_and_looks_who_read(someone):
    page = someone.page
    someone.presses("button", "Your exams")
    someone.presses("summary", "Who has read your exams")
    someone.reads("#readings-list", "a teacher")
    someone.reads("#readings-list", "a marker")
    someone.presses("summary", "Who else gets your answers")
    someone.reads("#third-parties-list", "You have not agreed: nothing is sent there.")
    someone.is_accessible("home of a learner")
    someone.looks("12-readings")
    someone.presses("button", "Agree for cloud.invalid")
    someone.reads("#sure-text", "are sent to cloud.invalid, without your name")
    someone.presses("button", "I agree")
    someone.reads("#third-parties-list", "You agreed on")
    someone.presses("button", "Take back the consent for cloud.invalid")
    someone.reads("#third-parties-list", "You have not agreed: nothing is sent there.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("base", "service", "session", "group", "--learner", "--teacher", "--marker"):
        parser.add_argument(name)
    options = parser.parse_args()
    tell(lambda: visit(options))
