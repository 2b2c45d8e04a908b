"""A school's account on the page: a learner and a teacher sign in at a sign-in service of others, come back to the screen that they left, and sign out
at both; someone declines, and someone has no place here.

Usage: page-school-account.py BASE RECORDING.wav

Each person has a browser context of their own. Prints one line of JSON with what was seen. Exits with 1 and one sentence if the page fails.
"""
from chromium import chromium
from learner import Failed, arguments, learner_in, tell, until

BUTTON = "Sign in with Elm School"


def visit(options):
    with chromium(options.recording) as browser:
        ann = person(browser, options, "#/settings")
        ann.sees("heading", "Sign in")
        ann.is_accessible("a school's button")
        ann.looks("school-sign-in")
        if ann.page.locator("#token").is_visible():
            raise Failed("the page asks for a token, which this server does not take")
        goes_to_school(ann)
        declines(ann)
        ann.reads("#problem", "This sign-in does not count any more.")
        goes_to_school(ann)
        agrees(ann, "ann")
        # The screen that was left.
        ann.page.goto(f"{ann.base}/#/settings")
        ann.sees("heading", "Settings")
        ann.reads("#school-words", "You signed in with Elm School. You are in elm:7b. The teachers of these groups can see and hear your exams.")
        ann.is_accessible("settings with a school")

        hale = person(browser, options, "#/settings")
        goes_to_school(hale)
        agrees(hale, "hale")
        hale.reads("#school-words", "You teach elm:7b: you see and hear those learners’ exams.")
        if not hale.page.url.endswith("/#/settings"):
            raise Failed(f"the school leads back to {hale.page.url}")

        cleo = person(browser, options, "#/speak")
        goes_to_school(cleo)
        agrees(cleo, "cleo")
        cleo.reads("#problem", "Your account may not use this server.")
        cleo.is_accessible("a refused account")

        # Signing out leads to the school's own page, and from there back.
        ann.presses("button", "Sign out", exact=True)
        until(lambda: "/oauth2/end_session" in ann.page.url, "signing out does not lead to the school", ann.page)
        ann.page.goto(f"{ann.base}/#/settings")
        ann.sees("heading", "Sign in")
        for someone in (ann, hale, cleo):
            if someone.complaints:
                raise Failed(f"the browser complained: {someone.complaints[0]}")
        return {"signedIn": ["ann", "hale"]}


def person(browser, options, address):
    someone = learner_in(browser, options.base)
    # The school's own page has an icon of which this server knows nothing.
    someone.page.remove_listener("console", someone._listen)
    someone.page.on("console", lambda message: someone.page.url.startswith(someone.base) and someone._listen(message))
    someone.page.goto(f"{someone.base}/{address}")
    return someone


def goes_to_school(someone):
    someone.presses("button", BUTTON)
    until(lambda: "/oauth2/authorize" in someone.page.url, "the button does not lead to the school", someone.page)


def declines(someone):
    someone.page.get_by_role("button", name="Deny").click()
    until(lambda: someone.page.url.startswith(someone.base), "the school does not lead back", someone.page)


def agrees(someone, name):
    someone.page.get_by_role("button", name=name, exact=True).first.click()
    until(lambda: someone.page.url.startswith(someone.base), "the school does not lead back", someone.page)


if __name__ == "__main__":
    tell(lambda: visit(arguments().parse_args()))
