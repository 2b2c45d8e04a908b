"""Unpacks Debian's packages without installing them."""
import glob
import os
import subprocess


def unpacked(package, work):
    """Returns the folder in which a package was unpacked. If that fails, prints a sentence and returns None."""
    place = os.path.join(work, package)
    if os.path.isdir(f"{place}/usr"):
        return place
    os.makedirs(place, exist_ok=True)
    got = subprocess.run(["apt-get", "download", "-qq", package], cwd=place, capture_output=True).returncode == 0
    archives = glob.glob(f"{place}/*.deb")
    if not got or not archives or subprocess.run(["dpkg-deb", "-x", archives[0], place]).returncode != 0:
        print(f"no {package}: apt-get cannot download it, so training goes on without its sounds")
        return None
    return place
