"""packaging/sbom: valid CycloneDX with everything that is built and linked, and the same bytes for the same build."""
import json, re, shutil, sys, unittest

from fixtures import PACKAGES, ROOT, Project, run
from packageurl import PackageURL


class SBOM(unittest.TestCase):
    def setUp(self):
        self.project = Project(self)

    def document(self, *arguments, **environment):
        result = self.project.script("sbom", self.project.build, *arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def validate(self, document):
        path = self.project.root / "oracy.cdx.json"
        path.write_text(json.dumps(document))
        return run(sys.executable, ROOT / "packaging" / "validate-sbom", path)

    def program(self, modules):
        """Makes a built program of one of this machine's, with lists of the object files that are linked into it."""
        built = self.project.build / "release"
        program = built / "oracy"
        (built / "oracy.product").mkdir(parents=True)
        shutil.copy(shutil.which("dpkg"), program)
        lines = []
        for module, (kind, source) in modules.items():
            (built / f"{module}.build").mkdir()
            (built / f"{module}.build" / kind).write_text(f"{source}\n")
            lines.append(f"{built}/{module}.build/{module}.o\n")
        (built / "oracy.product" / "Objects.LinkFileList").write_text("".join(lines))
        return program

    def test_sources_have_every_package_and_library(self):
        document = self.document()
        result = self.validate(document)
        self.assertEqual(result.returncode, 0, result.stderr)
        oracy = document["metadata"]["component"]
        released = (ROOT / "Sources/SystemSupport/OracyVersion.swift").read_text()
        self.assertIn(f'text = "{oracy["version"]}"', released)
        self.assertEqual((oracy["name"], oracy["licenses"]), ("oracy", [{"license": {"id": "Apache-2.0"}}]))
        components = {component["name"]: component for component in document["components"]}
        nio = components["swift-nio"]
        self.assertEqual(nio["purl"], "pkg:swift/github.com/apple/swift-nio@2.101.2")
        self.assertEqual(nio["externalReferences"], [{"type": "vcs", "url": "https://github.com/apple/swift-nio"}])
        self.assertEqual(components["swift-system"]["licenses"], [{"expression": "Apache-2.0 WITH Swift-exception"}])
        self.assertEqual(components["GRDB.swift"]["licenses"], [{"license": {"id": "MIT"}}])
        libraries = {re.sub(r"[-\d]*(t64)?$", "", name) for name in components}
        linked = {"libbrotli", "libcurl", "libexpat", "libmpg", "libogg", "libopus", "libpq", "libpulse", "libsamplerate", "libsndfile", "libsqlite", "libssl", "zlib1g"}
        self.assertLessEqual(linked, libraries)
        self.assertEqual(len(components), len(PACKAGES) + 1 + len(linked))

    def test_addresses_of_packages_are_in_the_canonical_form(self):
        program = self.program({"NIOCore": ("sources", "/checkouts/swift-nio/A.swift")})
        for component in self.document()["components"] + self.document("--program", program)["components"]:
            self.assertEqual(PackageURL.from_string(component["purl"]).to_string(), component["purl"])

    def test_programs_have_only_their_own_parts(self):
        checkouts = self.project.build / "checkouts"
        modules = {
            "NIOCore": ("sources", f"{checkouts}/swift-nio/Sources/NIOCore/Channel.swift"),
            "CSystem": ("shims.c.d", f"shims.o: {checkouts}/swift-system/Sources/CSystem/shims.c"),
            "oracy": ("sources", f"{self.project.root}/Sources/oracy/Oracy.swift"),
        }
        document = self.document("--program", self.program(modules))
        self.assertEqual(self.validate(document).returncode, 0)
        purls = [component["purl"] for component in document["components"]]
        packages = [purl.split("/")[-1] for purl in purls if purl.startswith("pkg:swift/")]
        self.assertEqual(packages, ["swift-nio@2.101.2", "swift-system@1.8.1", packages[-1]])
        self.assertRegex(packages[-1], r"^swift@\d+\.\d+")
        libraries = [component["name"] for component in document["components"] if component["purl"].startswith("pkg:deb/")]
        self.assertIn("libc6", libraries)
        self.assertNotIn("libsndfile1", libraries)

    def test_object_files_without_sources_stop_it(self):
        program = self.program({"NIOCore": ("sources", "/checkouts/swift-nio/A.swift")})
        (program.parent / "NIOCore.build" / "sources").unlink()
        result = self.project.script("sbom", self.project.build, "--program", program)
        self.assertEqual(result.returncode, 1)
        self.assertIn("NIOCore.build does not name its source files", result.stderr)

    def test_same_build_gives_same_bytes(self):
        once, again = (self.project.script("sbom", self.project.build, PYTHONHASHSEED=seed).stdout for seed in "12")
        self.assertEqual(once, again)
        document = json.loads(once)
        self.assertNotIn("timestamp", document["metadata"])
        self.project.resolve({name: PACKAGES[name] for name in reversed(PACKAGES)})
        self.assertEqual(self.document(), document)

    def test_date_is_that_of_the_commit(self):
        document = self.document(SOURCE_DATE_EPOCH="1700000000")
        self.assertEqual(document["metadata"]["timestamp"], "2023-11-14T22:13:20Z")
        self.assertNotEqual(document["serialNumber"], self.document()["serialNumber"])
        self.assertEqual(self.validate(document).returncode, 0)

    def test_build_with_another_version_than_the_list_has_none(self):
        self.project.resolve({**PACKAGES, "swift-nio": ("2.102.0", *PACKAGES["swift-nio"][1:])})
        result = self.project.script("sbom", self.project.build)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("swift-nio is 2.102.0", result.stderr)

    def test_the_validator_refuses_other_documents(self):
        document = self.document()
        document["components"][0]["type"] = "libary"
        self.assertEqual(self.validate(document).returncode, 1)
        self.assertIn("has no components", self.validate({**document, "components": []}).stderr)
