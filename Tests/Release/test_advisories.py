"""packaging/advisories: hits, versions that no advisory concerns, and lists that can't be used."""
import json, os, pathlib, shutil, sys, tempfile, time, unittest, zipfile

from fixtures import ADVISORIES, ROOT, run, sbom


class Advisories(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compare(self, *lists, **versions):
        """Compares versions of packages with lists. Returns the exit code, the hits, and what went to standard error."""
        path = self.folder / "oracy.cdx.json"
        path.write_text(json.dumps(sbom(**versions)))
        result = run(sys.executable, ROOT / "packaging" / "advisories", *lists, "--sbom", path)
        hits = [line for line in result.stdout.splitlines() if ": SAMPLE-" in line]
        return result.returncode, hits, result.stderr

    def one(self, name, **versions):
        code, hits, errors = self.compare(ADVISORIES / f"SAMPLE-{name}.json", **versions)
        self.assertEqual((code, len(hits)), (1, 1) if hits else (0, 0), errors)
        return hits[0] if hits else None

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_hit_has_package_version_id_severity_and_fix(self):
        words = "swift-nio 2.101.2: SAMPLE-fixed-later, HIGH, fixed in 2.110.0: A made-up advisory: a fix is available"
        self.assertEqual(self.one("fixed-later"), words)

    def test_versions_are_numbers_not_text(self):
        self.assertIsNotNone(self.one("fixed-later", swift_nio="2.19.0"))
        self.assertIsNone(self.one("fixed-later", swift_nio="2.110.0"))
        self.assertIsNotNone(self.one("fixed-later", swift_nio="2.110.0-beta.1"))

    def test_not_yet_introduced_is_no_hit(self):
        self.assertIsNone(self.one("introduced-later"))
        self.assertIsNotNone(self.one("introduced-later", swift_nio="3.0.0"))

    def test_fixed_is_no_hit(self):
        self.assertIsNone(self.one("fixed-before"))
        self.assertIn("fixed in 2.101.2", self.one("fixed-before", swift_nio="2.101.1"))

    def test_last_affected_version_is_a_hit_and_the_next_is_none(self):
        hit = self.one("last-affected", jwt_kit="5.7.1")
        self.assertEqual(hit, "jwt-kit 5.7.1: SAMPLE-last-affected, CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N, not fixed yet")
        self.assertIsNone(self.one("last-affected", jwt_kit="5.7.2"))

    def test_several_ranges_have_gaps(self):
        fixes = {"4.9.9": None, "5.1.0": "5.2.0", "5.2.0": None, "6.2.9": "6.3.0", "6.9.0": None, "7.10.0": "7.11.2", "8.0.1": None}
        for version, fix in fixes.items():
            with self.subTest(version):
                hit = self.one("several-ranges", **{"GRDB.swift": version})
                self.assertEqual(hit and hit.rsplit(" ", 1)[1], fix)

    def test_debian_versions_are_compared_as_dpkg_does(self):
        hit = self.one("debian", libsndfile1="1.2.0-1+deb12u1")
        self.assertEqual(hit, "libsndfile1 1.2.0-1+deb12u1: SAMPLE-debian, low, fixed in 1.2.0-1+deb12u2")
        self.assertIsNone(self.one("debian", libsndfile1="1.2.0-1+deb12u10"))
        self.assertIsNotNone(self.one("debian", libsndfile1="1.2.0-1~bpo11+1"))

    def test_listed_versions_and_limits_and_commits(self):
        package = {"ecosystem": "SwiftURL", "name": "github.com/apple/swift-nio"}
        events = [{"introduced": "0"}, {"limit": "2.101.0"}]
        for affected, words in (
            ({"versions": ["2.101.1", "2.101.2"]}, "not fixed yet"),
            ({"versions": ["2.101.1"]}, None),
            ({"ranges": [{"type": "SEMVER", "events": events}]}, None),
            ({"ranges": [{"type": "SEMVER", "events": [*events, {"limit": "*"}]}]}, "not fixed yet"),
            ({"ranges": [{"type": "GIT", "repo": "r", "events": [{"introduced": "0"}]}]}, "compare them by hand"),
        ):
            path = self.write("SAMPLE.json", json.dumps({"id": "SAMPLE-1", "affected": [{"package": package, **affected}]}))
            code, hits, errors = self.compare(path)
            self.assertEqual((code, len(hits)), (1, 1) if words else (0, 0), errors)
            self.assertIn(words or "", "".join(hits))

    def test_events_may_come_in_any_order(self):
        package = {"ecosystem": "SwiftURL", "name": "github.com/apple/swift-nio"}
        once = [{"last_affected": "2.101.2"}, {"introduced": "2.101.2"}]
        again = [{"introduced": "2.101.2"}, {"fixed": "2.101.2"}, {"fixed": "2.102.0"}, {"introduced": "0"}]
        early = [{"fixed": "0.0.0-alpha.2"}, {"introduced": "0"}]
        for events, version, is_hit in (
            (early, "0.0.0-alpha.1", True),
            (early, "0.0.0-alpha.3", False),
            (once, "2.101.1", False),
            (once, "2.101.2", True),
            (once, "2.101.3", False),
            (again, "0.0.0-alpha.1", True),
            (again, "2.101.2", True),
            (again, "2.102.0", False),
        ):
            affected = [{"package": package, "ranges": [{"type": "SEMVER", "events": events}]}]
            path = self.write("SAMPLE.json", json.dumps({"id": "SAMPLE-1", "affected": affected}))
            with self.subTest(f"{version} {events}"):
                self.assertEqual(self.compare(path, swift_nio=version)[0], 1 if is_hit else 0)

    def test_withdrawn_advisories_and_other_packages_are_no_hits(self):
        self.assertIsNone(self.one("withdrawn"))
        self.assertIsNone(self.one("other-package"))

    def test_folder_archive_and_array_give_the_same_hits(self):
        versions = {"jwt_kit": "5.7.1", "GRDB.swift": "7.10.0", "libsndfile1": "1.2.0-1+deb12u1"}
        code, hits, _ = self.compare(ADVISORIES, **versions)
        self.assertEqual((code, len(hits)), (1, 4))
        archive = self.folder / "all.zip"
        with zipfile.ZipFile(archive, "w") as files:
            for path in ADVISORIES.iterdir():
                files.write(path, path.name)
        array = self.write("all.json", json.dumps([json.loads(path.read_text()) for path in ADVISORIES.iterdir()]))
        for lists in ([archive], [array], [archive, ADVISORIES]):
            again, same, _ = self.compare(*lists, **versions)
            self.assertEqual((again, sorted(same)), (code, sorted(hits)))

    def test_old_lists_get_a_warning(self):
        path = shutil.copy(ADVISORIES / "SAMPLE-fixed-before.json", self.folder)
        for days, is_old in ((29, False), (32, True)):
            os.utime(path, (time.time() - days * 86_400 - 60,) * 2)
            code, _, errors = self.compare(path)
            self.assertEqual((code, "older than 30 days" in errors), (0, is_old))
        result = run(sys.executable, ROOT / "packaging/advisories", path, "--sbom", self.folder / "oracy.cdx.json")
        self.assertIn("1 advisories, 32 days old", result.stdout)

    def test_lists_without_an_ecosystem_get_a_warning(self):
        _, _, errors = self.compare(ADVISORIES / "SAMPLE-fixed-before.json", libsndfile1="1.2.0-1")
        self.assertIn("no list has advisories of debian:12", errors)
        self.assertEqual(self.compare(ADVISORIES, libsndfile1="1.2.0-1")[2], "")

    def test_lists_that_cannot_be_used_are_one_sentence(self):
        entry = {"package": {"ecosystem": "SwiftURL", "name": "github.com/apple/swift-nio"}, "ranges": [{"type": "SEMVER"}]}
        bad = {**entry, "ranges": [{"type": "SEMVER", "events": [{"introduced": "next"}]}]}
        (self.folder / "empty").mkdir()
        whole = self.folder / "whole.zip"
        with zipfile.ZipFile(whole, "w") as files:
            files.writestr("a.json", "[]")
        for path, words in (
            (self.write("broken.json", '{"id": '), "broken.json is not JSON"),
            (self.write("cut.zip", whole.read_bytes()[:40].decode("latin-1")), "cut.zip is not JSON"),
            (self.write("other.json", '{"name": "other"}'), "it has no id"),
            (self.write("events.json", json.dumps({"id": "X-1", "affected": [entry]})), "X-1 is not as OSV's schema says"),
            (self.write("version.json", json.dumps({"id": "X-2", "affected": [bad]})), "X-2 is not as OSV's schema says"),
            (self.write("list.json", "[]"), "has no advisories"),
            (whole, "has no advisories"),
            (self.folder / "empty", "has no advisories"),
            (self.folder / "missing", "can't be read: No such file or directory"),
        ):
            with self.subTest(path.name):
                code, hits, errors = self.compare(path)
                self.assertEqual((code, hits, len(errors.splitlines())), (2, [], 1), errors)
                self.assertIn(words, errors)

    def test_documents_that_cannot_be_used_are_one_sentence(self):
        for text, words in (("{", "is not what"), ('{"components": []}', "has no Swift or Debian packages"), ("[]", "is not what")):
            path = self.write("oracy.cdx.json", text)
            result = run(sys.executable, ROOT / "packaging/advisories", ADVISORIES, "--sbom", path)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
            self.assertIn(words, result.stderr)
