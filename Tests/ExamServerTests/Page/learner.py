"""A learner at Debian's headless Chromium, with a recording as microphone and only a keyboard. Used by the tests here."""
import argparse, base64, contextlib, datetime, json, os, re, sys
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, TimeoutError
from chromium import chromium
import patience

# The morning at which the clocks of the tests' servers begin (`SetClock`).
MORNING = datetime.datetime(2026, 11, 23, 9, tzinfo=datetime.timezone.utc)

# The browser's clock, which begins at that morning and runs.
CLOCK = """
    (() => {
        const Real = Date, shift = %d - Real.now();
        globalThis.Date = class extends Real {
            constructor(...parts) { super(...(parts.length ? parts : [Real.now() + shift])); }
            static now() { return Real.now() + shift; }
        };
    })();
""" % (MORNING.timestamp() * 1000)

# The words that a screen reader speaks: everything that a polite live region has shown, however briefly.
ANNOUNCED = """
    window.announced = [];
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            const region = (target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement)?.closest('[aria-live=polite], [role=status]');
            if (region?.textContent.trim()) window.announced.push(region.textContent);
        }
    }).observe(document, { childList: true, characterData: true, subtree: true });
"""

# axe's complaints in a few words. Its complete findings are megabytes.
OBJECTIONS = """
    async (rules) => {
        const { violations } = await axe.run({ resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) });
        return violations.map(({ id, help, nodes }) => `${id}, ${help}: ${nodes[0].html.slice(0, 200)}`);
    }
"""

# The page's screens that links lead to: the link of the area, that within the area, and the title.
PLACES = {
    "Home": ("Today", None, "Today"), "Plan": ("Today", "Your week", "Your plan"), "Exams": ("Speak", None, "Sit an exam"),
    "Practice": ("Learn", None, "Practice"), "Lessons": ("Learn", "Lessons", "Lessons"), "Tests": ("Learn", "Tests", "Tests"),
    "Statistics": ("Progress", None, "Progress"), "Tasks": ("Progress", "What you did", "What you did"),
    "Settings": ("Settings", None, "Settings"),
}

# The share of a picture's pixels that differ from its most frequent colour by more than a shade.
INK = """
    async (picture) => {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const { data } = canvas.getImageData(0, 0, image.width, image.height);
        const counts = new Map();
        for (let i = 0; i < data.length; i += 4) {
            const colour = (data[i] >> 5 << 6) | (data[i + 1] >> 5 << 3) | (data[i + 2] >> 5);
            counts.set(colour, (counts.get(colour) ?? 0) + 1);
        }
        return 1 - Math.max(...counts.values()) / (data.length / 4);
    }
"""


class Failed(Exception):
    """One sentence about the page's failure."""


