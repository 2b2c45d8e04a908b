"""The learner's home and settings, for page-plan.py: progress, a search through exams, colours, name and picture, goal, reminders."""
import base64, importlib, re, uuid

from learner import Failed, until

goes_to_area = importlib.import_module("page-practice").goes_to_area

# The smallest PNG: one red pixel.
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==")

# Tasks that a week doesn't always have today. They are added to the server's.
TASKS = [
    {"id": "added-1", "title": "Part 2 of an exam, about food", "link": "sit:part2/food", "command": "oracy run --part 2 --topic food", "minutes": 10, "reason": "New."},
    {"id": "added-2", "title": "Repeat after me", "link": "speak:repeat", "command": "oracy practice speak repeat", "minutes": 10, "reason": "New."},
]

# Exams over months, which a test can't sit. The page gets them in place of the server's.
EXAMS = [{"session": str(number), "day": f"2026-10-{number * 3:02}", "word": ["hesitant", "steady"][number > 4], "estimate": [],
          "measures": {"phonationTimeRatio": {"value": 40 + 3.0 * number, "error": 4}, "speechRate": {"value": 2.4 + number / 10}}} for number in range(1, 9)]
EXAMS[2]["measures"] = {}
POINTS = "".join(f'<path class="range" d="M{60 + 38 * number} {140 - 10 * number}V30" stroke-width="8"/>' for number in range(8))
PROGRESS = {
    "format": {"id": "ielts-style", "title": "IELTS-style interview"},
    "formats": [{"id": "ielts-style", "title": "IELTS-style interview"}, {"id": "own"}], "exams": EXAMS,
    "changes": [{"measure": "speechRate", "direction": "same", "sentence": "speech rate: 3.2/s, before 3.0/s, no clear change."},
                {"measure": "phonationTimeRatio", "direction": "rose", "sentence": "time speaking: 64 % (± 4), before 55 % (± 2), a clear rise."}],
    "panels": [{"id": "phonationTimeRatio", "title": "time speaking, %", "words": "time speaking: 64 %, a clear rise.",
                "svg": f'<svg xmlns="http://www.w3.org/2000/svg" width="360" height="172" viewBox="0 0 360 172" role="img"><title>time speaking, %</title>{POINTS}</svg>'}],
    "key": "Exams from left to right.",
}


def goes_home(someone):
    page = someone.page

    def told(route):
        answer = route.fetch()
        kept = answer.json()
        for task in TASKS:
            kept["plan"]["dailyTasks"][kept["weekday"]].append(task)
            kept["today"].append(task["id"])
            kept["ticks"][task["id"]] = {"state": "partly", "share": 0.3}
        route.fulfill(response=answer, json={**kept, "points": ["Speak in longer runs."]})

    one = {"format": "ielts-style", "paper": "bridges", "name": "A short exam", "mode": "test", "status": "completed"}

    def sessions(route):
        is_older = "before" in route.request.url
        some = [{**one, "id": str(uuid.uuid4()), "startedAt": f"2026-{9 - is_older:02}-{day:02}T10:00:00Z"} for day in range(8, 0, -1)]
        route.fulfill(json={"sessions": some, **({} if is_older else {"next": "older"})})

    def progress(route):
        asked = "own" if "format=own" in route.request.url else "ielts-style"
        route.fulfill(json={**PROGRESS, "format": {"id": asked}, "exams": EXAMS if asked == "ielts-style" else EXAMS[:1]})

    page.route(re.compile("/v1/plan$"), told)
    page.route(re.compile("/v1/progress([?].*)?$"), progress)
    page.route(re.compile("/v1/sessions([?].*)?$"), sessions)
    goes_to_area(someone, "Home")
    someone.reads("#front-points", "Speak in longer runs.")
    someone.is_accessible("home")
    someone.looks("plan-7-home")
    goes_to_area(someone, "Statistics")
    someone.reads("#progress-changes", "Time speaking: 64 % (± 4), before 55 % (± 2), a clear rise.")
    if "clear rise" not in page.locator("#progress-changes li").first.inner_text():
        raise Failed("a clear change does not come first")
    someone.has_ink(page.locator("#progress-chart svg"), "the drawing of progress")
    someone.is_accessible("progress")
    someone.looks("plan-7-progress")
    someone.presses("summary", "The same as a table")
    if page.locator("#progress-table tbody tr").count() != 8:
        raise Failed("the table has not all exams")
    someone.reads("#progress-table", "43 ± 4")
    someone.goes_to("combobox", "Exams compared")
    page.locator("#progress-format").select_option("own")
    until(lambda: page.locator("#progress-table tbody tr").count() == 1, "the exams of the other format are not shown", page)
    someone.presses("summary", "What the bands sound like")
    someone.reads("#bands", "Band 9")
    goes_to_area(someone, "Exams")
    someone.presses("summary", "Find an exam")
    someone.reads("#exam-found", "16 exams")
    someone.goes_to("searchbox", "Search")
    page.keyboard.type("2026-08-03")
    someone.reads("#exam-found", "1 exam of 16 found")
    someone.is_accessible("exams, opened")
    someone.looks("plan-7-opened")
    begins_an_exam(someone)
    page.unroute(re.compile("/v1/plan$"))
    page.unroute(re.compile("/v1/progress([?].*)?$"))
    page.unroute(re.compile("/v1/sessions([?].*)?$"))


