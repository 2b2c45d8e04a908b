"""Finds the Debian packages of the libraries that Oracy's programs load."""
import pathlib, platform, re, subprocess, typing

from packages import ROOT, Failure

LIBRARIES = pathlib.Path("/usr/lib") / f"{platform.machine()}-linux-gnu"
# GRDB loads SQLite. Sources/C has a module map for each other library.
OF_PACKAGES = ["sqlite3"]
# Libraries of Swift's toolchain. The programs of the Debian packages contain them instead.
OF_SWIFT = ("libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime")


class Library(typing.NamedTuple):
    """An installed Debian package with its version, and the source package that it was built from."""

    package: str
    version: str
    source: str
    source_version: str
    architecture: str


def output(*command):
    """Returns what a command prints."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise Failure(f"`{command[0]}` is not installed. Install it, on Debian or Ubuntu.") from None
    except subprocess.CalledProcessError as error:
        raise Failure(f"`{' '.join(command)}` failed: {error.stderr.strip() or error.returncode}") from None


def loaded_by(program):
    """Returns the names of the files that a program loads, without Swift's own."""
    names = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", "--wide", str(program)))
    return sorted(name for name in names if not name.startswith(OF_SWIFT))


def named_in_sources():
    """Returns the names of the library files that the sources link."""
    maps = sorted((ROOT / "Sources" / "C").glob("*/module.modulemap"))
    libraries = [name for path in maps for name in re.findall(r'\blink "(.+?)"', path.read_text())] + OF_PACKAGES
    for name in libraries:
        if not (LIBRARIES / f"lib{name}.so").exists():
            raise Failure(f"{LIBRARIES}/lib{name}.so is missing. Install the libraries with `make setup`.")
    return sorted((LIBRARIES / f"lib{name}.so").resolve().name for name in libraries)


def libraries(files):
    """Returns the installed packages that contain library files, sorted by name."""
    owners = set()
    for file in files:
        lines = output("dpkg-query", "--search", f"*/{file}").splitlines()
        here = [line.split(": ")[0] for line in lines if re.search(f": (/usr)?/lib(64|/{LIBRARIES.name})/{re.escape(file)}$", line)]
        if not here:
            raise Failure(f"No Debian package contains {file} for {platform.machine()}.")
        owners.update(here)
    fields = "${Package}\t${Version}\t${source:Package}\t${source:Version}\t${Architecture}\n"
    lines = output("dpkg-query", "--show", f"--showformat={fields}", *sorted(owners)).splitlines()
    return sorted({Library(*line.split("\t")) for line in lines})


def release():
    """Returns the ID of this system and the number of its release: ("debian", "12")."""
    text = pathlib.Path("/etc/os-release").read_text()
    return tuple(re.search(rf'^{name}="?([^"\n]+)', text, re.M).group(1) for name in ("ID", "VERSION_ID"))
