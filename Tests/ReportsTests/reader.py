"""Reads a report as people do, in Debian's headless Chromium: by mouse, by keyboard, on a telephone, in the dark, printed.

reader.py REPORT.html PDF
The sound of each answer is known: in its second n it is a tone of 300 + 100 n Hz.
"""
import json, math, pathlib, re, sys
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Support/Waiting"))
from patience import PATIENCE, OutOfPatience, until as wait


class Failed(Exception):
    """One sentence about the page's failure."""


def until(what, words):
    try:
        return wait(words, what, pause=lambda seconds: page.wait_for_timeout(seconds * 1000))
    except OutOfPatience as late:
        raise Failed(words) from late


# Connects a player's sound to an analyser of its pitch.
LISTEN = """
    (answer) => {
        const audio = document.querySelector(`article[data-answer="${answer}"] audio`);
        const context = new AudioContext();
        const analyser = context.createAnalyser();
        analyser.fftSize = 8192;
        analyser.smoothingTimeConstant = 0;
        context.createMediaElementSource(audio).connect(analyser);
        analyser.connect(context.destination);
        globalThis.hear = () => {
            const bins = new Float32Array(analyser.frequencyBinCount);
            analyser.getFloatFrequencyData(bins);
            let top = 0;
            bins.forEach((level, bin) => { if (level > bins[top]) top = bin; });
            return { at: audio.currentTime, paused: audio.paused, level: bins[top],
                     hertz: top * context.sampleRate / analyser.fftSize };
        };
        return context.resume();
    }
"""


def hears_second(second):
    """Checks by pitch that this second of the answer is playing."""
    def heard():
        now = page.evaluate("hear()")
        # The analyser's window is 0.2 s long, and for half a second after a jump headless Chromium still gives it the sound from before.
        settled = now["at"] > second + 1 and 0.45 < now["at"] % 1 < 0.95
        return now if not now["paused"] and now["level"] > -60 and settled else None
    now = until(heard, f"nothing is played after {second} s was asked for: {page.evaluate('hear()')}")
    if not second <= now["at"] < second + 4:
        raise Failed(f"{second} s was asked for, and {now['at']:.2f} s is played")
    tone = 300 + 100 * math.floor(now["at"])
    if abs(now["hertz"] - tone) > 20:
        raise Failed(f"at {now['at']:.2f} s there is {now['hertz']:.0f} Hz, not {tone}")


def is_accessible(how):
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for violation in Axe().run(page).response["violations"]:
            place = violation["nodes"][0]["html"][:200]
            raise Failed(f"axe, {how}, {scheme}: {violation['id']}, {violation['help']}: {place}")


def fits(width):
    page.set_viewport_size({"width": width, "height": 740})
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        raise Failed(f"at {width} px the page is {wide} px wide")


def read(report, pdf):
    page.goto(f"file://{report}")
    page.evaluate(LISTEN, "part1_q1")
    # By mouse: from a pause, from a word on the axis, from a comment.
    buttons = page.locator('button[data-answer="part1_q1"][data-at]:visible')
    places = [float(buttons.nth(number).get_attribute("data-at")) for number in range(buttons.count())]
    if len(places) < 3:
        raise Failed(f"only {len(places)} places can be played from")
    for number in (0, len(places) // 2, len(places) - 1):
        buttons.nth(number).click()
        hears_second(places[number])
    # On the waveform, whose middle is the middle of the answer.
    wave = page.locator("#part1_q1 .axis svg")
    wave.scroll_into_view_if_needed()
    box = wave.bounding_box()
    frame = page.locator("#part1_q1 .scroller").bounding_box()
    x = min(box["x"] + box["width"], frame["x"] + frame["width"]) - 30
    page.mouse.click(x, box["y"] + box["height"] / 2)
    hears_second(math.floor((x - box["x"]) / box["width"] * 14))
    # Another answer's player stops this one.
    page.locator("#part1_q2 .deck .play").click()
    until(lambda: page.evaluate("hear()")["paused"], "two answers play at once")
    page.locator("#part1_q2 .deck .play").click()

    # With only the keyboard: to the answers, to the player, play and pause, a step forward.
    page.reload()
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#part1_q1 .deck .play')"):
            break
    else:
        raise Failed("no key leads to the player")
    page.keyboard.press("Space")
    until(lambda: page.evaluate("!document.querySelector('#part1_q1 audio').paused"), "Space does not play")
    page.keyboard.press("Space")
    until(lambda: page.evaluate("document.querySelector('#part1_q1 audio').paused"), "Space does not pause")
    page.keyboard.press("Tab")
    before = page.evaluate("document.querySelector('#part1_q1 audio').currentTime")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    until(lambda: page.evaluate("document.querySelector('#part1_q1 audio').currentTime") > before + 1.5,
          "the arrows do not move the place")

    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for width in (1280, 320):
        fits(width)
        is_accessible(f"{width} px")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = false")
    page.evaluate("addEventListener('beforeprint', () => setTimeout(() => 0));"
                  "addEventListener('beforeprint', () => { globalThis.folded = "
                  "document.querySelectorAll('details:not([open])').length; })")
    page.pdf(path=pdf, format="A4")
    if (folded := page.evaluate("globalThis.folded")) != 0:
        raise Failed(f"{folded} tables are folded in print")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium",
        args=["--no-sandbox", "--disable-gpu", "--mute-audio", "--autoplay-policy=no-user-gesture-required",
              "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"])
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url[:60]))
    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    try:
        read(*sys.argv[1:3])
        outside = [url for url in asked if not re.match("file:|data:|blob:", url)]
        if outside or complaints:
            raise Failed(f"asked for {outside}, complained {complaints}")
        print(json.dumps({"requests": len(asked)}))
    except Failed as failure:
        page.screenshot(path=sys.argv[2] + ".png")
        print(f"{failure} {complaints}")
        sys.exit(1)
    finally:
        browser.close()
