"""Checks the page's parts that need no server, in a browser. parts.js has the claims.

Usage: page-parts.py FOLDER TROUBLES     (the page's own folder, Sources/ExamServer/Page; and troubles.js, which the server makes)
Prints one line of JSON with each claim and its measurements. Exits with 1 and the first false claim.
"""
import http.server, json, pathlib, sys, threading
from chromium import chromium
from patience import PATIENCE, until

HERE = pathlib.Path(__file__).parent


class Files(http.server.BaseHTTPRequestHandler):
    """Serves `/page/PATH` as the server does, and `/`: the page itself, with the claims in place of its program."""

    def do_GET(self):
        name = self.path.removeprefix("/page/")
        if self.path == "/":
            page = (self.server.page / "index.html").read_text()
            assert page.count("/page/main.js") == 1, "the page has one program"
            page = page.replace("/page/main.js", "/parts.js")
            for part in ("practice", "plan"):
                page = page.replace(f"<!-- {part}.html -->", (self.server.page / part / f"{part}.html").read_text())
            body, kind = page.encode(), "text/html"
        elif self.path in ("/parts.js", "/practice-parts.js"):
            body, kind = (HERE / self.path[1:]).read_bytes(), "text/javascript"
        elif name == "kit/troubles.js":
            body, kind = self.server.troubles.read_bytes(), "text/javascript"
        elif name in {str(each.relative_to(self.server.page)) for each in self.server.page.rglob("*")}:
            body, kind = (self.server.page / name).read_bytes(), "text/css" if name.endswith(".css") else "text/javascript"
        else:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main(folder, troubles):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.page, server.troubles = pathlib.Path(folder), pathlib.Path(troubles)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with chromium() as browser:
        page = browser.context().new_page()
        failures = []
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.add_init_script(f"window.patience = {PATIENCE}")
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        # An error of the script ends it without its last line, so it counts as an end, too.
        is_over = lambda: failures or page.evaluate("window.areAllChecked")
        until("the end of the claims", is_over, pause=lambda seconds: page.wait_for_timeout(1000 * seconds))
        claims = page.evaluate("window.claims ?? []")
        false = failures + [f"not true: {each['claim']} ({each['saw']})" for each in claims if not each["holds"]]
        if false or not claims:
            sys.exit((false or ["no claim was checked"])[0])
    print(json.dumps({each["claim"]: each["saw"] for each in claims}))


if __name__ == "__main__":
    main(*sys.argv[1:])