class Learner:
    """A page, and what the learner saw on it."""

    # Whether this script has checked the sign-in form, which is the same on each of its pages.
    knows_sign_in = False

    def __init__(self, page, base):
        self.page, self.base = page, base.rstrip("/")
        # The choices on the first screen, by label. None leaves the server's choice.
        self.chooses = {}
        self.complaints, self.seen = [], {}
        page.add_init_script(ANNOUNCED)
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        page.on("console", self._listen)
        self.network = page.context.new_cdp_session(page)

    def _listen(self, message):
        # Errors are expected if a test breaks the line or has no token. Any other error of the browser is a fault.
        expected = ("ERR_INTERNET_DISCONNECTED", "WebSocket", "status of 401")
        if message.type == "error" and not any(words in message.text for words in expected):
            self.complaints.append(f"console: {message.text}")

    def open(self, token=None):
        """Opens the choice of exams by its address, which leads there after signing in."""
        self.page.goto(self.base + "/#/speak")
        if token:
            self.sees("heading", "Sign in")
            if not Learner.knows_sign_in:
                self.is_accessible("sign in")
                Learner.knows_sign_in = True
            self.goes_to("textbox", "Your token")
            self.page.keyboard.type(token)
            self.page.keyboard.press("Enter")
        self.sees("heading", "Sit an exam")

    # The learner's actions: Tab until the element has the focus, then a key.

    def goes_to(self, role, name, exact=False):
        # The element that opens and closes a group doesn't have a role of its own in every browser.
        summary = self.page.locator("summary", has_text=name)
        wanted = (summary if role == "summary" else self.page.get_by_role(role, name=name, exact=exact)).first
        self.must(wanted.wait_for, f"there is no {role} “{name}”")
        for _ in range(80):
            if wanted.evaluate("element => element === document.activeElement"):
                return wanted
            self.page.keyboard.press("Tab")
        raise Failed(f"the Tab key does not come to the {role} “{name}”")

    def presses(self, role, name, key="Enter", exact=False):
        """Presses a key on an element. A page that is still being filled may replace the element, which is looked for again then."""
        until(lambda: self._meets(self.goes_to(role, name, exact), role, name, key), f"no key press meets the {role} “{name}”", self.page)

    def _meets(self, wanted, role, name, key):
        """Presses a key on the element that has the focus. Returns whether the key press met it."""
        # A button that is still busy with the last press ignores another one.
        until(lambda: wanted.get_attribute("aria-disabled") != "true", f"the {role} “{name}” never takes a press", self.page)
        if not wanted.evaluate("element => element === document.activeElement"):
            return False
        self.has_visible_focus(name)
        wanted.evaluate("""element => {
            window.met = null;
            addEventListener('keydown', (event) => { window.met = event.target === element; }, { capture: true, once: true });
        }""")
        self.page.keyboard.press(key)
        try:
            # A key press that leaves the page has met its element.
            return self.page.evaluate("window.met") is not False
        except Error:
            return True

    def has_visible_focus(self, name):
        width = self.page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
        if width in ("", "0px"):
            raise Failed(f"the focus is not to be seen on “{name}”")

    def goes_to_place(self, name):
        """Follows the links to one of PLACES."""
        area, way, title = PLACES[name]
        self.presses("link", area, exact=True)
        until(lambda: self.current("header") == area, f"“{area}” is not told as the present part", page=self.page)
        if way:
            self.presses("link", way, exact=True)
            until(lambda: self.current("#ways") == way, f"“{way}” is not told as the present screen", page=self.page)
        self.sees("heading", title)

    def current(self, place):
        """Returns the words of the link that is announced as the current one."""
        return self.page.evaluate("(place) => document.querySelector(`${place} [aria-current]`)?.textContent.trim()", place)

    # The learner's observations.

    def sees(self, role, name):
        found = self.page.get_by_role(role, name=name).first
        self.must(found.wait_for, f"{role} “{name}” did not appear")
        return found

    def reads(self, selector, words):
        place = self.page.locator(selector).filter(has_text=words).first
        try:
            place.wait_for()
        except TimeoutError:
            shown = self.page.locator(selector).first.text_content()
            raise Failed(f"“{words}” was not to be read in {selector}, but “{shown}”; problem shown: “{self.page.locator('#problem').text_content()}”") from None

    def must(self, action, otherwise):
        try:
            return action()
        except TimeoutError:
            raise Failed(f"{otherwise}; problem shown: “{self.page.locator('#problem').text_content()}”") from None

    def starts(self, mode):
        """From the first screen to the microphone's."""
        for label, value in self.chooses.items():
            if value:
                self.opens_the_questions(label)
                self.goes_to("combobox", label)
                self.page.get_by_label(label, exact=True).select_option(value)
        # Tab reaches a group of choices, and the arrow keys move in it.
        self.goes_to("radio", self.page.locator("input[name=mode]:checked").evaluate("radio => radio.parentElement.innerText"))
        while not self.page.get_by_role("radio", name=mode).is_checked():
            self.page.keyboard.press("ArrowDown")
        if not self.page.get_by_role("checkbox", name="I agree").is_checked():
            self.presses("checkbox", "I agree", "Space")
        self.presses("button", "Go on to the microphone")
        self.sees("heading", "Before you begin")

    def finishes_each_answer(self):
        """Finishes each answer, and cuts preparation short, until the results are shown."""
        self.finishes_answers(self.page.locator("#results").is_visible, "it did not come to its results")

    def finishes_answers(self, is_enough, otherwise):
        """Finishes each answer, and cuts preparation short, until a condition holds. The microphone's recording is a loop without an end."""
        # In one question to the page: Playwright would wait for a button that goes away between two questions.
        can_finish = "(() => { const all = [...document.querySelectorAll('#exam [data-ask=finish]')]; return all.some((each) => each.checkVisibility() && each.ariaDisabled !== 'true'); })()"

        def is_over():
            if is_enough():
                return True
            self.page.keyboard.press("f" if self.page.evaluate(can_finish) else "s")
            return False

        until(is_over, otherwise, page=self.page)

    def opens_the_questions(self, label="Questions"):
        """The choice of questions is folded."""
        if label != "Exam" and self.page.locator("#which").get_attribute("open") is None:
            self.presses("summary", "Which questions")

    def allows(self, is_allowed):
        """Grants the permission, or withdraws it. A browser without a window takes an unanswered question for a no."""
        if is_allowed:
            self.page.context.grant_permissions(["microphone"], origin=self.base)
        else:
            self.page.context.clear_permissions()

    def offline(self, is_off):
        self.network.send("Network.enable")
        as_fast_as_may_be = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.network.send("Network.emulateNetworkConditions", {"offline": is_off, **as_fast_as_may_be})

    def looks(self, name):
        """Checks that nothing is wider than the page, at a desk and on a telephone, upright and on its side.

        ORACY_PICTURES=FOLDER saves pictures of each, light and dark, for a person to look at. Taking pictures takes longer than all else here.
        """
        folder = os.environ.get("ORACY_PICTURES")
        for form, width, height in (("desk", 1280, 900), ("phone", 320, 640), ("side", 640, 360)):
            self.page.set_viewport_size({"width": width, "height": height})
            if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                raise Failed(f"the screen “{name}” is wider than a window of {width} pixels")
            for scheme in ("dark", "light") if folder else ():
                self.page.emulate_media(color_scheme=scheme)
                self.page.screenshot(path=f"{folder}/{name}-{form}-{scheme}.png", full_page=True)
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def sees_together(self, *places):
        """Waits until all places are visible at once on a telephone on its side, without scrolling.

        A notice about a slow line may push them down for a moment.
        """
        self.page.set_viewport_size({"width": 640, "height": 360})

        def hidden():
            self.page.evaluate("scrollTo(0, 0)")
            boxes = {place: self.page.locator(place).bounding_box() for place in places}
            return {place: box for place, box in boxes.items() if not box or box["y"] < 0 or box["y"] + box["height"] > 360}

        try:
            until(lambda: not hidden(), "not all is visible", self.page)
        except Failed:
            raise Failed(f"not to be seen on a telephone on its side: {hidden()}, of {', '.join(places)}") from None
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def has_ink(self, place, name):
        """Checks that something is drawn: at least 2 % of the picture of a place differ from its background."""
        picture = base64.b64encode(place.screenshot()).decode()
        # The page's own policy blocks pictures from elsewhere; an empty page doesn't.
        blank = self.page.context.new_page()
        ink = blank.evaluate(INK, picture)
        blank.close()
        if ink < 0.02:
            raise Failed(f"of {name} nothing is to be seen: {ink:.1%} of it is not background")
        self.seen.setdefault("ink", {})[name] = round(ink, 3)

    def is_accessible(self, name):
        """Checks the accessibility tree: a name for every control, one title, no duplicates, and no complaints of axe."""
        tree = self.network.send("Accessibility.getFullAXTree")["nodes"]
        use = {"button", "checkbox", "radio", "combobox", "textbox", "link", "meter", "image", "progressbar"}
        for node in tree:
            role = node.get("role", {}).get("value")
            if not node.get("ignored") and role in use and not node.get("name", {}).get("value", "").strip():
                raise Failed(f"on the screen “{name}” a {role} has no name")
        if not self.page.evaluate("typeof axe !== 'undefined'"):
            self.page.evaluate(Axe().axe_script)
        # Only contrast depends on the colours.
        for scheme, rules in (("dark", ["color-contrast"]), ("light", None)):
            self.page.emulate_media(color_scheme=scheme)
            for objection in self.page.evaluate(OBJECTIONS, rules):
                raise Failed(f"axe on the screen “{name}” ({scheme}): {objection}")
        self.seen.setdefault("axe", []).append(name)
        titles = self.page.locator("h1:visible").count()
        if titles != 1:
            raise Failed(f"the screen “{name}” has {titles} titles")
        ids = self.page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
        doubled = next((each for each in ids if ids.count(each) > 1), None)
        if doubled:
            raise Failed(f"the id {doubled} is there twice")

    def hears(self, words):
        """Waits until a screen reader has spoken: a polite live region has, or had since the last call, these words. @param words an expression"""
        def is_said():
            # The next call doesn't find the same announcement again.
            passed = self.page.evaluate("window.announced")
            place = next((place for place, said in enumerate(passed) if re.search(words, said)), None)
            if place is not None:
                self.page.evaluate("(count) => void window.announced.splice(0, count)", place + 1)
                return passed[place]
            nodes = self.network.send("Accessibility.getFullAXTree")["nodes"]
            by_id = {node["nodeId"]: node for node in nodes}

            def text(node):
                own = node.get("name", {}).get("value", "") if node.get("role", {}).get("value") == "StaticText" else ""
                return own + " ".join(text(by_id[child]) for child in node.get("childIds", []) if child in by_id)

            live = [node for node in nodes if any(
                each["name"] == "live" and each["value"]["value"] == "polite" for each in node.get("properties", []))]
            return next((said for node in live if re.search(words, said := text(node))), None)
        said = until(is_said, f"a screen reader never says “{words}”", page=self.page)
        self.seen.setdefault("announced", []).append(said)


