"""packaging/lock: a build with other packages than the list is named, with what to do."""
import json, unittest

from fixtures import APACHE, PACKAGES, Project


class Lock(unittest.TestCase):
    def setUp(self):
        self.project = Project(self)

    def check(self):
        result = self.project.script("lock", "--check", self.project.build)
        return result.returncode, result.stderr.splitlines()

    def test_list_has_name_version_repository_and_licence(self):
        lines = [line for line in self.project.lock.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(
            lines,
            [
                "GRDB.swift 7.10.0 https://github.com/groue/GRDB.swift MIT",
                "swift-nio 2.101.2 https://github.com/apple/swift-nio Apache-2.0",
                "swift-system 1.8.1 https://github.com/apple/swift-system Apache-2.0 WITH Swift-exception",
            ],
        )

    def test_same_versions_pass(self):
        self.assertEqual(self.check(), (0, []))

    def test_other_version_is_one_sentence_with_both_versions_and_both_ways_out(self):
        self.project.resolve({**PACKAGES, "swift-nio": ("2.102.0", *PACKAGES["swift-nio"][1:])})
        code, lines = self.check()
        self.assertEqual((code, len(lines)), (1, 1))
        choice = f"swift package --scratch-path {self.project.build} resolve swift-nio --version 2.101.2"
        for words in ("swift-nio is 2.102.0", "2.101.2 in packaging/packages.lock", choice, "make lock"):
            self.assertIn(words, lines[0])

    def test_new_and_missing_packages_are_named(self):
        packages = {**PACKAGES, "swift-log": ("1.16.2", "https://github.com/apple/swift-log", APACHE)}
        del packages["swift-system"]
        self.project.resolve(packages)
        code, lines = self.check()
        self.assertEqual(code, 1)
        self.assertEqual(
            [line.split(":")[0] for line in lines],
            [
                "swift-log 1.16.2 is in the build, and missing in packaging/packages.lock",
                "swift-system 1.8.1 is in packaging/packages.lock, and missing in the build",
            ],
        )

    def test_other_repository_is_named(self):
        self.project.resolve({**PACKAGES, "swift-nio": ("2.101.2", "https://github.com/example/swift-nio", APACHE)})
        code, lines = self.check()
        self.assertEqual((code, len(lines)), (1, 1))
        self.assertIn("https://github.com/example/swift-nio", lines[0])

    def test_make_lock_accepts_the_new_version(self):
        self.project.resolve({**PACKAGES, "swift-nio": ("2.102.0", *PACKAGES["swift-nio"][1:])})
        self.assertEqual(self.project.script("lock", self.project.build).returncode, 0)
        self.assertEqual(self.check(), (0, []))
        self.assertIn("swift-nio 2.102.0 ", self.project.lock.read_text())

    def test_unknown_licence_stops_the_list(self):
        before = self.project.lock.read_text()
        self.project.resolve({**PACKAGES, "swift-nio": (*PACKAGES["swift-nio"][:2], "All rights reserved.")})
        result = self.project.script("lock", self.project.build)
        self.assertEqual(result.returncode, 1)
        self.assertIn("swift-nio has an unknown licence", result.stderr)
        self.assertEqual(self.project.lock.read_text(), before)

    def test_branch_instead_of_a_version_is_refused(self):
        path = self.project.build / "workspace-state.json"
        state = json.loads(path.read_text())
        del state["object"]["dependencies"][1]["state"]["checkoutState"]["version"]
        path.write_text(json.dumps(state))
        code, lines = self.check()
        self.assertEqual(code, 1)
        self.assertIn("swift-nio has no version", lines[0])

    def test_missing_and_broken_builds_are_one_sentence(self):
        path = self.project.build / "workspace-state.json"
        path.write_text("{")
        self.assertIn("unknown format", self.check()[1][0])
        path.unlink()
        self.assertEqual((self.check()[0], len(self.check()[1])), (1, 1))
        self.assertIn("is missing", self.check()[1][0])
