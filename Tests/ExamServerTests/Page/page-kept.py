"""Tests the kept page: it opens without a network, a new version replaces it, and it stores nothing of the learner's.

Usage: page-kept.py BASE
"""
import sys
from chromium import chromium
from learner import Failed, tell, until

KEPT = "async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) => [name, (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)])))"


def keep(base):
    seen = {}
    with chromium() as browser:
        context = browser.context(service_workers="allow")
        page = context.new_page()
        # An older version that the worker has to remove, kept from a document that starts no worker. A worker that is unregistered later can
        # stay for the next load, and then removes nothing.
        page.goto(base.rstrip("/") + "/openapi.json")
        page.evaluate("caches.open('page-old').then((cache) => cache.put('/', new Response('old')))")
        page.goto(base)
        until(lambda: page.evaluate("navigator.serviceWorker.getRegistration().then((each) => Boolean(each?.active))"), "the page is not kept", page=page)
        until(lambda: len(page.evaluate(KEPT)) == 1, "the older page stays", page=page)
        kept = page.evaluate(KEPT)
        paths = [path for paths in kept.values() for path in paths]
        if "page-old" in kept or any(path != "/" and not path.startswith("/page/") for path in paths):
            raise Failed(f"more than the page is kept: {kept}")
        seen["firstScreen"] = first_screen(browser, base)
        asked = []
        page.on("response", lambda answer: answer.from_service_worker or asked.append(answer.url))
        page.reload()
        page.wait_for_load_state("networkidle")
        seen["asked"] = [url for url in asked if not url.startswith("data:")]
        context.set_offline(True)
        page.reload()
        page.locator("#offline").wait_for()
        page.get_by_role("heading", name="The server cannot be reached.").wait_for()
        seen["kept"] = sorted(paths)
    return seen


def first_screen(browser, base):
    """Returns the seconds until a new visitor sees the first screen, over a line of 64 kbit/s with a delay of 300 ms."""
    page = browser.context().new_page()
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    bytes_a_second = 64_000 / 8
    network.send("Network.emulateNetworkConditions", {"offline": False, "latency": 300, "downloadThroughput": bytes_a_second, "uploadThroughput": bytes_a_second})
    coding = page.goto(base, wait_until="commit").header_value("content-encoding")
    if coding != "br":
        raise Failed(f"the page is sent as {coding}")
    page.get_by_role("heading", name="Sign in").wait_for()
    seconds = page.evaluate("performance.now() / 1000")
    page.context.close()
    return round(seconds, 1)


if __name__ == "__main__":
    tell(lambda: keep(sys.argv[1]))
