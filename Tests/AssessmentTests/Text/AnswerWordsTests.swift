import Testing

@testable import Assessment

/// Tests of the words of transcripts as they are shown and played.
@Suite struct AnswerWordsTests {
    private static func heard(_ text: String, doubt: Double? = nil, isRough: Bool? = nil) -> AnswerTranscript {
        var transcript = AnswerTranscript(
            answer: "part1_q1", recording: "a", source: .recogniser, writtenAt: "", text: text)
        transcript.recogniser = MarkSource(kind: .machine, id: "words", version: "1")
        transcript.words = text.split(separator: " ").enumerated().map { index, word in
            HeardWord(
                text: String(word), start: Double(index), end: Double(index) + 0.5, isRough: isRough, doubt: doubt)
        }
        return transcript
    }

    private static func own(_ text: String, recording: String = "a") -> AnswerTranscript {
        AnswerTranscript(answer: "part1_q1", recording: recording, source: .own, writtenAt: "", text: text)
    }

    @Test func heardWordsHaveTheirTimesAndPlaces() {
        let words = AnswerWords(of: Self.heard("Well, I live (here)!", doubt: 0.1), in: nil)
        #expect(words.words.map(\.text) == ["Well,", "I", "live", "(here)!"])
        #expect(words.words.map(\.at) == [0, 6, 8, 13])
        #expect(words.words.map(\.start) == [0, 1, 2, 3] && words.words.map(\.end) == [0.5, 1.5, 2.5, 3.5])
        #expect(words.isRough == nil && words.recogniser == "words" && words.source == .recogniser)
    }

    @Test func fillersRepetitionsAndDoubtAreMarked() {
        let words = AnswerWords(of: Self.heard("Um, I I think it is, er, fine.", doubt: 0.5), in: nil).words
        #expect(words.filter { $0.isFiller == true }.map(\.text) == ["Um,", "er,"])
        #expect(words.filter { $0.isRepeated == true }.map(\.at) == [6], "the first of the two is no repetition")
        #expect(words.allSatisfy { $0.isDoubtful == true })
        let sure = AnswerWords(of: Self.heard("I think", doubt: 0.4), in: nil).words
        #expect(sure.allSatisfy { $0.isDoubtful == nil && $0.isFiller == nil && $0.isRepeated == nil })
    }

    /// A recogniser without phones is off by a third of a second, even if it gives times itself.
    @Test func timesWithoutPhonesAreRough() {
        #expect(AnswerWords(of: Self.heard("I think"), in: nil).isRough == true)
        #expect(AnswerWords(of: Self.heard("I think", doubt: 0.1, isRough: true), in: nil).isRough == true)
    }

    /// The learner changed one word, and added two.
    @Test func correctedWordsKeepTheTimesOfTheOthers() {
        let heard = Self.heard("I leave in town", doubt: 0.9)
        let words = AnswerWords(of: Self.own("I live in a small town"), others: [heard], in: nil)
        #expect(words.words.map(\.start) == [0, 1, 2, 2.5, 2.58, 3])
        #expect(words.words.map(\.end) == [0.5, 1.5, 2.5, 2.58, 3, 3.5])
        #expect(words.words.allSatisfy { $0.isDoubtful == nil }, "what the learner typed is not in doubt")
        #expect(words.source == .own && words.recogniser == nil && words.isRough == nil)
    }

    @Test func wordsBeforeAndAfterWhatWasHeardAreBesideIt() {
        var heard = Self.heard("in town", doubt: 0.1)
        heard.words = [
            HeardWord(text: "in", start: 5, end: 5.2, doubt: 0.1),
            HeardWord(text: "town", start: 6, end: 7, doubt: 0.1),
        ]
        let words = AnswerWords(of: Self.own("We met in town now"), others: [heard], in: nil).words
        #expect(words.compactMap(\.start).count == 5 && words.map(\.text) == ["We", "met", "in", "town", "now"])
        #expect(words[0].start == 4.4 && words[1].end == 5 && words[4].start == 7 && words[4].end == 7.3)
    }

    @Test func typedWordsAloneShareTheSpeech() {
        let timeline = SoundTimeline(
            duration: 10, span: TimeRange(1, 9), silences: [TimeRange(4, 6)], syllables: [1.5, 2.5, 7, 8])
        let words = AnswerWords(of: Self.own("aa bb cc dd"), in: timeline)
        #expect(words.words.map(\.start) == [1, 2.5, 6, 7.5] && words.isRough == true)
        let unmeasured = AnswerWords(of: Self.own("aa bb"), in: nil)
        #expect(unmeasured.words.allSatisfy { $0.start == nil && $0.end == nil } && unmeasured.isRough == nil)
        #expect(AnswerWords(of: Self.own(" – "), in: timeline).words.isEmpty)
    }

    @Test func chineseCharactersAreWords() {
        let words = AnswerWords(of: Self.own("你好，我很好。"), in: nil).words
        #expect(words.map(\.text) == ["你", "好，", "我", "很", "好。"] && words.map(\.at) == [0, 1, 3, 4, 5])
    }

    @Test func onlyTranscriptsOfTheRecordingGiveTimes() {
        let all = [Self.own("I live", recording: "b"), Self.heard("I live", doubt: 0.1)]
        let words = all.words(in: ExamAssessment.make(session: "s", answers: []))
        #expect(words.map(\.source) == [.own, .recogniser])
        #expect(words[0].words.allSatisfy { $0.start == nil }, "these words are of another recording")
        #expect(words[1].words.map(\.start) == [0, 1])
    }

    @Test func longTextsThatDifferThroughoutGetTimes() {
        let typed = (0..<2_500).map { "a\($0)" }
        let heard = Self.heard((0..<2_500).map { "b\($0)" }.joined(separator: " "), doubt: 0.1)
        let words = AnswerWords(of: Self.own(typed.joined(separator: " ")), others: [heard], in: nil).words
        #expect(words.count == 2_500 && words.first?.start == 0 && words.last?.end == 2_499.5)
        #expect(zip(words, words.dropFirst()).allSatisfy { ($0.start ?? 1) <= ($1.start ?? 0) })
    }
}
