import ExamCore
import Testing

@testable import Assessment

/// Tests of repeated sentences, which the format's table scores word by word.
@Suite struct WordSequenceTests {
    /// PTE's published rule for repeating a sentence as a table: all words in order, half of them, fewer, none.
    private static let table: [ExamFormat.WordPoints] = [
        .init(atLeast: 1, points: 3), .init(atLeast: 0.5, points: 2), .init(atLeast: 0.01, points: 1),
        .init(atLeast: 0, points: 0),
    ]

    private func score(_ said: String, _ text: String, table: [ExamFormat.WordPoints] = table) throws -> WordSequence {
        try #require(WordSequence(of: said, SentenceToSay(text: text, table: table)))
    }

    @Test(arguments: [
        ("the library opens at nine", 3.0, 5, [], 0),
        ("The LIBRARY, opens – at nine!", 3, 5, [], 0),
        ("the the library er opens at nine", 3, 5, [], 2),
        ("the library opens nine", 2, 4, ["at"], 0),
        ("nine opens the library at", 2, 3, ["opens", "nine"], 2),
        ("nine at opens library the", 1, 1, ["library", "opens", "at", "nine"], 4),
        ("I do not know", 0, 0, ["the", "library", "opens", "at", "nine"], 4),
        ("", 0, 0, ["the", "library", "opens", "at", "nine"], 0),
    ])
    func wordsCountInTheirOrder(_ said: String, _ points: Double, _ inOrder: Int, _ missing: [String], _ added: Int)
        throws
    {
        let found = try score(said, "The library opens at nine.")
        #expect(found.points == points && found.mostPoints == 3)
        #expect(found.inOrder == inOrder && found.words == 5)
        #expect(found.missing == missing)
        #expect(found.added == added)
    }

    /// Chinese has no spaces between words, so its characters are counted.
    @Test func eachChineseCharacterCounts() throws {
        let found = try score("图书馆 九点 门。", "图书馆九点开门。")
        #expect(
            found.words == 7 && found.inOrder == 6 && found.missing == ["开"] && found.added == 0 && found.points == 2)
    }

    /// Compares with the plain definition: what was said contains no longer sequence of the sentence's words.
    @Test func theLongestCommonSequenceIsFound() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<300 {
            func words(_ most: Int) -> [String] {
                (0..<random.below(most) + 1).map { _ in ["a", "b", "c"][random.below(3)] }
            }
            let (wanted, heard) = (words(8), words(10))
            var longest = 0
            for chosen in 0..<(1 << wanted.count) {
                let row = wanted.indices.filter { chosen >> $0 & 1 == 1 }.map { wanted[$0] }
                var rest = row[...]
                for word in heard where word == rest.first { rest = rest.dropFirst() }
                if rest.isEmpty { longest = max(longest, row.count) }
            }
            let found = try score(heard.joined(separator: " "), wanted.joined(separator: " "))
            #expect(found.inOrder == longest, "\(wanted) in \(heard)")
            #expect(found.added == heard.count - longest)
        }
    }

    @Test func longTextsStayQuick() throws {
        let many = Array(repeating: "word", count: 100_000).joined(separator: " ")
        let found = try score(many + " the end", "the end")
        #expect(found.inOrder == 0 && found.added == 100_002)
    }

    /// A given sentence does not show the variety of a candidate's own words.
    @Test func givenWordsStandApart() throws {
        let answer = AnswerAssessment.made()
        let assessment = ExamAssessment.made([answer])
        let transcript = AnswerTranscript(
            answer: answer.record.name, recording: answer.recording, source: .own, writtenAt: "2026-11-24T10:00:00Z",
            text: "the library opens")
        let sentence = SentenceToSay(text: "The library opens at nine.", table: Self.table)
        let text = ExamText(of: assessment, [transcript], sentences: [answer.record.question: sentence])
        #expect(text.exam == nil)
        let profile = try #require(text[answer.record.name])
        #expect(profile.sequence?.points == 2)
        let line = try #require(profile.lines.first { $0.id == "wordSequence" })
        #expect(line.value == "2 of 3 points" && line.name.contains("practice"))
        #expect(line.sentence.hasPrefix("3 of 5 words in their order, left out: \"at\", \"nine\"; nothing added."))
    }
}
