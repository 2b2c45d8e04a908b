"""A learner's plan on the page, with only a keyboard: the profile, today's tasks, another plan, home, settings, and erasing all of it.

Usage: page-plan.py BASE RECORDING.wav --token TOKEN

BASE is the server's address. RECORDING becomes the answer of an exam. Prints one line of JSON with what was seen. Exits with 1 and one
sentence if the page fails.
"""
import base64, datetime, hashlib, importlib, json, pathlib, re, urllib.request, uuid

from learner import MORNING, Failed, arguments, learner, study_day, tell, until
from plan_home import goes_home, settles
import patience

practice = importlib.import_module("page-practice")
goes_to_area, text = practice.goes_to_area, practice.text

TODAY = f"{study_day():%A}"


def plan(options):
    session = sits_an_exam(options)
    with learner(options.base, options.recording) as someone:
        someone.allows(True)
        keys = practice.right_options()
        someone.open(options.token)
        is_asked_who_they_are(someone)
        looks_at_the_week(someone)
        drills(someone, keys)
        reads_the_lesson(someone)
        changes_it(someone)
        looks_at_another(someone)
        takes_it_along(someone)
        looks_at_results(someone, session)
        goes_home(someone)
        settles(someone)
        erases(someone)
        if someone.complaints:
            raise Failed(f"the browser complained: {someone.complaints[0]}")
        return someone.seen