def begins_an_exam(someone):
    """A task for an exam leads to the choice of exams, and one for a drill aloud to that drill. No command is shown."""
    page = someone.page
    goes_to_area(someone, "Plan")
    someone.sees("button", "Go to the drill: Repeat after me")
    someone.reads("#plan-today", "partly done: 30 %")
    if "oracy" in page.locator("main").inner_text():
        raise Failed("the page shows a command for a terminal")
    someone.is_accessible("plan with an exam")
    someone.looks("plan-7-exam")
    someone.presses("button", "Go to the drill: Repeat after me")
    someone.sees("heading", "Practise speaking")
    if not page.get_by_role("radio", name="Repeat after me").is_checked():
        raise Failed("the plan's drill is not chosen")
    goes_to_area(someone, "Plan")
    someone.presses("button", "Go to the exam: Part 2 of an exam, about food")
    someone.sees("heading", "Sit an exam")
    someone.reads("#for-plan", "Part 2 of an exam, about food. Sit a whole exam: it ticks this part as well.")
    chosen = [page.locator(each).input_value() for each in ("#format", "#topic")]
    if chosen != ["ielts-style", "food"]:
        raise Failed(f"the plan's exam about food is chosen as {chosen}")
    someone.is_accessible("the plan's exam")
    goes_to_area(someone, "Exams")
    until(lambda: not page.locator("#for-plan").is_visible(), "the plan's wish stays although the learner did not come from the plan", page=page)


def background(someone):
    return someone.page.evaluate("getComputedStyle(document.body).backgroundColor")


def settles(someone):
    page = someone.page
    goes_to_area(someone, "Settings")
    someone.is_accessible("settings")
    someone.looks("plan-8-settings")
    light = background(someone)
    someone.goes_to("radio", "As the system has them")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    dark = background(someone)
    if dark == light or max(map(int, re.findall(r"\d+", dark))) > 60:
        raise Failed(f"dark is {dark}")
    page.reload()
    someone.sees("heading", "Settings")
    if background(someone) != dark:
        raise Failed("dark is not dark any more when the page is loaded again")
    someone.goes_to("radio", "Dark")
    page.keyboard.press("ArrowUp")
    page.emulate_media(color_scheme="dark")
    if background(someone) != light:
        raise Failed("light is not light on a dark system")
    page.emulate_media(color_scheme="light")
    someone.presses("radio", "Light", "ArrowUp")

    someone.goes_to("textbox", "Name")
    page.keyboard.type("Ana Maria")
    page.keyboard.press("Enter")
    someone.hears("The name is kept")
    page.get_by_label("Picture", exact=True).set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": PIXEL})
    someone.hears("The picture is kept")
    if page.locator("#person-picture").evaluate("async picture => (await picture.decode(), picture.naturalWidth)") != 1:
        raise Failed("the picture is not shown")
    someone.looks("plan-8-picture")
    someone.presses("button", "Remove the picture")
    someone.hears("The picture is removed")
    goes_to_area(someone, "Home")
    someone.reads("#front-name", "Ana Maria")
    goes_to_area(someone, "Settings")

    someone.goes_to("combobox", "Goal band")
    page.get_by_label("Goal band", exact=True).and_(page.locator("#goal")).select_option("7")
    someone.presses("button", "Keep the goal")
    someone.hears("The goal is kept")
    reminds(someone)


def reminds(someone):
    """The permission is requested only when reminders are switched on. A reminder appears once a day, at its time."""
    page = someone.page
    # Headless Chromium has no desktop, so the script records its notifications.
    page.evaluate("""() => {
        window.told = [];
        window.asked = 0;
        window.Notification = class { constructor(title, { body }) { window.told.push(`${title}: ${body}`); } };
        window.Notification.permission = "default";
        window.Notification.requestPermission = async () => (window.asked++, window.Notification.permission = "granted");
    }""")
    if page.evaluate("window.asked") != 0:
        raise Failed("the browser is asked before anybody wants to be reminded")
    someone.goes_to("textbox", "At", exact=True) if page.get_by_role("textbox", name="At", exact=True).count() else page.get_by_label("At", exact=True).focus()
    page.get_by_label("At", exact=True).fill("00:00")
    someone.presses("checkbox", "Remind me", "Space")
    someone.reads("#remind-said", "On: at 00:00")
    until(lambda: page.evaluate("window.told.length"), "the learner is not reminded", page=page)
    someone.seen["reminder"] = page.evaluate("window.told")[0]
    if not re.search(r"^Oracy: today's plan: .*\d+ minutes", someone.seen["reminder"]):
        raise Failed(f"the reminder says “{someone.seen['reminder']}”")
    someone.presses("checkbox", "Remind me", "Space")
