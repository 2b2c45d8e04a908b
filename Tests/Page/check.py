#!/usr/bin/env python3
"""Checks the scripts of the page: imports that lead downwards, lines that are too long or would be lost, words about
terminals, and types.

Usage: Tests/Page/check.py             prints what is wrong
       Tests/Page/check.py --update    lowers the numbers of untyped.txt to the counts, never raises them

A folder imports only from itself and the folders below it, and no files import each other in a circle. TypeScript then
checks the scripts by their JSDoc, against the ids of the page's HTML and the descriptions in openapi.json. It is
Debian's node-typescript. The page itself needs no build step.

untyped.txt has the number of values in each script whose type TypeScript cannot know, such as parameters without
JSDoc. They may only fall: a value without a type hides wrong names.
"""
import collections, json, pathlib, re, shutil, subprocess, sys

import page_types

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SERVER, TYPES = ROOT / "Sources/ExamServer", ROOT / ".build/page-types"
PAGE = SERVER / "Page"
UNTYPED = pathlib.Path(__file__).with_name("untyped.txt")

# The folders that each folder may import from, besides itself. "" is the page's folder, with main.js.
BELOW = {
    "": {"exam", "kit", "plan", "practice", "school"},
    "plan": {"exam", "kit", "practice"},
    "school": {"exam", "kit"},
    "practice": {"exam", "kit"},
    "exam": {"kit"},
    "kit": set(),
}
WIDTH = 120
# Imports, and types that comments refer to.
IMPORT = re.compile(r"(?:^import |^\} )(?:.*? from )?\"(\.[^\"]+)\";|import\(\"(\.[^\"]+)\"\)", re.MULTILINE)
# The server makes this script.
MADE = "kit/troubles.js"


def scripts():
    """Returns the texts of the scripts by their paths in the page's folder."""
    return {str(path.relative_to(PAGE)): path.read_text() for path in sorted(PAGE.rglob("*.js"))}


def folder(path):
    return path.rpartition("/")[0]


def imports(path, text):
    """Returns the paths that a script imports."""
    places = (first or second for first, second in IMPORT.findall(text))
    return [str((PAGE / folder(path) / place).resolve().relative_to(PAGE)) for place in places]


def wrong_imports(graph):
    """Yields a sentence for each import that leads upwards or to no file, and each circle."""
    for path, imported in graph.items():
        if folder(path) not in BELOW:
            yield f"{path}: give the folder a line in BELOW of {pathlib.Path(__file__).name}"
            continue
        for other in imported:
            if other not in graph and other != MADE:
                yield f"{path}: imports {other}, which does not exist"
            elif folder(other) not in BELOW[folder(path)] | {folder(path)}:
                yield f"{path}: imports {other}, but {folder(path) or 'the page'} must not import from {folder(other) or 'the page'}"
    finished = set()

    def circle(path, way):
        if path in way:
            return way[way.index(path):] + [path]
        if path in finished:
            return None
        found = next((each for other in graph.get(path, []) if (each := circle(other, way + [path]))), None)
        finished.add(path)
        return found

    for path in graph:
        if found := circle(path, []):
            yield f"{found[0]}: is in a circle of imports: {' → '.join(found)}"
            return


def long_lines(texts):
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > WIDTH:
                yield f"{path}:{number}: has {len(line)} columns of {WIDTH}"


def lost_code(texts):
    """Yields the lines that the server would leave out of the page's one script (PageBundle) although they have code."""
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(r"\s*/\*.*\*/\s*\S", line):
                yield f"{path}:{number}: has code after a comment at its beginning. Put the comment into the code or above it."


# Words for people who use the command line, in strings of scripts and in the text of documents.
TERMINAL = re.compile(r"[Tt]erminal|[Cc]ommand line|\boracy [a-z]")
STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`")
# A title of the server's that the page words anew.
REPLACED = '"with oracy progress"'


def for_terminals(texts, documents):
    """Yields the strings of the page that need a terminal: nothing on the page does."""
    for path, text in texts.items():
        code = re.sub(r"^\s*(//.*|/?\*.*)$", "", text, flags=re.MULTILINE)
        found = (each for each in STRING.findall(code) if TERMINAL.search(each) and each != REPLACED)
        yield from (f"{path}: mentions a terminal: {each}" for each in found)
    for path, text in documents.items():
        shown = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
        for words in re.findall(r">([^<]+)<|(?:alt|title|placeholder|aria-label)=\"([^\"]*)\"", shown):
            if TERMINAL.search("".join(words)):
                yield f"{path}: mentions a terminal: {''.join(words).strip()}"


def complaints():
    """Returns the complaints of TypeScript, with their explanations."""
    compiler = shutil.which("tsc")
    if compiler is None:
        sys.exit("TypeScript is missing. Install it with `make setup PACKAGES=node-typescript`.")
    (TYPES / "kit").mkdir(parents=True, exist_ok=True)
    documents = [path.read_text() for path in sorted(PAGE.rglob("*.html"))]
    description = json.loads((SERVER / "Description/openapi.json").read_text())
    advice = (ROOT / "Sources/ExamCore/Advice.swift").read_text()
    (TYPES / "elements.d.ts").write_text(page_types.elements(documents))
    (TYPES / "answers.d.ts").write_text(page_types.answers(description))
    (TYPES / MADE.replace(".js", ".d.ts")).write_text(page_types.advice(advice))
    ran = subprocess.run(
        [compiler, "--project", ROOT / "Tests/Page", "--pretty", "false"], capture_output=True, text=True, cwd=ROOT
    )
    # Indented lines explain the line above.
    text = (ran.stdout + ran.stderr).replace(f"{PAGE.relative_to(ROOT)}/", "").strip()
    return re.split(r"\n(?! )", text) if text else []


def is_untyped(line):
    """Whether a complaint is about a value whose type is unknown."""
    return bool(re.search(r"error TS7\d\d\d:", line))


def baseline():
    lines = UNTYPED.read_text().splitlines()
    return {name: int(number) for name, _, number in (line.rpartition(" ") for line in lines if not line.startswith("#"))}


def too_many_untyped(found, allowed):
    """Yields the values without a type in each script that has more of them than before."""
    counts = collections.Counter(line.partition("(")[0] for line in found)
    for name in sorted(counts):
        if counts[name] > allowed.get(name, 0):
            yield from (line for line in found if line.startswith(f"{name}("))
            yield f"{name}: {counts[name]} values without a type, {allowed.get(name, 0)} allowed. Add JSDoc."


def update(found, allowed):
    counts = collections.Counter(line.partition("(")[0] for line in found)
    lowered = {name: min(counts[name], number) for name, number in allowed.items()}
    lines = ["# Values without a known type in each script of the page. They may only fall."]
    lines += [f"{name} {number}" for name, number in sorted(lowered.items()) if number]
    UNTYPED.write_text("\n".join(lines) + "\n")


def main():
    texts = scripts()
    graph = {path: imports(path, text) for path, text in texts.items()}
    wrong = complaints()
    untyped = [line for line in wrong if is_untyped(line)]
    if sys.argv[1:] == ["--update"]:
        return update(untyped, baseline())
    documents = {str(path.relative_to(PAGE)): path.read_text() for path in sorted(PAGE.rglob("*.html"))}
    found = [
        *wrong_imports(graph), *for_terminals(texts, documents), *long_lines(texts), *lost_code(texts),
        *(line for line in wrong if not is_untyped(line)), *too_many_untyped(untyped, baseline()),
    ]
    if found:
        print(*found, sep="\n")
        sys.exit("The scripts of the page are not right yet. See the lines above.")


if __name__ == "__main__":
    main()
