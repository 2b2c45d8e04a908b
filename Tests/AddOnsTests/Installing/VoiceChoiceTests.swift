import SystemSupport
import TestSupport
import Testing

@testable import AddOns

@Suite struct VoiceChoiceTests {
    @Test(arguments: VoiceChoice.Python.allCases) func everyPackageIsInTheList(_ python: VoiceChoice.Python) {
        let install = VoiceChoice(python, hasPico: true).install(on: "x86_64")
        #expect(install.parts.map(\.name) == ["hibari", "pico"])
        for id in install.parts.flatMap(\.ways).flatMap(\.files) {
            #expect(AddOnList.files[id]?.folder == "site", "\(id)")
        }
    }

    @Test func otherProcessorsAreRefused() {
        let install = VoiceChoice(.v311).install(on: "aarch64")
        #expect(install.next(AddOnInstall.Facts()) == .refuse("there is no hibari for this machine"))
    }

    @Test func anInstalledVoiceKnowsItsCommand() throws {
        let folder = try TemporaryFolder()
        #expect(InstalledVoices(in: folder.path) == nil)
        let numpy = try #require(AddOnList.files["numpy-311"])
        let list = Installation(
            at: "2026-11-28T09:00:00Z", source: "PyPI",
            parts: [
                .init(
                    name: "hibari", origins: [.init(title: numpy.title, licence: "BSD", sha256: numpy.sha256)],
                    files: [])
            ])
        try PrivateFile.replace(folder.path + "/installed.json", with: JSONFile.encode(list))
        let voices = try #require(InstalledVoices(in: folder.path))
        #expect(!voices.hasPico)
        let command = voices.command("heart")
        #expect(["python3.11", "python3"].contains(command[0]))
        #expect(command.dropFirst() == ["-I", "\(folder.path)/voice.py", "heart"])
    }
}
