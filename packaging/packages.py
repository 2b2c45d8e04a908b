"""Reads the Swift packages of a build, and packages.lock: the versions that a release contains."""
import json, pathlib, typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOCK = ROOT / "packaging" / "packages.lock"


class Failure(Exception):
    """A problem that the caller can mend, in one sentence."""


class Package(typing.NamedTuple):
    """A Swift package: its repository's name, its exact version, its repository and its SPDX licence."""

    name: str
    version: str
    url: str
    licence: str = ""


def resolved(folder):
    """Returns the packages of a build folder, sorted by name, without their licences."""
    path = pathlib.Path(folder) / "workspace-state.json"
    try:
        dependencies = json.loads(path.read_text())["object"]["dependencies"]
    except OSError:
        raise Failure(f"{path} is missing. Run `swift package resolve` first, for this folder.") from None
    except (ValueError, KeyError, TypeError):
        raise Failure(f"{path} has an unknown format. Remove it and run `swift package resolve`.") from None
    packages = []
    for dependency in dependencies:
        # Examples share the build folder, and Oracy is a dependency of theirs.
        if dependency["packageRef"]["kind"] in ("fileSystem", "root"):
            continue
        url = dependency["packageRef"]["location"].removesuffix(".git")
        name = url.rpartition("/")[2]
        version = dependency["state"].get("checkoutState", {}).get("version")
        if not version:
            raise Failure(f"{name} has no version in {path}. Give it one in Package.swift, and run `swift package resolve`.")
        packages.append(Package(name, version, url))
    return sorted(packages, key=lambda package: package.name.lower())


def licence(folder, package):
    """Returns the SPDX expression of the licence in a package's sources."""
    files = sorted((pathlib.Path(folder) / "checkouts" / package.name).glob("LICEN[CS]E*"))
    text = " ".join(files[0].read_text().split()) if files else ""
    if "Apache License Version 2.0" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge, to any person obtaining a copy" in text:
        return "MIT"
    raise Failure(f"{package.name} has an unknown licence. Read it, and add it to `licence` in packaging/packages.py.")


def listed():
    """Returns the packages of packages.lock."""
    lines = [line for line in LOCK.read_text().splitlines() if line and not line.startswith("#")]
    packages = [Package(*line.split(maxsplit=3)) for line in lines]
    if not all(package.licence for package in packages):
        raise Failure(f"{LOCK.name} has a line without a licence. Write the list anew: `make lock`.")
    return packages


def differences(folder):
    """Returns a sentence for each package of a build folder that differs from packages.lock."""
    built = {package.name: package for package in resolved(folder)}
    locked = {package.name: package for package in listed()}
    accept = "run `make lock` and commit packaging/packages.lock"
    choose = "swift package" if str(folder) == ".build" else f"swift package --scratch-path {folder}"
    for name in sorted({*built, *locked}, key=str.lower):
        here, there = built.get(name), locked.get(name)
        if not there:
            yield f"{name} {here.version} is in the build, and missing in packaging/packages.lock: {accept}."
        elif not here:
            yield f"{name} {there.version} is in packaging/packages.lock, and missing in the build: {accept}."
        elif here.version != there.version:
            yield (
                f"{name} is {here.version} in the build, and {there.version} in packaging/packages.lock. For the listed version: "
                f"`{choose} resolve {name.lower()} --version {there.version}`. To release {here.version}, or if the listed "
                f"version can't be fetched any more: {accept}."
            )
        elif here.url != there.url:
            yield f"{name} comes from {here.url}, and from {there.url} in packaging/packages.lock: {accept}."
