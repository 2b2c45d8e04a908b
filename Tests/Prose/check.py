#!/usr/bin/env python3
"""Counts wording that a reader has to read twice, and fails if a target has more of it than before.

Usage: Tests/Prose/check.py             compares with baseline.txt; prints the places of a target that got worse
       Tests/Prose/check.py --update    lowers the baseline to the counts, never raises it: `make format`
       Tests/Prose/check.py --reset     writes the baseline from the counts: after a merge of several people's work
       Tests/Prose/check.py --list [PATH] [--pattern NAME]    prints places, below a path or of one pattern

A target is a folder of Sources or Tests, docs, packaging or Examples, or `documents`: the Markdown files at the top.
Reads comments and texts in quotes of programs, descriptions of the HTTP interface and the schemas, and other files whole. Code blocks and `code` in
Markdown don't count.
A hit is a place to read aloud. If the wording is right there, add a line with the reason to exceptions.txt.
"""
import argparse, collections, pathlib, re, sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BASELINE, EXCEPTIONS = HERE / "baseline.txt", HERE / "exceptions.txt"
SUFFIXES = {".swift", ".js", ".md", ".html", ".py", ".sh", ".c", ".h"}
# People read the descriptions in them. Questions and other built-in texts are not prose of the project.
DESCRIPTIONS = ("docs/schemas/", "Sources/ExamServer/Description/openapi.json")

# Each with the words to write instead. Matched in one passage: a block of comment lines, a paragraph or a text in quotes.
PATTERNS = {
    "doc-opening": (
        r"\A(?:[-*] (?:Returns|Throws|Parameter \w+): )?(?:What|How|Where|Whose|Whom?|Of|Whatever|Whoever)\b(?![^.]*\?)",
        "begin with a verb (functions) or a noun phrase (types and properties)",
    ),
    "unnamed-actor": (
        r"\b(?:nobody|somebody|whoever|whomever)(?:'s|’s)?\b|\bfor who\b|\bwhose (?:is|are)\b",
        "name the actor: the learner, another node, the caller",
    ),
    "where-for-if": (
        r"(?<!say )(?<!says )(?<!from )(?<!see )(?<!place )(?<!folder )(?<!know )(?<!knows )(?<!is )(?<!are )(?<!and )(?<!shows )(?<!the line )(?<!file )"
        r"\b[Ww]here (?:it|there|they|one|an?|the|this|that|these|no|none|any|its|nothing|you|your)\b(?! (?:is|are|was|were) (?:stored|kept|written|sent)\b)",
        "a condition is \"if\", a moment \"when\"; \"where\" is for places",
    ),
    "is-none": (
        r"(?<!there )\b(?:is|are|was|were|be) none\b|\bwhat is no\b|\bas none\b",
        "say missing, empty, invalid, unknown, not",
    ),
    "riddle": (
        r"\b(?:gone|goes|go|going) on with\b|\b(?:what|all that|that) (?:becomes|became|comes|came) of\b|\bmust needs\b|\bis (?:told|asked) of\b|\bhas to be looked at\b",
        "name the step: continues, resumes, reports, checks",
    ),
    "outside-code": (
        r"\((?:[ADEFLPQUVW]\d{1,2}|[BC](?:[3-9]|\d\d))(?:\)|[,;:] |[ –-](?:to |and )?[A-Z]?\d)|\((?:lines?|section) \d+\)",
        "give the reason in words: the reader has no such document",
    ),
}
COMPILED = {name: re.compile(pattern) for name, (pattern, _) in PATTERNS.items()}


def target(path):
    parts = path.relative_to(ROOT).parts
    if len(parts) == 1:
        return "documents"
    return "/".join(parts[:2]) if parts[0] in ("Sources", "Tests") else parts[0]


def files():
    tops = [path for path in ROOT.iterdir() if path.suffix == ".md"]
    folders = [ROOT / name for name in ("Sources", "Tests", "docs", "packaging", "Examples", "AudioFixtures")]
    for path in sorted(tops + [path for folder in folders for path in folder.rglob("*")]):
        name = str(path.relative_to(ROOT))
        is_read = path.suffix in SUFFIXES or path.suffix == ".json" and name.startswith(DESCRIPTIONS)
        if is_read and path.is_file() and HERE not in path.parents and "/." not in name:
            yield path


def passages(path):
    """Yields pieces of prose with their kind (a comment's marker, "text" or "quoted") and the numbers of their lines."""
    text = path.read_text(errors="replace")
    if path.suffix == ".json":
        for number, line in enumerate(text.splitlines(), 1):
            for words in re.findall(r'"(?:description|summary|title)": "((?:[^"\\\\]|\\\\.)*)"', line):
                yield "quoted", [(number, words)]
        return
    marked = marked_lines(text) if path.suffix in (".swift", ".js", ".c", ".h") else plain_lines(text, path.suffix)
    passage, kind = [], None
    for number, now, words, begins in marked:
        if passage and (begins or now != kind):
            yield kind, passage
            passage = []
        kind = now
        if words:
            passage.append((number, words))
    if passage:
        yield kind, passage


