import Assessment
import Testing

@testable import Reports

/// Tests of the places of words on the time axis of an answer.
@Suite struct TimedWordsTests {
    private static let timeline = SoundTimeline(
        duration: 10, span: TimeRange(1, 9), silences: [TimeRange(4, 6)], syllables: [1.5, 2.5, 7, 8])

    private static func transcript(_ words: [HeardWord]?) -> AnswerTranscript {
        var transcript = AnswerTranscript(
            answer: "part1_q1", recording: "", source: .recogniser, writtenAt: "", text: "I live in town")
        transcript.words = words
        return transcript
    }

    private static func words(doubt: Double?, isRough: Bool? = nil) -> [HeardWord] {
        let places = [("I", 1.0, 1.2), ("live", 1.3, 2), ("in", 5.1, 5.2), ("town", 7, 8.5)]
        return places.map { HeardWord(text: $0, start: $1, end: $2, isRough: isRough, doubt: doubt) }
    }

    @Test func alignedWordsHaveTimesOfTheirOwn() {
        let single = TimedWords.single(Self.transcript(Self.words(doubt: 0.2)))
        #expect(single?.map(\.text) == ["I", "live", "in", "town"])
        #expect(single?.map(\.time.start) == [1, 1.3, 5.1, 7] && single?.contains(where: \.isDoubtful) == false)
        #expect(TimedWords.single(Self.transcript(Self.words(doubt: 0.5)))?.allSatisfy(\.isDoubtful) == true)
    }

    /// A recogniser's own times, and times by the length of words, are not shown word by word.
    @Test func otherWordsHaveNone() {
        #expect(TimedWords.single(Self.transcript(nil)) == nil)
        #expect(TimedWords.single(Self.transcript(Self.words(doubt: nil))) == nil)
        #expect(TimedWords.single(Self.transcript(Self.words(doubt: nil, isRough: true))) == nil)
        #expect(TimedWords.single(Self.transcript(Self.words(doubt: 0.2, isRough: true))) == nil)
    }

    /// The third word lies in the pause, so it belongs to the stretch before.
    @Test func alignedWordsAreInTheirStretch() {
        let laid = TimedWords.lay(Self.transcript(Self.words(doubt: 0.2)), over: Self.timeline)
        #expect(laid.map(\.text) == ["I live in", "town"])
        #expect(TimedWords.lay(Self.transcript(nil), over: Self.timeline).map(\.text) == ["I live", "in town"])
        #expect(TimedWords.lay(nil, over: Self.timeline).map(\.text) == ["", ""])
    }
}
