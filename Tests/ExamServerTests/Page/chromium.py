"""Debian's headless Chromium. If a test fails, its pages and consoles are kept."""
import contextlib, pathlib, sys
from playwright.sync_api import Error, sync_playwright
import evidence

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Support/Waiting"))
from patience import PATIENCE

MILLISECONDS = 1000 * PATIENCE  # Playwright's unit.

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--use-fake-device-for-media-stream", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
    # Headless Chromium doesn't need a loudspeaker. It still plays sound only after a press of a button.
    "--mute-audio",
]


class Browser:
    """One process for all pages of a script. A new context in it is as good as a new browser, and takes milliseconds instead of seconds."""

    def __init__(self, process):
        self._process, self._console = process, []

    def context(self, **options):
        """Makes a context. @param options Playwright's own, such as timezone_id"""
        # A kept page would hide files that a test breaks. Motion costs a tenth of a processor, so few scripts ask for it.
        options = {
            "viewport": {"width": 1280, "height": 900}, "service_workers": "block", "reduced_motion": "reduce",
        } | options
        context = self._process.new_context(**options)
        context.set_default_timeout(MILLISECONDS)
        context.on("console", lambda message: self._console.append(f"{message.type}: {message.text}"))
        context.on("weberror", lambda error: self._console.append(f"script: {error.error}"))
        return context

    def keeps(self, *name):
        """Writes a picture of every page, its HTML, and the console output of all pages."""
        folder = evidence.folder(*name)
        if folder is None:
            return
        (folder / "console.txt").write_text("\n".join(self._console) + "\n")
        pages = [page for context in self._process.contexts for page in context.pages]
        for number, page in enumerate(pages, 1):
            # If one page has crashed or hangs, the other files are still written.
            with contextlib.suppress(Error):
                page.screenshot(path=folder / f"page-{number}.png", timeout=20_000)
            with contextlib.suppress(Error):
                (folder / f"page-{number}.html").write_text(f"<!-- {page.url} -->\n{page.content()}")


@contextlib.contextmanager
def chromium(recording=None, *name):
    """A browser. @param recording its microphone; @param name the name of its evidence beside that of other browsers of the test"""
    flags = FLAGS + ([f"--use-file-for-fake-audio-capture={recording}"] if recording else [])
    with sync_playwright() as playwright:
        process = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags, timeout=MILLISECONDS)
        browser = Browser(process)
        try:
            yield browser
        except BaseException:
            browser.keeps(*name)
            raise
        finally:
            process.close()
