"""A page of another origin sits an exam in Debian's headless Chromium.

Usage: foreign-page.py SERVER FOLDER PORT TOKEN

FOLDER has foreign.html and answer.wav, and is served on PORT. Prints what the page saw, as JSON.
"""
import functools, http.server, json, sys, threading, urllib.parse
from chromium import chromium


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def main(server, folder, port, token):
    handler = functools.partial(Quiet, directory=folder)
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    with chromium() as browser:
        page = browser.context().new_page()
        page.goto(f"http://localhost:{port}/foreign.html?" + urllib.parse.urlencode({"server": server, "token": token}))
        page.wait_for_function("document.title === 'done'")
        print(page.locator("#said").inner_text())


if __name__ == "__main__":
    main(*sys.argv[1:])
