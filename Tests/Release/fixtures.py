"""Copies of the packaging scripts with a made-up build, and documents to compare with advisories."""
import json, os, pathlib, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ADVISORIES = pathlib.Path(__file__).resolve().parent / "advisories"
APACHE = "Apache License\n Version 2.0, January 2004\n"
MIT = "Permission is hereby granted, free of charge, to any person\nobtaining a copy of this software\n"
PACKAGES = {
    "swift-nio": ("2.101.2", "https://github.com/apple/swift-nio.git", APACHE),
    "swift-system": ("1.8.1", "https://github.com/apple/swift-system", APACHE + "## Runtime Library Exception\n"),
    "GRDB.swift": ("7.10.0", "https://github.com/groue/GRDB.swift", MIT),
}


def run(*command, **environment):
    """Runs a command and returns its result with code, output and errors."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)


class Project:
    """A folder with the packaging scripts and a made-up build, for one test."""

    def __init__(self, test):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.build = self.root / ".build"
        for name in ("packaging", "Sources/C", "Sources/SystemSupport"):
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        self.lock = self.root / "packaging" / "packages.lock"
        self.resolve(PACKAGES)
        written = self.script("lock", self.build)
        test.assertEqual(written.returncode, 0, written.stderr)

    def resolve(self, packages):
        """Writes a build folder as SwiftPM does, with these packages and the folder of a package beside it."""
        local = {"packageRef": {"identity": "oracy", "kind": "fileSystem", "location": "/oracy"}, "state": {"name": "fileSystem"}}
        dependencies = [local]
        for name, (version, url, licence) in packages.items():
            checkout = self.build / "checkouts" / name
            checkout.mkdir(parents=True, exist_ok=True)
            (checkout / "LICENSE.txt").write_text(licence)
            state = {"checkoutState": {"revision": "0" * 40, "version": version}, "name": "sourceControlCheckout"}
            reference = {"identity": name.lower(), "kind": "remoteSourceControl", "location": url}
            dependencies.append({"packageRef": reference, "state": state})
        (self.build / "workspace-state.json").write_text(json.dumps({"object": {"dependencies": dependencies}, "version": 7}))

    def script(self, name, *arguments, **environment):
        return run(sys.executable, self.root / "packaging" / name, *arguments, **environment)


def sbom(**versions):
    """Returns a CycloneDX document with a few packages. Names of parameters have _ for -."""
    versions = {"swift-nio": "2.101.2", **{name.replace("_", "-"): version for name, version in versions.items()}}
    owners = {"swift-nio": "apple", "jwt-kit": "vapor", "GRDB.swift": "groue"}
    components = [
        {"name": name, "version": version, "purl": f"pkg:swift/github.com/{owners[name]}/{name}@{version}"}
        for name, version in versions.items()
        if name in owners
    ]
    if "libsndfile1" in versions:
        version = versions["libsndfile1"]
        properties = {"debian:source": "libsndfile", "debian:source-version": version}
        components.append(
            {
                "name": "libsndfile1",
                "version": version,
                "purl": f"pkg:deb/debian/libsndfile1@{version}?arch=amd64&distro=debian-12",
                "properties": [{"name": name, "value": value} for name, value in properties.items()],
            }
        )
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "components": components}
