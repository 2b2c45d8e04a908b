"""Tests failures: a microphone denied and removed, an exam left, taken over and withdrawn, and no server.

Usage: page-failures.py BASE RECORDING.wav [--token TOKEN] [--format ID] [--paper ID]

As page-test.py. The exam may be of any length: it is left early, and erased in the end.
"""
import re
from learner import Failed, arguments, learner, tell, until


def fail(options):
    with learner(options.base, options.recording) as someone:
        someone.chooses = {"Exam": options.format, "Questions": options.paper}
        someone.open(options.token)
        is_refused(someone)
        someone.presses("button", "Begin the exam")
        someone.page.locator("#exam-menu").wait_for()
        someone.reads("#headline", re.compile("Your turn:|Listening"))
        warns_of_leaving(someone)
        loses_the_microphone(someone)
        leaves_and_returns(someone)
        is_taken_over(someone, options)
        withdraws_and_erases(someone)
        finds_no_server(someone)
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return someone.seen


def is_refused(someone):
    someone.allows(False)
    someone.starts("Practice")
    someone.presses("button", "Use the microphone")
    someone.reads("#problem", "The microphone is not allowed.")
    someone.seen["refused"] = someone.page.locator("#problem").inner_text()
    someone.is_accessible("microphone refused")
    someone.looks("6-refused")
    someone.allows(True)
    someone.presses("button", "Use the microphone")
    someone.sees("button", "Begin the exam")


def warns_of_leaving(someone):
    asked = []
    someone.page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    someone.page.close(run_before_unload=True)
    until(lambda: asked == ["beforeunload"], "the page can be left in the middle of an exam without a warning", page=someone.page)
    someone.seen["warned"] = True


def loses_the_microphone(someone):
    """The learner withdraws the permission, and grants it again."""
    someone.allows(False)
    someone.reads("#headline", "Interrupted.")
    someone.reads("#more", "The microphone is not allowed.")
    someone.seen["lost"] = someone.page.locator(".state").inner_text()
    someone.is_accessible("interrupted")
    someone.looks("7-interrupted")
    someone.allows(True)
    interrupted = someone.page.locator("#headline", has_text="Interrupted.")
    someone.must(lambda: interrupted.wait_for(state="detached"), "the microphone did not come back")
    someone.seen["back"] = True


def leaves_and_returns(someone):
    someone.page.keyboard.press("q")
    someone.sees("heading", "Leave the exam?")
    someone.is_accessible("leaving")
    someone.looks("8-leaving")
    someone.page.keyboard.press("Escape")
    someone.must(lambda: someone.page.locator("#sure").wait_for(state="hidden"), "Escape does not keep the learner in the exam")
    someone.presses("summary", "Menu")
    someone.presses("button", "Leave…")
    someone.presses("button", "Leave", exact=True)
    someone.sees("heading", "You have left the exam.")
    someone.is_accessible("left")
    someone.looks("9-left")
    someone.presses("button", "Your exams")
    goes_on(someone)
    someone.seen["returned"] = True


def goes_on(someone):
    someone.presses("button", "Go on: ")
    someone.presses("button", "Use the microphone")
    someone.presses("button", "Begin the exam")
    someone.sees("heading", "Part ")


def is_taken_over(someone, options):
    """Another window of the same learner continues the exam, and the first one takes it back."""
    other = type(someone)(someone.page.context.new_page(), options.base)
    other.open(options.token)
    goes_on(other)
    someone.page.bring_to_front()
    someone.sees("heading", "The exam goes on in another window.")
    someone.presses("button", "Go on with the exam here")
    someone.presses("button", "Use the microphone")
    someone.presses("button", "Begin the exam")
    someone.sees("heading", "Part ")
    other.sees("heading", "The exam goes on in another window.")
    other.page.close()
    someone.complaints += other.complaints
    someone.seen["takenOver"] = True


def withdraws_and_erases(someone):
    page = someone.page
    someone.presses("summary", "Menu")
    someone.presses("button", "Withdraw…")
    someone.presses("button", "Withdraw for good")
    someone.sees("heading", "Results")
    someone.reads("#results-about", "withdrawn")
    someone.seen["answers"] = page.locator("#answers .answer").count()
    someone.presses("button", "Your exams")
    someone.sees("heading", "Sit an exam")
    before = page.locator("#sessions li").count()
    someone.is_accessible("list")
    someone.looks("10-list")
    someone.presses("button", "Results: ")
    someone.presses("button", "Erase this exam")
    someone.presses("button", "Erase for good")
    someone.sees("heading", "Sit an exam")
    if page.locator("#sessions li").count() != before - 1:
        raise Failed("an erased exam is still in the list")
    someone.seen["erased"] = True


def finds_no_server(someone):
    """Every press of a button gets an answer. Without a network, the button to begin says that at once."""
    someone.starts("Test")
    someone.presses("button", "Use the microphone")
    begin = someone.sees("button", "Begin the exam")
    someone.page.route("**/v1/exams", lambda route: route.abort("internetdisconnected"))
    someone.presses("button", "Begin the exam")
    someone.reads("#problem", "The server cannot be reached.")
    someone.page.unroute("**/v1/exams")
    someone.offline(True)
    until(lambda: begin.get_attribute("aria-disabled") == "true", "an exam can be begun without a network", page=someone.page)
    someone.offline(False)
    someone.presses("button", "Back")
    someone.sees("heading", "Sit an exam")
    someone.seen["noServer"] = True


if __name__ == "__main__":
    options = arguments().parse_args()
    tell(lambda: fail(options))