def learner_in(browser, base, **options):
    """A learner without data of earlier pages, on the server's clock, who allows the microphone. @param options Playwright's own"""
    context = browser.context(timezone_id="UTC", **options)
    context.add_init_script(CLOCK)
    someone = Learner(context.new_page(), base)
    someone.allows(True)
    return someone


@contextlib.contextmanager
def learner(base, recording, **options):
    """A browser with one page, whose learner allows the microphone. @param options Playwright's own"""
    with chromium(recording) as browser:
        yield learner_in(browser, base, **options)


def arguments(token="store"):
    """The options of all tests of the page. A test may add its own. @param token "append" if there may be several"""
    parser = argparse.ArgumentParser()
    for name in ("base", "recording"):
        parser.add_argument(name)
    parser.add_argument("--token", action=token)
    for name in ("--format", "--paper"):
        parser.add_argument(name)
    return parser


def tell(test):
    """Runs a test. Prints one line of JSON with what was seen, or one sentence with an exit code of 1."""
    try:
        print(json.dumps(test()), flush=True)
    except (Failed, Error) as failure:
        sys.exit(str(failure).splitlines()[0])


def study_day():
    """Today by the clocks of server and browser: a Monday, and far from four in the morning, when the next study day begins."""
    return MORNING.date()


def until(condition, otherwise, page):
    """Waits for a condition that only the test can see, and not the page."""
    try:
        return patience.until(otherwise, condition, lambda seconds: page.wait_for_timeout(1000 * seconds))
    except patience.OutOfPatience:
        raise Failed(otherwise) from None
