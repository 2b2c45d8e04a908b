"""Reads advisories in OSV's format, and decides which versions they concern (ossf.github.io/osv-schema)."""
import functools, json, pathlib, re, subprocess, time, typing, zipfile, zlib

import semver

from packages import Failure


class Hit(typing.NamedTuple):
    """An advisory that concerns a version. The remedy says which version is fixed, if there is one."""

    advisory: str
    severity: str
    remedy: str
    summary: str


def compare_swift(one, other):
    """Returns −1, 0 or 1, by semver.org's order."""
    parse = lambda text: semver.Version.parse(text.removeprefix("v"), optional_minor_and_patch=True)
    return parse(one).compare(parse(other))


def compare_debian(one, other):
    """Returns −1, 0 or 1, by dpkg's order."""
    for result, relation in ((-1, "lt"), (0, "eq"), (1, "gt")):
        try:
            told = subprocess.run(["dpkg", "--compare-versions", one, relation, other], capture_output=True, text=True)
        except FileNotFoundError:
            raise Failure("Debian's versions can't be compared: dpkg is not installed. Run this on Debian or Ubuntu.") from None
        if told.stderr:
            raise ValueError(told.stderr.strip())
        if told.returncode == 0:
            return result
    raise ValueError(f"{one} and {other} are not versions")


def fixes(version, events, compare):
    """Returns whether a version is affected by a range's events, and the fixed versions after it."""

    def order(one, other):
        if "0" in (one[1], other[1]):
            return (one[1] != "0") - (other[1] != "0")
        return compare(one[1], other[1])

    # The order at one version: a fix ends the range before, and a version that is introduced and last_affected is affected itself.
    ranks = ["fixed", "introduced", "last_affected"]
    steps = [step for event in events for step in event.items() if step[0] in ranks]
    steps.sort(key=lambda step: ranks.index(step[0]))
    steps.sort(key=functools.cmp_to_key(order))
    is_affected, later = False, []
    for kind, limit in steps:
        place = 1 if limit == "0" else compare(version, limit)
        if kind == "introduced" and place >= 0:
            is_affected = True
        elif kind == "fixed" and place >= 0 or kind == "last_affected" and place > 0:
            is_affected = False
        if kind == "fixed" and place < 0:
            later.append(limit)
    limits = [event["limit"] for event in events if "limit" in event]
    if limits and all(limit != "*" and compare(version, limit) >= 0 for limit in limits):
        is_affected = False
    return is_affected, later


def comparable(entry):
    """Returns the ranges and versions of an entry of `affected` that can be compared: not those of commits."""
    return [span for span in entry.get("ranges", []) if span["type"] in ("SEMVER", "ECOSYSTEM")], entry.get("versions", [])


def remedy(entries, version, compare):
    """Returns what to do about a version that entries of `affected` concern, or None if they don't.

    Entries that name only commits can't be compared, so they concern every version.
    """
    exact = [entry for entry in entries if any(comparable(entry))]
    if entries and not exact:
        return "only commits are named: compare them by hand"
    is_affected, later = False, []
    for ranges, versions in map(comparable, exact):
        results = [fixes(version, span["events"], compare) for span in ranges]
        is_affected = is_affected or version in versions or any(affected for affected, _ in results)
        later += [limit for _, limits in results for limit in limits]
    if not is_affected:
        return None
    return f"fixed in {min(later, key=functools.cmp_to_key(compare))}" if later else "not fixed yet"


def severity(advisory, entry):
    """Returns the word that the database gives, or else the CVSS vector."""
    for place in (advisory.get("database_specific"), entry.get("database_specific"), entry.get("ecosystem_specific")):
        word = (place or {}).get("severity") or (place or {}).get("urgency")
        if isinstance(word, str):
            return word
    vectors = entry.get("severity") or advisory.get("severity") or [{"score": "unknown severity"}]
    return vectors[0]["score"]


def key(package):
    """Returns an advisory's package as (ecosystem, name) in the form of `hits`: ("swifturl", "github.com/apple/swift-nio")."""
    # A release of Ubuntu has a third part, "Ubuntu:24.04:LTS". Swift packages are named with and without "https://" and ".git".
    ecosystem = ":".join(package["ecosystem"].lower().split(":")[:2])
    return ecosystem, re.sub(r"^https?://|\.git$", "", package["name"].lower())


def by_package(advisories):
    """Returns the advisories that are not withdrawn by their packages' keys, each with its entries of `affected` for the package."""
    found = {}
    for advisory in advisories:
        if advisory.get("withdrawn"):
            continue
        try:
            for entry in advisory.get("affected") or []:
                if "package" in entry:
                    # Lists may overlap: a later copy of an advisory replaces an earlier one.
                    same = found.setdefault(key(entry["package"]), {})
                    known, entries = same.get(advisory["id"], (None, []))
                    same[advisory["id"]] = (advisory, entries + [entry] if known is advisory else [entry])
        except (KeyError, TypeError, AttributeError) as error:
            raise unlike(advisory, error) from None
    return found


def hits(found, package, version, compare):
    """Yields the advisories of a result of `by_package` that concern a version of a package, which is a key."""
    for advisory, entries in found.get(package, {}).values():
        try:
            action = remedy(entries, version, compare)
            if action:
                yield Hit(advisory["id"], severity(advisory, entries[0]), action, advisory.get("summary", ""))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise unlike(advisory, error) from None


def unlike(advisory, error):
    return Failure(f"{advisory['id']} is not as OSV's schema says: {error!r}. Download the list again.")


def documents(path):
    """Yields the name, text and time of change of each JSON file of a list."""
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield str(file), file.read_bytes(), file.stat().st_mtime
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".json"):
                    yield f"{path}: {name}", archive.read(name), path.stat().st_mtime
    else:
        yield str(path), path.read_bytes(), path.stat().st_mtime


def read(path):
    """Returns the advisories of a file, an archive or a folder, and its age in days: since the newest file was downloaded."""
    path, advisories, newest = pathlib.Path(path), [], 0
    try:
        for name, text, changed in documents(path):
            try:
                content = json.loads(text)
            except ValueError as error:
                raise Failure(f"{name} is not JSON: {error}. Download the list again.") from None
            for advisory in content if isinstance(content, list) else [content]:
                if not isinstance(advisory, dict) or not isinstance(advisory.get("id"), str):
                    raise Failure(f"{name} is not an advisory in OSV's format: it has no id.")
                advisories.append(advisory)
            newest = max(newest, changed)
    except (OSError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise Failure(f"{path} can't be read: {getattr(error, 'strerror', None) or error}.") from None
    if not advisories:
        raise Failure(f"{path} has no advisories. Name the folder or archive with OSV's JSON files.")
    return advisories, max(0, int((time.time() - newest) // 86_400))
