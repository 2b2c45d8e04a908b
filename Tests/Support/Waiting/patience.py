"""The time that scripts wait for a condition before they fail: the limit of Patience.swift, from the same variable.

    sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Support/Waiting"))
    from patience import PATIENCE, until
"""

import os
import time


def _factor() -> float:
    try:
        said = float(os.environ.get("ORACY_PATIENCE") or 1)
    except ValueError:
        return 1
    return said if 0 < said < float("inf") else 1


PATIENCE = 180 * _factor()  # seconds


class OutOfPatience(Exception):
    """A condition did not hold within the limit; the message names it."""


def until(what, ask, pause=time.sleep):
    """Asks until there is an answer that counts as true, and returns it.

    `what` names the condition for the failure's message. `pause` waits for a number of seconds between two attempts; a page's script
    passes one that lets the browser run.
    """
    deadline, between = time.monotonic() + PATIENCE, 0.002
    while not (answer := ask()):
        if time.monotonic() >= deadline:
            raise OutOfPatience(f"not in {PATIENCE:g} s: {what}")
        pause(between)
        between = min(between * 2, 0.05)
    return answer
