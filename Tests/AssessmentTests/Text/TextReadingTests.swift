import ExamCore
import Testing

@testable import Assessment

/// Tests of texts that were read aloud: the words that were not heard, and the mark.
@Suite struct TextReadingTests {
    private static let text = "The library opens at nine."

    /// A reading in which each word has this share of its phones.
    private static func reading(_ shares: [Double?], distance: Double = 0.3) -> HeardReading {
        HeardReading(words: HeardReading.words(of: text), shares: shares, distance: distance)
    }

    /// An answer with everything that the calibration needs.
    private static func answer(_ gates: [DeliveryGate] = [.tooShort]) -> AnswerAssessment {
        var answer = AnswerAssessment.made()
        answer.delivery.gates = gates
        for feature in DeliveryCalibration.reading.features where feature.name != "phoneDistance" {
            answer.sound.features[feature.name] = feature.mean
        }
        return answer
    }

    /// A word counts as heard if the transcript or the phones show it.
    @Test(
        arguments: [
            ("the library opens at nine", [0, 0, 0, 0, 0], []),
            ("", [1, 1, 0.5, 0.6, 1], []),
            ("", [0.4, 1, 1, 0, 1], ["the", "at"]),
            ("library nine opens", [0, 0, 0, 0, 0], ["the", "at", "nine"]),
            ("", [nil, 0, 1, 1, nil], ["library"]),
        ] as [(String, [Double?], [String])])
    func aWordThatNothingShowsWasNotHeard(_ said: String, _ shares: [Double?], _ unheard: [String]) {
        let reading = TextReading(Self.reading(shares), Self.answer(), said: said)
        #expect(reading.unheard == unheard && reading.words == 5)
    }

    @Test func aMarkHasARange() throws {
        let near = try #require(TextReading(Self.reading([1, 1, 1, 1, 1], distance: 0), Self.answer(), said: "").mark)
        let far = try #require(TextReading(Self.reading([1, 1, 1, 1, 1], distance: 0.9), Self.answer(), said: "").mark)
        #expect(near.calibration == DeliveryCalibration.reading.id && near.value > far.value)
        for mark in [near, far] {
            #expect(mark.low < mark.value && mark.value < mark.high && mark.low >= 0 && mark.high <= 10)
            #expect(mark.high - mark.low > 1, "no sentence is judged to a point")
        }
    }

    @Test(arguments: [DeliveryGate.noisy, .clipped, .incomplete]) func poorSoundGetsNoMark(_ gate: DeliveryGate) {
        let reading = Self.reading([1, 1, 1, 1, 0])
        #expect(TextReading(reading, Self.answer([.tooShort, gate]), said: "").mark == nil)
        #expect(TextReading(reading, Self.answer([gate]), said: "").unheard == ["nine"])
        #expect(TextReading(reading, Self.answer([]), said: "").mark != nil)
    }

    /// A candidate who says something else gets no mark for the text.
    @Test func otherWordsGetNoMark() {
        func mark(_ shares: [Double?], _ said: String = "") -> TextReading.Mark? {
            TextReading(Self.reading(shares), Self.answer(), said: said).mark
        }
        #expect(mark([0, 0, 0.3, 1, 0.2], "I think a bridge is something") == nil)
        #expect(mark([0, 0, 1, 1, 1]) == nil && mark([0, 1, 1, 1, 1]) != nil)
        #expect(mark([0, 0, 0.3, 1, 0.2], "the library opens") != nil)
    }

    @Test func aTextOfUnknownWordsGetsNoMark() {
        #expect(TextReading(Self.reading([1, 1, nil, nil, 1]), Self.answer(), said: "").mark == nil)
        let short = HeardReading(words: ["at", "nine"], shares: [1, 1], distance: 0)
        #expect(TextReading(short, Self.answer(), said: "").mark == nil)
        var silent = Self.answer()
        silent.sound.features = [:]
        #expect(TextReading(Self.reading([1, 1, 1, 1, 1]), silent, said: "").mark == nil)
    }

    /// People read the mark with its range, and never that a sound was wrong.
    @Test func peopleReadAMarkAndTheWords() throws {
        let answer = Self.answer()
        let transcript = AnswerTranscript(
            answer: answer.record.name, recording: answer.recording, source: .recogniser,
            writtenAt: "2026-11-24T10:00:00Z", text: "the library opens")
        let sentence = SentenceToSay(text: Self.text, table: [.init(atLeast: 0, points: 1)])
        func profile(_ reading: HeardReading) throws -> TextProfile {
            let text = ExamText(
                of: ExamAssessment.made([answer]), [transcript], sentences: [answer.record.question: sentence],
                readings: [answer.recording: reading])
            return try #require(text[answer.record.name])
        }
        let lines = try profile(Self.reading([1, 1, 1, 1, 0])).lines
        let mark = try #require(lines.first { $0.id == "reading" })
        #expect(mark.value.contains(" of 10, from ") && mark.name.contains("practice"))
        let unheard = try #require(lines.first { $0.id == "unheard" })
        #expect(unheard.value == "\"nine\"" && unheard.sentence.hasPrefix("Of 5 words, "))
        #expect(!lines.contains { $0.sentence.contains("wrong") || $0.sentence.contains("mispronounced") })
        // A reading of another text, as after a change of the paper, is not this one's.
        let other = HeardReading(words: ["another", "text", "here"], shares: [1, 1, 1], distance: 0)
        #expect(try profile(other).reading == nil)
    }
}
