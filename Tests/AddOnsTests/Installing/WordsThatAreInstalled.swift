import TestSupport
import Testing

@testable import AddOns

/// The installation that `make words` made from PyPI.
@Suite(.needs(TrialWords.obstacle)) struct WordsThatAreInstalled {
    @Test func everyFileIsAsItWasInstalled() throws {
        let words = try #require(InstalledWords(in: TrialWords.folder))
        try words.check()
        #expect(words.modelName == "base")
        #expect(words.phones != nil)
    }

    /// The converted model has the bytes of the one at the public home.
    @Test func theModelIsThatOfThePublicHome() throws {
        let words = try #require(InstalledWords(in: TrialWords.folder))
        let file = try #require(AddOnList.files["ggml-base-q8"])
        #expect(try file.isContent(of: words.model))
    }
}
