import ExamCore
import Foundation
import TestSupport
import Testing

@testable import Assessment

/// Tests of the counts in a transcript.
@Suite struct TextProfileTests {
    private static let talk = """
        well I live in a small town near the sea and I really like it because it's quiet and there are a lot of old houses I've lived \
        there since I was a child so I know nearly everybody my grandparents' house is at the end of our street and when I was \
        eight or nine we used to play football there every evening until it got dark now the town has changed a bit there's a new \
        supermarket and two or three cafés and in summer the tourists come 20 years ago nobody came I think it's good for the \
        people who work there but I I miss the the quiet evenings we had and my well-known bakery closed last year
        """

    @Test func wordsAreCountedAsPeopleCountThem() {
        #expect("I don't — well, 3 cafés…".spokenWords.map(\.text) == ["i", "don't", "well", "3", "cafés"])
        #expect(" \n—…".spokenWords.isEmpty)
        let words = "😀 It’s  (fine)!".spokenWords
        #expect(words == [SpokenWord(text: "it's", start: 2, end: 6), SpokenWord(text: "fine", start: 9, end: 13)])
        #expect("I don't — well-known, 3 cafés…".diversityTokens == ["i", "don", "t", "wellknown", "cafés…"])
    }

    @Test func wordsAMinuteNeedTheTime() throws {
        let profile = TextProfile(of: [.init(text: "one two three", span: 2)], source: .own)
        #expect(profile.words == 3 && profile.wordsPerMinute == 90)
        #expect(TextProfile(of: [.init(text: "one two", span: nil)], source: .own).wordsPerMinute == nil)
        let both = TextProfile(of: [.init(text: "one two", span: 2), .init(text: "three", span: nil)], source: .own)
        #expect(both.words == 3 && both.wordsPerMinute == nil)
        #expect(TextProfile(of: [], source: .own).lines.isEmpty)
    }

    /// The expected values are those of lexicalrichness 0.5.1 (PyPI).
    @Test func diversityIsThatOfTheLibrary() throws {
        let diversity = try #require(LexicalDiversity(Self.talk.diversityTokens))
        #expect(abs(diversity.mtld - 85.441_992_600_4) < 1e-6, "\(diversity.mtld)")
        #expect(abs(diversity.mattr - 0.826_315_789_5) < 1e-6, "\(diversity.mattr)")
    }

    @Test func aShortTextHasNoDiversity() {
        let ninetyNine = (0..<99).map { "word\(["a", "b", "c"][$0 % 3])\($0)" }
        #expect(LexicalDiversity(ninetyNine) == nil)
        #expect(LexicalDiversity(ninetyNine + ["x"]) != nil)
        // No token occurs twice, so the text is one stretch.
        #expect(LexicalDiversity(ninetyNine + ["x"])?.mtld == 100)
        #expect(LexicalDiversity([String](repeating: "a", count: 100))?.mattr == 0.02)
    }

    @Test(.needs(Trials.obstacle(to: "lexicalrichness"))) func anyTextIsCountedAsTheLibraryCountsIt() async throws {
        struct Found: Decodable {
            var tokens: [String]
            var mtld, mattr: Double?
        }
        var random = SplitMix64(seed: 20)
        let odd = [
            "don't", "well-known", "3", "naïve", "a/b", "e.g.", "–", "don’t", "ÉCOLE", "x_y", "50%", "“so”", "t2o",
        ]
        let made = (0..<60).map { number -> String in
            let digits = String(number, radix: 2)
            return "w" + String(digits.map { $0 == "0" ? "a" : "b" })
        }
        let words: [String] = made + odd
        var texts = [Self.talk, Self.talk.uppercased(), odd.joined(separator: " ")]
        for number in 0..<30 {
            let choice = min(4 + 2 * number, words.count)
            let text: [String] = (0..<20 + 25 * number).map { _ in words[random.below(choice)] }
            texts.append(text.joined(separator: number % 3 == 0 ? "\n" : " "))
        }
        let folder = try TemporaryFolder()
        let path = try folder.file([UInt8](JSONEncoder().encode(texts)))
        let (status, said) = await Trials.python("richness.py", [path])
        try #require(status == 0, "\(said.suffix(1000))")
        let found = try JSONDecoder().decode([Found].self, from: Data(said.utf8))
        try #require(found.count == texts.count)
        var compared = 0
        for (text, other) in zip(texts, found) {
            let tokens = text.diversityTokens
            #expect(tokens == other.tokens)
            let diversity = LexicalDiversity(tokens)
            #expect((diversity == nil) == (other.mtld == nil))
            guard let diversity, let mtld = other.mtld, let mattr = other.mattr else { continue }
            compared += 1
            #expect(abs(diversity.mtld - mtld) < 1e-6 && abs(diversity.mattr - mattr) < 1e-6, "\(tokens.count) tokens")
        }
        #expect(compared > 20)
    }

    // MARK: - Repetitions

    @Test func aWordSaidAgainAtOnceIsFound() {
        let text = "I I I think the The town is very very nice — 3 3 and and"
        let found = Repetition.all(in: text.spokenWords)
        #expect(found.map(\.words) == ["i i i", "the the", "and and"])
        #expect(found[0] == Repetition(word: "i", times: 3, start: 0, end: 5))
        let scalars = Array(text.unicodeScalars)
        #expect(String(String.UnicodeScalarView(scalars[found[1].start..<found[1].end])) == "the The")
        #expect(Repetition.all(in: "he had had that that very very".spokenWords).isEmpty)
        #expect(Repetition.all(in: "".spokenWords).isEmpty)
    }

    @Test func theMostUsedWordsCarryMeaning() {
        let words = (0..<60).map { $0 % 6 == 0 ? "Friends" : $0 % 10 == 1 ? "friend" : "the" }.joined(separator: " ")
        let profile = TextProfile(of: [.init(text: words, span: nil)], source: .own)
        #expect(profile.favourites.map(\.word) == ["friend"] && profile.favourites[0].times == 16)
        #expect(
            TextProfile(of: [.init(text: "friend friend friend friend", span: nil)], source: .own).favourites.isEmpty)
    }

    // MARK: - Exams

    @Test func onlyTheTranscriptsOfItsRecordingsCount() throws {
        let answers = [1, 2, 3].map { order in
            ExamAssessment.Measured(
                record: AnswerRecord(
                    question: "q\(order)", part: 1, order: order, end: "finished", duration: Seconds(.seconds(20)),
                    speech: Seconds(.seconds(15))), recording: "hash\(order)",
                sound: ProfileTests.answer(speech: 15).sound)
        }
        let assessment = ExamAssessment.make(session: "s", answers: answers)
        func transcript(_ answer: String, _ recording: String, _ source: AnswerTranscript.Source = .own)
            -> AnswerTranscript
        {
            AnswerTranscript(answer: answer, recording: recording, source: source, writtenAt: "", text: "one two")
        }
        let text = ExamText(
            of: assessment,
            [
                transcript("part1_q1", "hash1"), transcript("part1_q2", "another"),
                transcript("part1_q1", "hash1", .recogniser), transcript("part1_q3", "hash3", .recogniser),
                transcript("part9_q9", "hash1"),
            ])
        // If there are two transcripts, the candidate's own counts. A program's transcript is marked as such.
        #expect(text.answers.map { "\($0.answer) \($0.profile.source)" } == ["part1_q1 own", "part1_q3 recogniser"])
        #expect(
            text.exam?.words == 4 && text.exam?.source == .recogniser && text["part1_q1"]?.wordsPerMinute != nil
                && text["part1_q2"] == nil)
        #expect(ExamText(of: assessment, []).exam == nil)
    }
}
