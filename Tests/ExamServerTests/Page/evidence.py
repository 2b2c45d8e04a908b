"""The files that a failed browser test leaves, so that its cause can be seen."""
import os, pathlib, re


def folder(*parts):
    """Makes the folder that the Swift test named for evidence. @returns None if a person runs the script without one"""
    root = os.environ.get("ORACY_EVIDENCE")
    if not root:
        return None
    made = pathlib.Path(root, *(re.sub(r"[^A-Za-z0-9.-]+", "-", part) for part in parts))
    made.mkdir(parents=True, exist_ok=True)
    return made
