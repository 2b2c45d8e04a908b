"""Follows the results of a session with PyPI's httpx-sse, over a line that is cut after the first events.

Usage: watch.py ADDRESS TOKEN UNTIL CUT

CUT is a file that is made when the line is cut. Ends when the results' status is UNTIL. Prints one line of JSON: the names of the events
before the cut, those after it, and the last results.
"""
import json, pathlib, sys
import httpx, httpx_sse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Support/Waiting"))
from patience import PATIENCE

address, token, until, cut = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
names, last, results = [[], []], None, {}

with httpx.Client(timeout=PATIENCE) as client:
    for part in names:
        more = {"Last-Event-ID": last} if last else {}
        with httpx_sse.connect_sse(client, "GET", address, headers=headers | more) as source:
            for event in source.iter_sse():
                part.append(event.event)
                last = event.id
                if event.event != "results":
                    continue
                results = event.json()
                if part is names[0] or results["status"] == until:
                    break
        pathlib.Path(cut).touch()

print(json.dumps({"before": names[0], "after": names[1], "results": results}))
