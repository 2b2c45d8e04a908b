import Foundation
import TestSupport
import Testing

@testable import oracy

/// The comparison of heard words with those that were said.
@Suite struct WordFidelityTests {
    private typealias Share = WordFidelity.Share

    @Test func caseAndPunctuationAreNotWrong() {
        let found = WordFidelity(said: "well, I don't know", heard: "Well I don’t know.")
        #expect(found.words == 4 && found.wrong == 0)
    }

    @Test func missingChangedAndAddedWordsAreWrong() {
        #expect(WordFidelity(said: "one two three", heard: "one three").wrong == 1)
        #expect(WordFidelity(said: "one two three", heard: "one too three").wrong == 1)
        #expect(WordFidelity(said: "one two three", heard: "one two and three").wrong == 1)
        #expect(WordFidelity(said: "one two three", heard: "").wrong == 3)
    }

    @Test func anyFillerAtItsPlaceIsKept() {
        let found = WordFidelity(said: "I er like um tea", heard: "I uh like tea")
        #expect(found.fillers == Share(kept: 1, said: 2))
        #expect(found.words == 3 && found.wrong == 0, "fillers are not words")
    }

    @Test func aRepetitionIsKeptOnlyWithBothCopies() {
        #expect(WordFidelity(said: "I I like tea", heard: "I I like tea").repetitions == Share(kept: 1, said: 1))
        #expect(WordFidelity(said: "I I like tea", heard: "I like tea").repetitions == Share(kept: 0, said: 1))
        let group = WordFidelity(said: "it was it was, um, it was good", heard: "it was it was good")
        #expect(group.repetitions == Share(kept: 1, said: 2))
    }

    @Test func aCorrectedMistakeIsNotKept() {
        let said = "people prefers tea"
        #expect(
            WordFidelity(said: said, heard: "People people prefers tea.", mistakes: ["people prefers"]).mistakes
                == Share(kept: 1, said: 1))
        #expect(
            WordFidelity(said: said, heard: "People prefer tea.", mistakes: ["people prefers"]).mistakes
                == Share(kept: 0, said: 1))
    }
}

/// `oracy words measure`, with a worker that replays words.
@Suite(.needs(ReplayedWords.obstacle), .endsIfItHangs) struct WordsMeasureTool {
    private let home: Home
    private let words: TemporaryFolder

    init() throws {
        home = try Home()
        words = try TemporaryFolder()
    }

    private func measure(_ list: String, _ more: String...) throws -> Tool.Result {
        let file = words.path + "/words.csv"
        try list.write(toFile: file, atomically: true, encoding: .utf8)
        return try Tool.run(
            ["words", "measure", file] + more, home: home.path,
            environment: ["ORACY_WORDS": words.path + "/words", "ORACY_WORDS_PROGRAM": ReplayedWords.program])
    }

    private func copy(_ name: String) throws {
        try FileManager.default.copyItem(
            atPath: Tool.fixtures + "/answers/because.flac", toPath: words.path + "/" + name)
    }

    @Test func figuresAreThoseOfTheList() throws {
        try ReplayedWords.install(in: words.path + "/words", "say Because um it is close.")
        try copy("a.flac")
        try copy("b.flac")
        let result = try measure("file,text,mistakes\na.flac,because er er it it are close,it are\nb.flac,,\n")
        try #require(result.code == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 5, "\(result.output)")
        #expect(lines[0].hasPrefix("words wrong: 40.0 % (2 of 5"), "\(result.output)")
        #expect(lines[1] == "fillers kept: 50 % (1 of 2)")
        #expect(lines[2] == "repetitions kept: 0 % (0 of 1)")
        #expect(lines[3] == "mistakes kept: 0 % (0 of 1)")
        #expect(lines[4].contains("(5 in "), "without speech, each heard word is invented")
        let json = try JSONSerialization.jsonObject(
            with: Data(try measure("file,text\na.flac,because\n", "--json").output.utf8))
        let recordings = try #require((json as? [String: Any])?["recordings"] as? [[String: Any]])
        #expect(recordings.first?["heard"] as? String == "Because um it is close.")
    }

    @Test func aListWithoutRecordingsSaysSo() throws {
        #expect(try measure("file,text\n").errors.contains("names no recordings"))
        #expect(try measure("file,words\n").errors.contains("has no column \"text\""))
    }
}
