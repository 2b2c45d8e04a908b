"""Debian's headless Firefox ESR, controlled by WebDriver BiDi. It needs no driver, because the browser speaks the protocol itself."""
import base64, contextlib, json, os, pathlib, re, subprocess, sys, tempfile, threading
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
import evidence

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Support/Waiting"))
import patience

KEYS = {"Tab": "\uE004", "Enter": "\uE007", "Escape": "\uE00C", "Space": " ", "ArrowDown": "\uE015"}

SETTINGS = {
    # The microphone is allowed. The browser's own rule stays: no sound before a press of a button.
    "media.navigator.permission.disabled": True,
    "app.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class Failed(Exception):
    """One sentence about the page's failure."""


class Firefox:
    """One tab. Every error in it raises `Failed`."""

    def __init__(self, socket):
        self._socket, self._number = socket, 0
        self.complaints, self._console = [], []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        # The first window never has the focus, and ignores Enter.
        self._tab = self.call("browsingContext.create", type="window")["context"]

    def call(self, method, **parameters):
        self._number += 1
        try:
            return self._answer(method, parameters)
        except (TimeoutError, ConnectionClosed, OSError) as error:
            raise Failed(f"{method}: Firefox did not answer ({type(error).__name__} {error})") from error

    def _answer(self, method, parameters):
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=patience.PATIENCE))
            if answer.get("method") == "log.entryAdded":
                entry = answer["params"]
                self._console.append(f"{entry['level']}: {entry['text']}")
                if entry["level"] == "error":
                    self.complaints.append(entry["text"])
            elif answer.get("id") == self._number:
                if answer["type"] == "error":
                    raise Failed(f"{method}: {answer['message']}")
                return answer["result"]

    def open(self, url):
        self.call("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression):
        """Returns the value of an expression, by way of JSON."""
        found = self.call(
            "script.evaluate", expression=f"Promise.resolve({expression}).then((found) => JSON.stringify(found ?? null))",
            target={"context": self._tab}, awaitPromise=True)
        if found["type"] == "exception":
            raise Failed(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def types(self, *keys):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("input.performActions", context=self._tab, actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def until(self, expression, otherwise, meanwhile=lambda: None):
        """Waits for an expression. @param meanwhile what a learner does again before each look"""
        try:
            return patience.until(otherwise, lambda: meanwhile() or self.evaluate(expression))
        except patience.OutOfPatience:
            raise Failed(f"{otherwise}; on the page: “{self.evaluate(SHOWN)}”") from None

    def goes_to(self, test):
        """Presses Tab, like a keyboard user, until an element has the focus that passes a test. @param test of `element`"""
        there = f"[...document.querySelectorAll('button, input, select, textarea')].some((element) => element.checkVisibility() && {test})"
        self.until(there, f"there is no {test}")
        for _ in range(80):
            if self.evaluate(f"((element) => {test})(document.activeElement)"):
                return
            self.types("Tab")
        raise Failed(f"the Tab key does not come to {test}; on the page: “{self.evaluate(SHOWN)}”")

    def presses(self, words):
        """Clicks with the mouse. A window without a screen loses the focus when the microphone is used, and then ignores Enter.

        A page that is still being filled moves its buttons, so a click may meet something else. The button is clicked again then.
        """
        # A button that is still busy with the last press ignores another one.
        is_ready = "element.checkVisibility() && element.getAttribute('aria-disabled') !== 'true'"
        test = f"{is_ready} && (element.labels?.[0] ?? element).textContent.includes({json.dumps(words)})"
        find = f"[...document.querySelectorAll('button, input')].find((element) => {test})"
        try:
            patience.until(f"a click on “{words}”", lambda: self._clicks(find, words))
        except patience.OutOfPatience:
            raise Failed(f"no click met “{words}”; on the page: “{self.evaluate(SHOWN)}”") from None

    def _clicks(self, find, words):
        """Clicks on the middle of an element. Returns whether the click met it."""
        self.until(f"Boolean({find})", f"there is no button “{words}”")
        place = self.evaluate(
            f"((element) => {{ if (!element) return null; window.clicked = null; addEventListener('click', (event) => "
            f"{{ window.clicked = {{ met: element.contains(event.target) }}; }}, {{ capture: true, once: true }}); "
            f"element.scrollIntoView({{ block: 'center' }}); const place = element.getBoundingClientRect(); "
            f"return [place.x + place.width / 2, place.y + place.height / 2].map(Math.round); }})({find})")
        if not place:
            return False
        actions = [{"type": "pointerMove", "x": place[0], "y": place[1]}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.call("input.performActions", context=self._tab, actions=[{"type": "pointer", "id": "mouse", "actions": actions}])
        return self.until("window.clicked", f"the click on “{words}” never came")["met"]

    def picture(self, path):
        data = self.call("browsingContext.captureScreenshot", context=self._tab, origin="document")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def keeps(self, *name):
        """Writes a picture of the page, its HTML, and its console output."""
        folder = evidence.folder(*name)
        if folder is None:
            return
        (folder / "console.txt").write_text("\n".join(self._console) + "\n")
        # A browser that has died still leaves its console output.
        with contextlib.suppress(Failed, OSError):
            (folder / "page-1.html").write_text(self.evaluate("document.documentElement.outerHTML"))
            self.picture(folder / "page-1.png")


# The text that a person reads on the page now.
SHOWN = "document.querySelector('#problem').textContent + ' ' + document.querySelector('.screen:not([hidden])').innerText.slice(0, 600)"


@contextlib.contextmanager
def firefox(name, settings={}, environment={}):
    """A browser with a new profile, ended with its process. @param name the name of its evidence"""
    with tempfile.TemporaryDirectory(prefix="oracy-firefox-") as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in {**SETTINGS, **settings}.items()]
        pathlib.Path(profile, "user.js").write_text("\n".join(lines))
        process = subprocess.Popen(
            ["/usr/bin/firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        try:
            said = iter(process.stderr.readline, "")
            address = next((found[1] for line in said if (found := re.search(r"BiDi listening on (ws://\S+)", line))), None)
            if not address:
                raise Failed("Firefox did not start")
            # Its further output must not fill the pipe.
            threading.Thread(target=lambda: [None for _ in said], daemon=True).start()
            # No pings: a browser that waits for the processor answers them late, which would end the connection.
            with connect(f"{address}/session", max_size=None, ping_interval=None, open_timeout=patience.PATIENCE) as socket:
                browser = Firefox(socket)
                try:
                    yield browser
                except BaseException:
                    browser.keeps(name)
                    raise
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
