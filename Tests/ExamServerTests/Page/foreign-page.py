"""A page of another origin sits an exam in Debian's headless Chromium.

Usage: foreign-page.py SERVER FOLDER PORT TOKEN

FOLDER has foreign.html and answer.wav, and is served on PORT. Prints what the page saw, as JSON.
"""
import functools, http.server, json, sys, threading, urllib.parse
from playwright.sync_api import sync_playwright
from learner import FLAGS, PATIENCE


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def main(server, folder, port, token):
    handler = functools.partial(Quiet, directory=folder)
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page()
        page.goto(f"http://localhost:{port}/foreign.html?" + urllib.parse.urlencode({"server": server, "token": token}))
        page.wait_for_function("document.title === 'done'", timeout=PATIENCE)
        print(page.locator("#said").inner_text())
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
