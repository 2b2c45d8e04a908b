"""Reads the sound files of other programs' tests with `oracy vad`, and compares their lengths with those that ffmpeg decodes.

Usage: public_files.py ORACY FOLDER

The files come from source packages of Debian and PyPI, through their usual clients. FOLDER keeps them for the next time. Each file
counts once, by its digest. Exits with 1 if a length differs by more than 20 ms without a warning, if ffmpeg decodes a file that is
refused without a sentence, or if anything but Oracy's own sentences reaches standard error.
"""
import collections
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile

DEBIAN = [
    "libaudio-scan-perl", "taglib", "libmp3-info-perl", "libmp3-tag-perl", "gst-plugins-good1.0", "python3.11", "pygame",
    "qtmultimedia-opensource-src", "tracker-miners", "libimage-exiftool-perl", "mpg123", "sox",
]
PYPI = ["mutagen", "beets", "mediafile", "picard", "hachoir", "pyglet", "miniaudio", "soundfile", "filetype"]
SUFFIXES = (
    "wav wave rf64 w64 aif aiff aifc au snd caf flac ogg oga opus spx ogv mp3 mp2 mp1 m4a m4b m4v mov mp4 3gp aac amr webm mka mkv "
    "wma asf wmv").split()

# Files whose length differs from ffmpeg's, with the reason why ours is right.
EXPLAINED = {
    "test.ogg": "ffmpeg leaves out that the last page ends within a packet (Vorbis I, A.2)",
    "test-invalid-rating.ogg": "ffmpeg leaves out that the last page ends within a packet (Vorbis I, A.2)",
    "v2.3-encrypted-frame.mp3": "its tag claims three bytes of the first frame, which ffmpeg leaves out for that",
}


def run(command, folder=None):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")


def download(folder):
    """Downloads the packages. Names the ones that are not available, and leaves them out."""
    lists, sources = folder + "/lists", folder + "/packages"
    os.makedirs(lists + "/partial", exist_ok=True)
    os.makedirs(sources, exist_ok=True)
    os.makedirs(folder + "/sources", exist_ok=True)
    # This machine's list of Debian packages, changed to a list of their sources.
    for path in ["/etc/apt/sources.list"] + glob.glob("/etc/apt/sources.list.d/*"):
        if os.path.exists(path) and ("debian" in path or "ubuntu" in path or path.endswith("sources.list")):
            with open(path) as file:
                text = re.sub(r"^(Types: *)?deb\b.*?(?= |$)", lambda found: (found[1] or "") + "deb-src", file.read(), flags=re.M)
            with open(f"{folder}/sources/{os.path.basename(path)}", "w") as file:
                file.write(text)
    options = [
        "-oDir::Etc::sourcelist=/dev/null", f"-oDir::Etc::sourceparts={folder}/sources", f"-oDir::State::lists={lists}",
        "-oAPT::Sandbox::User=root",
    ]
    run(["apt-get", *options, "update"])
    for name in DEBIAN + PYPI:
        place = f"{sources}/{name}"
        if os.path.isdir(place):
            continue
        os.makedirs(place + ".part", exist_ok=True)
        if name in DEBIAN:
            # A missing patch or signature doesn't matter: the tests' files are in the original archive.
            run(["apt-get", *options, "source", "--download-only", name], place + ".part")
        else:
            run([
                sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", place + ".part",
                name,
            ])
        if any(".tar." in file for file in os.listdir(place + ".part")):
            os.rename(place + ".part", place)
        else:
            print(f"{name}: cannot be fetched, and is left out")


def unpack(folder):
    """Returns all sound files of the packages, each once."""
    files = {}
    for name in DEBIAN + PYPI:
        place = f"{folder}/packages/{name}"
        archives = [file for file in os.listdir(place)] if os.path.isdir(place) else []
        for archive in sorted(archives):
            if ".tar." not in archive or ".debian." in archive or archive.endswith(".asc"):
                continue
            with tarfile.open(f"{place}/{archive}") as tar:
                for member in tar:
                    if not member.isfile() or member.name.rsplit(".", 1)[-1].lower() not in SUFFIXES:
                        continue
                    content = tar.extractfile(member).read()
                    digest = hashlib.sha256(content).hexdigest()
                    if digest in files:
                        continue
                    path = f"{folder}/files/{name}/{digest[:8]}-{os.path.basename(member.name)}"
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as file:
                        file.write(content)
                    files[digest] = path
    return sorted(files.values())


def seconds_by_ffmpeg(path):
    command = ["ffmpeg", "-nostdin", "-v", "quiet", "-i", path, "-map", "0:a:0", "-f", "s16le", "-ac", "1", "-ar", "48000", "-"]
    return len(subprocess.run(command, stdout=subprocess.PIPE).stdout) / 96000


def heard(oracy, paths):
    """Returns seconds and warnings by path, and the refusals of unreadable files."""
    lengths, refusals, foreign = {}, {}, []
    for start in range(0, len(paths), 50):
        some = paths[start:start + 50]
        result = run([oracy, "vad", "--json", *some])
        if result.returncode not in (0, 65):
            foreign.append(f"oracy ended with {result.returncode}")
        for file in json.loads(result.stdout)["files"] if result.stdout else []:
            lengths[file["path"]] = (file["durationSeconds"], file.get("warnings", []))
        for line in result.stderr.splitlines():
            path = next((path for path in some if line.startswith(f"oracy: {path}: ")), None)
            if path is None:
                foreign.append(line)
            elif path not in lengths:
                refusals[path] = line.removeprefix(f"oracy: {path}: ")
    return lengths, refusals, foreign


def main():
    oracy, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    download(folder)
    paths = unpack(folder)
    lengths, refusals, foreign = heard(oracy, paths)
    counts, bad = collections.Counter(), [f"on standard error: {line}" for line in foreign]
    for path in paths:
        reference, name = seconds_by_ffmpeg(path), os.path.basename(path)[9:]
        if path in lengths:
            length, warnings = lengths[path]
            if abs(length - reference) <= 0.02:
                kind = "as long as ffmpeg's, to 20 ms"
            elif warnings:
                kind = "of another length, with a warning"
                print(f"{name}: {length:.3f} s, ffmpeg {reference:.3f} s: {' '.join(warnings)}")
            elif name in EXPLAINED:
                kind = "of another length, explained"
                print(f"{name}: {length:.3f} s, ffmpeg {reference:.3f} s: {EXPLAINED[name]}")
            else:
                kind = "of another length"
                bad.append(f"{name}: {length:.3f} s, ffmpeg {reference:.3f} s, and not a word")
        elif path in refusals:
            kind = "refused with a sentence, by ffmpeg too" if reference == 0 else "refused with a sentence, decoded by ffmpeg"
            if reference > 0:
                print(f"{name}: ffmpeg {reference:.3f} s: {refusals[path]}")
        else:
            kind = "without a word"
            bad.append(f"{name}: neither read nor refused")
        counts[kind] += 1
    print(f"{len(paths)} files")
    for kind, count in counts.most_common():
        print(f"{count:5} {kind}")
    print("\n".join(bad))
    sys.exit(1 if bad or len(paths) < 300 else 0)


main()