def marked_lines(text):
    """Yields the lines of a program as (number, kind, words, whether a passage begins): comments, and texts in quotes."""
    is_in_text = False
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if is_in_text:
            is_in_text = '"""' not in bare
            yield number, "quoted", bare.rstrip("\\").replace('"""', ""), not bare
            continue
        comment = re.match(r"(///?|/\*\*?|\*(?!/))(?!\S)\s?(.*)", bare)
        if comment:
            # A list item or a field of a comment is a passage of its own.
            yield number, comment.group(1), comment.group(2), not comment.group(2) or bool(re.match(r"[-*@] ?\w", comment.group(2)))
            continue
        is_in_text = bare.count('"""') % 2 == 1
        quoted = [] if is_in_text else re.findall(r'"((?:[^"\\]|\\.)*[a-z] [a-z](?:[^"\\]|\\.)*)"', line)
        trailing = re.search(r"(?:^|\s)//\s+(.*)", line)
        for words in quoted or ([trailing.group(1)] if trailing else []):
            yield number, "quoted" if quoted else "//", words, True
        yield number, None, "", True


def plain_lines(text, suffix):
    """Yields the lines of other files, without code blocks and `code` of Markdown."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if suffix == ".md" and bare.startswith("```"):
            is_code, bare = not is_code, ""
        words = "" if is_code else re.sub(r"`[^`]*`", "`…`", bare)
        yield number, "text" if words else None, words, not words or bare[:1] in "-|#*"


def exceptions():
    """Yields the lines of `pattern :: path :: words :: reason`; `*` stands for any pattern, or any words."""
    for number, line in enumerate(EXCEPTIONS.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            fields = [field.strip() for field in line.split("::")]
            if len(fields) != 4 or not fields[3] or fields[0] not in {*PATTERNS, "*"}:
                sys.exit(f"{EXCEPTIONS.name}:{number}: expected \"pattern :: path :: words :: reason\"")
            yield fields


def hits():
    """Yields all hits as (target, path, line, pattern, text of the line)."""
    allowed = list(exceptions())
    for path in files():
        name = str(path.relative_to(ROOT))
        here = [entry for entry in allowed if name.startswith(entry[1])]
        for kind, lines in passages(path):
            whole = " ".join(text for _, text in lines)
            for pattern, expression in COMPILED.items():
                if pattern == "doc-opening" and kind not in ("///", "/**"):
                    continue
                for match in expression.finditer(whole):
                    if any(entry[0] in ("*", pattern) and (entry[2] == "*" or entry[2] in whole) for entry in here):
                        continue
                    place, start = lines[0], 0
                    for line in lines:
                        if start <= match.start():
                            place = line
                        start += len(line[1]) + 1
                    yield target(path), name, place[0], pattern, place[1]


def baseline():
    counts = {}
    for line in BASELINE.read_text().splitlines() if BASELINE.exists() else []:
        name, _, number = line.rpartition(" ")
        if name and not name.startswith("#"):
            # A merge keeps both lines of a target that two people lowered: the lower one counts.
            counts[name] = min(int(number), counts.get(name, int(number)))
    return counts


def write(counts):
    lines = ["# Hits of Tests/Prose/check.py in each target. They may only fall: `make format` lowers them."]
    BASELINE.write_text("\n".join(lines + [f"{name} {counts[name]}" for name in sorted(counts) if counts[name]]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--reset", action="store_true")
    parser.add_argument("--list", nargs="?", const="", metavar="PATH")
    parser.add_argument("--pattern", choices=list(PATTERNS))
    options = parser.parse_args()
    found = list(hits())
    if options.list is not None or options.pattern:
        for _, path, line, pattern, text in found:
            if path.startswith(options.list or "") and options.pattern in (None, pattern):
                print(f"{path}:{line}: {pattern}: {text[:140]}")
        return
    counts, before = collections.Counter(name for name, *_ in found), baseline()
    if options.reset or not BASELINE.exists():
        return write(counts)
    if options.update:
        return write({name: min(counts[name], number) for name, number in before.items()})
    worse = [name for name in sorted(counts) if counts[name] > before.get(name, 0)]
    for name in worse:
        for _, path, line, pattern, text in (hit for hit in found if hit[0] == name):
            print(f"{path}:{line}: {pattern}: {text[:140]}")
        print(f"{name}: {counts[name]} hits, {before.get(name, 0)} allowed.", file=sys.stderr)
    if worse:
        print("Read these places aloud and reword what you added:", file=sys.stderr)
        for name, (_, advice) in PATTERNS.items():
            print(f"  {name:14} {advice}", file=sys.stderr)
        print("If the wording is right, add it with a reason to Tests/Prose/exceptions.txt.", file=sys.stderr)
        sys.exit(1)


main()