def sits_an_exam(options):
    """Uploads an exam that was held elsewhere. @returns its id"""
    session, answer = str(uuid.uuid4()), str(uuid.uuid4())
    sound = pathlib.Path(options.recording).read_bytes()
    digest = hashlib.sha256(sound)
    field = base64.b64encode(digest.digest()).decode()

    def put(path, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        ask = urllib.request.Request(f"{options.base}/v1/sessions/{session}{path}", data, method="PUT", headers={
            "Authorization": f"Bearer {options.token}", "Content-Type": "application/json", **headers})
        urllib.request.urlopen(ask, timeout=patience.PATIENCE).read()

    now = f"{MORNING:%Y-%m-%dT%H:%M:%SZ}"
    put("", {"id": session, "name": "A short exam", "format": "ielts-style", "paper": "bridges", "startedAt": now})
    put(f"/answers/{answer}/recording", sound, **{"Content-Type": "audio/wav", "Repr-Digest": f"sha-256=:{field}:"})
    put(f"/answers/{answer}", {
        "id": answer, "session": session, "question": "q", "part": 1, "order": 1, "attempt": 1, "end": "finished", "duration": 5, "speech": 4,
        "recording": {"path": "p", "byteCount": len(sound), "sha256": digest.hexdigest(), "mediaType": "audio/wav"}})
    put("/completion", {"id": str(uuid.uuid4()), "session": session, "completedAt": now, "outcome": "completed", "answers": 1, "delivered": 1})
    return session


def is_asked_who_they_are(someone):
    page = someone.page
    goes_to_area(someone, "Home")
    someone.reads("#front-plan", "Make your plan")
    someone.is_accessible("home of a new learner")
    someone.looks("plan-1-new")
    goes_to_area(someone, "Plan")
    someone.reads("#plan-none", "You have no plan yet")
    someone.is_accessible("no plan")
    someone.presses("button", "Make my plan")
    someone.sees("heading", "What is your goal?")
    someone.presses("button", "Say more")
    someone.sees("heading", "Make your plan")
    someone.is_accessible("profile")
    someone.looks("plan-2-profile")
    someone.goes_to("textbox", "Your name")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    # The message is at the invalid field, and the field has the focus.
    someone.reads("#profile-fault", "Your situation: is empty.")
    if page.evaluate("document.activeElement.id + document.activeElement.getAttribute('aria-invalid')") != "profile-stagetrue":
        raise Failed("the field that is wrong has no focus, or does not say that it is wrong")
    someone.is_accessible("fault")
    page.keyboard.type("second year")
    someone.goes_to("textbox", "What it is for")
    page.keyboard.type("IELTS 7")
    for day in ("Saturday", "Sunday"):
        someone.presses("checkbox", day, "Space", exact=True)
    someone.goes_to("spinbutton", "Hours a day")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    someone.reads("#profile-fault", "Hours a day: should be more than 0 and at most 16, not 99")
    someone.looks("plan-2-fault")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("0.5")
    someone.goes_to("textbox", "Your limits")
    page.keyboard.type(f"no speaking on {TODAY}\nsing every day")
    page.get_by_label("The day of your test").fill((study_day() + datetime.timedelta(days=30)).isoformat())
    # The browser reports the two requests that the server refused as errors.
    refused = [each for each in someone.complaints if "status of 400" in each]
    if len(refused) != 2:
        raise Failed(f"{len(refused)} profiles were refused, not 2")
    someone.complaints = [each for each in someone.complaints if each not in refused]
    someone.presses("button", "Keep it, and plan my week")
    someone.reads("#plan-said", "Kept, and your week is planned.")
    someone.reads("#plan-about", "30 days to your test")
    someone.reads("#plan-notes", "sing every day")


def tasks(someone):
    """Returns today's tasks: title and state."""
    items = someone.page.locator("#plan-today > li")
    return [(item.locator("b").inner_text(), item.locator(".facts").first.inner_text().split(" · ")[0]) for item in items.all()]


def looks_at_the_week(someone):
    someone.is_accessible("plan")
    someone.looks("plan-3-plan")
    someone.seen["today"] = tasks(someone)
    if not someone.seen["today"] or any(state != "open" for _, state in someone.seen["today"]):
        raise Failed(f"a new plan has today {someone.seen['today']}")
    if someone.page.locator(".day-of-week.today").count() != 1:
        raise Failed("today is not shown in the week")
    # The screen has an address.
    someone.page.reload()
    someone.sees("heading", "Your plan")


def is_done(someone, title):
    states = dict(tasks(someone))
    if not states.get(title, "").startswith("done"):
        raise Failed(f"“{title}” was done, and the plan says “{states.get(title)}”")
    if someone.page.locator("#plan-today > li", has_text=title).locator(".tick.done").inner_text() != "✓":
        raise Failed(f"“{title}” has no mark that it is done")


def starts(someone, words):
    """@returns the task's title"""
    made = someone.page.get_by_role("button", name=f"{words}: ").first
    title = made.get_attribute("aria-label").removeprefix(f"{words}: ")
    someone.presses("button", f"{words}: {title}", exact=True)
    return title


def drills(someone, keys):
    page = someone.page
    title = starts(someone, "Begin the drill")
    someone.seen["drilled"] = title
    for _ in range(100):
        prompt = practice.next_prompt(someone)
        if prompt in keys:
            practice.answers(someone, keys, is_right=True)
        else:
            page.keyboard.press("1")
        # The right answer is shown after any choice, so a repeated question can be answered right.
        right = page.locator("#drill-answer .option.right > span:nth-child(2)")
        right.first.wait_for()
        keys[prompt] = right.first.inner_text()
        done = text(someone, "#drill-done")
        page.keyboard.press("Enter")
        until(
            lambda: text(someone, "#drill-prompt").startswith("Done:") or page.locator("#drill-verdict .verdict-of").count() == 0,
            f"the drill does not go on from “{done}”", page=page)
        if text(someone, "#drill-prompt").startswith("Done:"):
            break
    goes_to_area(someone, "Plan")
    is_done(someone, title)


def reads_the_lesson(someone):
    title = starts(someone, "Read the lesson")
    someone.page.locator("#lesson-items > li").first.wait_for()
    someone.page.wait_for_load_state("networkidle")
    goes_to_area(someone, "Plan")
    if title in dict(tasks(someone)):
        is_done(someone, title)
    someone.is_accessible("plan, some of it done")
    someone.looks("plan-4-done")


def week(someone):
    return [each.inner_text() for each in someone.page.locator("#plan-week li span:not(.tick):not(.facts)").all()]


def changes_it(someone):
    """Has tasks made again, which keeps finished ones, and undoes that."""
    page, before, drilled = someone.page, week(someone), someone.seen["drilled"]
    someone.presses("button", "Other tasks")
    someone.reads("#plan-said", "The tasks are made anew; what is done stays. Version 2.")
    someone.is_accessible("made anew")
    if week(someone) == before:
        raise Failed("the tasks that were made anew are the same")
    is_done(someone, drilled)
    someone.presses("button", "Take the last change back")
    someone.reads("#plan-said", "The last change is taken back.")
    if week(someone) != before:
        raise Failed(f"what was taken back is not there again: {week(someone)}, not {before}")
    for words in ("times", "resources"):
        someone.presses("button", f"Other {words}")
        someone.reads("#plan-said", f"The {words} are made anew.")
    someone.seen["version"] = text(someone, "#plan-version")
    page.evaluate("scrollTo(0, 0)")


def looks_at_another(someone):
    version = text(someone, "#plan-version")
    for answer, says in (("Keep the plan I have", ""), ("Take this plan", "Taken: version ")):
        someone.presses("button", "Another plan…")
        someone.sees("heading", "Another plan")
        someone.page.locator("#plan-change-lists li").first.wait_for()
        someone.is_accessible("another plan")
        if not says:
            someone.looks("plan-5-another")
        someone.presses("button", answer)
        someone.sees("heading", "Your plan")
        if says:
            someone.reads("#plan-said", says)
        if (text(someone, "#plan-version") != version) != bool(says):
            raise Failed(f"after “{answer}” the plan is “{text(someone, '#plan-version')}”, and was “{version}”")


def saves(someone, button):
    with someone.page.expect_download() as download:
        someone.presses("button", button)
    return download.value.suggested_filename, pathlib.Path(download.value.path()).read_bytes()


def takes_it_along(someone):
    name, calendar = saves(someone, "Calendar")
    if name != "oracy-plan.ics":
        raise Failed(f"the calendar is called {name}")
    someone.hears("The calendar was saved")
    try:
        import icalendar
        titles = [str(event["SUMMARY"]) for event in icalendar.Calendar.from_ical(calendar).walk("VEVENT")]
    except ImportError:
        unfolded = calendar.decode().replace("\r\n ", "")
        titles = [re.sub(r"\\(.)", r"\1", each) for each in re.findall(r"^SUMMARY:(.*)\r$", unfolded, re.M)] if unfolded.startswith("BEGIN:VCALENDAR") else []
    someone.seen["calendar"] = titles
    titles = [re.sub(r"[0-9a-f]{8}-[-0-9a-f]{27}", "your exam", title) for title in titles]
    missing = [title for title in week_titles(someone) if title not in titles]
    if not titles or missing:
        raise Failed(f"the calendar has {titles}, not {missing}")
    someone.presses("button", "Prep pack")
    someone.sees("heading", "Your prep pack")
    someone.reads("#prep-outline", "Part 1")
    someone.is_accessible("prep pack")
    someone.looks("plan-6-prep")
    someone.presses("button", "Your plan", exact=True)
    someone.sees("heading", "Your plan")


def week_titles(someone):
    return [each.split("\n")[0] for each in week(someone)]


def looks_at_results(someone, session):
    """Opens the results of an exam. The page reports only once that they were read."""
    goes_to_area(someone, "Exams")
    with someone.page.expect_response(re.compile("/v1/plan/reviewed$")) as told:
        someone.presses("button", "Results: ")
    if told.value.status != 204 or json.loads(told.value.request.post_data) != {"session": session}:
        raise Failed(f"the server answered the page's report that the results were read with {told.value.status}")
    someone.sees("heading", "Results")
    someone.presses("button", "Your exams", exact=True)
    someone.sees("heading", "Sit an exam")


def erases(someone):
    page = someone.page
    goes_to_area(someone, "Plan")
    someone.presses("button", "Your profile")
    name, copy = saves(someone, "Save a copy")
    if json.loads(copy)["profile"]["name"] != "Ana" or json.loads(copy)["profile"]["goalBand"] != 7:
        raise Failed(f"{name} has {copy[:200]}")
    someone.goes_to("spinbutton", "Hours a day")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("1")
    someone.presses("button", "Keep it", exact=True)
    someone.reads("#plan-said", "Kept. The plan is as it was")
    someone.presses("button", "Your profile")
    if page.get_by_label("Hours a day").input_value() != "1":
        raise Failed("what was kept is not there")
    someone.presses("button", "Erase profile and plans")
    someone.reads("#sure-text", "This cannot be undone")
    someone.is_accessible("erase")
    someone.presses("button", "Keep them")
    someone.presses("button", "Erase profile and plans")
    someone.presses("button", "Erase for good")
    someone.reads("#plan-said", "Your profile and plans are erased.")
    someone.reads("#plan-none", "You have no plan yet")
    page.reload()
    someone.reads("#plan-none", "You have no plan yet")
    plans_in_three_taps(someone)


def plans_in_three_taps(someone):
    """Three taps make a plan. Back changes an answer, and the first step of the plan is the one thing on the first screen."""
    page = someone.page
    someone.presses("button", "Make my plan")
    someone.is_accessible("first visit")
    someone.looks("plan-9-first-visit")
    someone.presses("button", "Band 6.5")
    someone.sees("heading", "When is your test?")
    someone.is_accessible("the day of the test")
    someone.presses("button", "Back", exact=True)
    someone.presses("button", "Band 7", exact=True)
    someone.presses("button", "In a month")
    someone.sees("heading", "How much time do you have?")
    someone.looks("plan-9-minutes")
    someone.presses("button", "20 minutes")
    someone.sees("heading", "Today")
    someone.reads("#front-goal", "Band 7")
    someone.reads("#front-test", "30 days to your test")
    someone.reads("#front-minutes", "of 20 min")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("scrollTo(0, 0)")
    main = page.locator("#front-plan button.main")
    box = main.bounding_box()
    if main.count() != 1 or box["y"] + box["height"] > page.locator("#areas").bounding_box()["y"]:
        raise Failed("the one thing to do is not visible on a telephone without scrolling")
    page.set_viewport_size({"width": 1280, "height": 900})
    someone.seen["first step"] = text(someone, "#front-plan h2")


if __name__ == "__main__":
    options = arguments().parse_args()
    tell(lambda: plan(options))
