"""A class on the page: a teacher with a link, and two learners who join by code, name and PIN, sit a short exam, and are seen by the teacher.

Usage: page-class.py BASE RECORDING.wav --format ID --paper ID --link SECRET --name CLASS

Each person has a browser context of their own. Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
from chromium import chromium
from learner import Failed, arguments, learner_in, tell, until

PIN, NEW_PIN = "502916", "702917"


def hold(options):
    with chromium(options.recording) as browser:
        teacher = person(browser, options, f"#/link/{options.link}")
        teacher.sees("heading", options.name)
        if options.link in teacher.page.url:
            raise Failed("the teacher's link stays in the address")
        code = teacher.page.locator("#class-code").inner_text()
        teacher.reads("#members-none", "No learner has joined yet.")
        teacher.is_accessible("a new class")

        ann, bo = (joins(browser, options, code, name) for name in ("Ann Lee", "Bo"))
        is_told_apart(browser, options, code)
        sit(options, [ann, bo])
        sees_the_class(teacher, options)
        knows_who_sees(ann, options)
        changes_the_pin(ann)
        comes_back(ann, code)
        gets_a_new_pin(teacher, bo, code)
        seen = {"code": code}
        for someone in (teacher, ann, bo):
            if someone.complaints:
                raise Failed(f"the browser complained: {someone.complaints[0]}")
            for key, told in someone.seen.items():
                seen[key] = seen.get(key, []) + told if isinstance(told, list) else told
        return seen


def person(browser, options, address):
    # As a person who continues after the browser's warning.
    someone = learner_in(browser, options.base, ignore_https_errors=True)
    # The page shows these refusals to the learner, so they are not faults of the page.
    expected = ("status of 403", "status of 404", "status of 409")
    someone.page.remove_listener("console", someone._listen)
    someone.page.on("console", lambda message: any(words in message.text for words in expected) or someone._listen(message))
    someone.page.goto(f"{someone.base}/{address}")
    return someone


def fills(someone, **fields):
    for field, text in fields.items():
        someone.page.locator(f"#join-{field}").fill(text)


def joins(browser, options, code, name):
    someone = person(browser, options, f"#/join/{code}")
    someone.sees("heading", "Join your class")
    if someone.page.locator("#join-code").input_value() != code:
        raise Failed("the code of the address is not filled in")
    if name == "Bo":
        someone.is_accessible("joining a class")
        someone.looks("class-join")
    someone.goes_to("textbox", "Your name")
    someone.page.keyboard.type(name)
    someone.goes_to("textbox", "PIN")
    someone.page.keyboard.type(PIN)
    someone.presses("button", "Join the class")
    until(lambda: someone.page.locator("#areas").is_visible() or someone.page.locator("#join").is_hidden(), "joining leads nowhere", someone.page)
    return someone


def is_told_apart(browser, options, code):
    """A wrong code, a taken name and a wrong PIN each have their words."""
    someone = person(browser, options, "#/speak")
    someone.sees("heading", "Join your class")
    fills(someone, code="AAAA-2222", name="Cleo", pin=PIN)
    someone.presses("button", "Join the class")
    someone.reads("#problem", "No class has this code")
    fills(someone, code=code, name="ann  lee", pin=PIN)
    someone.presses("button", "Join the class")
    someone.reads("#problem", "This name is taken")
    fills(someone, pin="602916")
    someone.presses("button", "I have joined before")
    someone.reads("#problem", "Name or PIN is wrong")
    someone.page.context.close()


def sit(options, learners):
    for someone in learners:
        someone.page.goto(f"{someone.base}/#/speak")
        someone.sees("heading", "Sit an exam")
        someone.chooses = {"Exam": options.format, "Questions": options.paper}
        someone.starts("Practice")
        someone.presses("button", "Use the microphone")
        someone.reads("#verdict", "Fine")
        someone.presses("button", "Begin the exam")
    for someone in learners:
        def is_over():
            # The preparation of the long turn may be cut short.
            someone.page.keyboard.press("s")
            return someone.page.locator("#results").is_visible()
        until(is_over, "the exam did not come to its results", someone.page)


def sees_the_class(teacher, options):
    teacher.page.reload()
    teacher.sees("heading", options.name)
    teacher.reads("#members-title", "2 learners")
    until(lambda: teacher.page.locator("#group-sessions > li").count() == 2, "the teacher does not see both exams", teacher.page)
    listed = teacher.page.locator("#group-sessions > li b").all_inner_texts()
    if sorted(listed) != ["Ann Lee", "Bo"]:
        raise Failed(f"the exams are those of {listed}")
    teacher.is_accessible("a class with learners")
    teacher.looks("class-teacher")
    teacher.presses("button", "Results")
    teacher.reads("#results-whose", listed[0])
    teacher.presses("button", options.name, exact=True)
    teacher.sees("heading", options.name)


def knows_who_sees(someone, options):
    someone.page.goto(f"{someone.base}/#/settings")
    someone.reads("#class-words", f"You are Ann Lee in the class {options.name}. The teacher (Ms Hale) can see and hear your exams.")
    someone.is_accessible("a learner's settings")


def changes_the_pin(someone):
    someone.presses("summary", "Change my PIN")
    someone.page.locator("#pin-now").fill(NEW_PIN)
    someone.page.locator("#pin-new").fill("802917")
    someone.presses("button", "Change the PIN")
    someone.reads("#problem", "Your present PIN is wrong")
    someone.page.locator("#pin-now").fill(PIN)
    someone.page.locator("#pin-new").fill(NEW_PIN)
    someone.presses("button", "Change the PIN")
    someone.reads("#pin-said", "Your PIN is changed.")
    someone.is_accessible("a changed PIN")


def comes_back(someone, code):
    """Signing out asks for the name and the PIN again, and leads back to the same screen. Nothing of the learner stays in the form."""
    someone.presses("button", "Sign out", exact=True)
    someone.sees("heading", "Join your class")
    kept = [someone.page.locator(f"#join-{field}").input_value() for field in ("code", "name", "pin")]
    if kept != [code, "", ""]:
        raise Failed(f"after signing out, the form has {kept}")
    fills(someone, name="ANN LEE", pin=NEW_PIN)
    someone.presses("button", "I have joined before")
    someone.sees("heading", "Settings")


def gets_a_new_pin(teacher, someone, code):
    teacher.presses("button", "New PIN for Bo")
    teacher.presses("button", "Make a new PIN")
    teacher.reads("#members-list", "New PIN of Bo: ")
    said = teacher.page.locator("#members-list [role=status]").filter(has_text="New PIN").inner_text()
    pin = said.split(": ")[1].split(".")[0]
    someone.page.reload()
    someone.reads("#problem", "You were signed out.")
    fills(someone, name="Bo", pin=pin)
    someone.presses("button", "I have joined before")
    until(lambda: someone.page.locator("#join").is_hidden(), "the new PIN does not sign in", someone.page)
    teacher.presses("button", "Remove Bo")
    teacher.presses("button", "Remove", exact=True)
    teacher.reads("#members-title", "1 learner")


if __name__ == "__main__":
    parser = arguments()
    parser.add_argument("--link")
    parser.add_argument("--name")
    options = parser.parse_args()
    tell(lambda: hold(options))
