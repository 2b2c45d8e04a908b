import Testing

@testable import AddOns

/// Transcripts of an installation: facts, and the next step.
@Suite struct AddOnInstallTests {
    private static func file(_ bytes: Int) -> AddOnFile {
        AddOnFile(name: "f", byteCount: bytes, sha256: "", licence: "MIT")
    }

    private static let files = ["lib": file(10), "one": file(20), "two": file(30), "other": file(40), "sure": file(50)]
    private static let good = AddOnPart.Way(["one", "two"], .convert(to: "m"))
    private static let second = AddOnPart.Way(["other"], .convert(to: "m"))
    private static let library = AddOnPart.Way(["lib"], .unpack)
    private let install = AddOnInstall(
        [AddOnPart("library", [library]), AddOnPart("model", [good, second])], features: ["avx2", "fma"],
        workBytes: 1_000_000, files: files)

    private func facts(free: Int = 2_000_000) -> AddOnInstall.Facts {
        var facts = AddOnInstall.Facts()
        facts.features = ["avx2", "fma", "sse"]
        facts.freeBytes = free
        return facts
    }

    @Test func everythingIsFetchedBeforeAPartIsMade() {
        var facts = facts()
        for id in ["lib", "one", "two"] {
            #expect(install.next(facts) == .fetch(id))
            facts.stored.insert(id)
        }
        #expect(install.next(facts) == .make(part: "library", Self.library))
        facts.made.insert("library")
        #expect(install.next(facts) == .make(part: "model", Self.good))
        facts.made.insert("model")
        #expect(install.next(facts) == .attempt)
        facts.isTried = true
        #expect(install.next(facts) == .finish)
    }

    @Test func aProcessorThatCannotRunItIsRefusedFirst() {
        var facts = facts(free: 0)
        facts.features = ["fma"]
        #expect(install.next(facts) == .refuse("this processor lacks avx2"))
    }

    @Test func aFileThatCannotBeHadLeadsToTheNextWay() {
        var facts = facts()
        facts.stored = ["lib", "one"]
        facts.failures["two"] = "PyPI cannot be reached"
        #expect(install.next(facts) == .fetch("other"))
        facts.stored.insert("other")
        facts.made = ["library"]
        #expect(install.next(facts) == .make(part: "model", Self.second))
        facts.failures["other"] = "PyPI has no such package"
        #expect(install.next(facts) == .refuse("PyPI cannot be reached\nPyPI has no such package"))
    }

    @Test func tooLittleSpaceIsRefusedBeforeTheFirstByte() {
        #expect(install.next(facts(free: 1_000_059)) == .refuse("the disk has 2 MB free, and 2 MB are needed"))
        #expect(install.next(facts(free: 1_000_060)) == .fetch("lib"))
        // Space for the next file, while the first one is there.
        var later = facts(free: 1_000_050)
        later.stored = ["lib"]
        #expect(install.next(later) == .fetch("one"))
    }

    @Test func partsThatAreInstalledAreKept() {
        var facts = facts()
        facts.installed = ["model"]
        #expect(install.next(facts) == .fetch("lib"))
        facts.stored = ["lib"]
        #expect(install.next(facts) == .make(part: "library", Self.library))
        facts.made = ["library"]
        #expect(install.next(facts) == .keep("model"))
    }

    @Test func aPartWithoutAWayIsRefused() {
        let install = AddOnInstall([AddOnPart("grammar", [])], workBytes: 0, files: [:])
        #expect(install.next(facts()) == .refuse("there is no grammar for this machine"))
    }
}
