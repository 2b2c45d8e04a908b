import Assessment
import ExamCore
import Foundation
import HTTPClient
import Hearing
import HearingWorker
import SystemSupport
import Testing

@testable import Assessors

/// Tests of the recogniser on this machine, with replies instead of a model.
@Suite struct HeardHereTests {
    private static func recogniser(_ hearing: ReplayedHearing, _ dictionary: Pronunciations? = nil) -> HeardHere {
        HeardHere(WordsHere(hearing, pronunciations: dictionary), language: "en-GB")
    }

    /// Returns an answer of 20 s with a pause in its middle, which gives two pieces.
    private static func sample(heard: Double? = nil) throws -> SampleAnswer {
        try SampleAnswer(seconds: 20, silences: [TimeRange(9, 11)], heard: heard)
    }

    @Test func anAnswerIsWrittenDownPieceByPiece() async throws {
        let sample = try Self.sample()
        let hearing = ReplayedHearing(.says("I live here.", "Um, I live here."), .says("It is fine."))
        let recogniser = Self.recogniser(hearing)
        #expect(recogniser.recipient == nil && !recogniser.needsWords)
        #expect(recogniser.source.version == "replay whisper/1.8.5 en pieces/3 passes/2 gate/2")
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        let transcript = try #require(finding.transcript)
        #expect(transcript.text == "Um, I live here. It is fine.")
        #expect(transcript.source == .recogniser && transcript.recogniser == recogniser.source)
        #expect(transcript.isVerbatim == true, "both passes of the second piece are the same")
        #expect(transcript.words?.map(\.text) == ["Um,", "I", "live", "here.", "It", "is", "fine."])
        #expect(transcript.words?.allSatisfy { $0.isRough == true } == true)
        #expect(transcript.isPartial == nil)
        #expect(finding.sentTo == nil && finding.dropped.isEmpty && finding.failure == nil)
        // 0.25 s stay around the speech from 0.5 s to 19.5 s, and around the pause.
        #expect(hearing.pieces.map { Double($0.samples.count) / 16_000 } == [9, 9])
        #expect(hearing.pieces.allSatisfy { $0.language == "en" })
        let first = Int((sample.samples[4_000] * 32_768).rounded())
        #expect(hearing.pieces.first.map { Int($0.samples[0]) } == first, "the sound begins at 0.25 s")
    }

    @Test func aPieceIsNeverHeardTwice() async throws {
        let sample = try Self.sample()
        let broken = ReplayedHearing(.says("I live here."), .failure(ServiceFailure(.later(nil), "words: stopped")))
        let first = Self.recogniser(broken)
        await #expect(throws: ServiceFailure(.later(nil), "words: stopped")) {
            try await first.assess(sample.answer, try await sample.calls(first))
        }
        let hearing = ReplayedHearing(.says("It is fine."))
        let second = Self.recogniser(hearing)
        let finding = try await second.assess(sample.answer, try await sample.calls(second))
        #expect(finding.transcript?.text == "I live here. It is fine." && hearing.pieces.count == 1)
    }

    @Test func hearingUsesNoBudget() async throws {
        let sample = try Self.sample()
        let recogniser = Self.recogniser(ReplayedHearing(.says("I live here.")))
        let memory = try sample.memory(AssessorBudget(minutes: 0, money: 0))
        let calls = AssessorCalls(memory, for: recogniser.source, on: sample.answer.recording)
        #expect(try await recogniser.assess(sample.answer, calls).transcript != nil)
    }

    @Test func aSilentAnswerIsNotHeard() async throws {
        let sample = try SampleAnswer(isSilent: true)
        let hearing = ReplayedHearing(.says("thank you for watching"))
        let recogniser = Self.recogniser(hearing)
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.failure == "no speech was found in it, so it was not assessed" && hearing.pieces.isEmpty)
        #expect(recogniser.preview(of: sample.answer) == ["nothing: no speech is found in it"])
    }

    /// Steady noise is loud enough to look like speech in the measurements. The detector, which ended the answer,
    /// knows.
    @Test func noiseInAnAnswerWithoutAVoiceIsNotHeard() async throws {
        let sample = try SampleAnswer(seconds: 20, end: "noAnswer")
        let hearing = ReplayedHearing(.says("thank you for watching"))
        let recogniser = Self.recogniser(hearing)
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.transcript == nil && hearing.pieces.isEmpty)
        #expect(recogniser.preview(of: sample.answer) == ["nothing: no speech is found in it"])
    }

    /// The detector heard a second of speech at first, but none when it hears the recording again.
    @Test func noiseWithHardlyAnyVoiceIsNotHeard() async throws {
        let sample = try SampleAnswer(seconds: 20, heard: 1)
        let hearing = ReplayedHearing(.says("thank you for watching"))
        let recogniser = Self.recogniser(hearing)
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.failure == "no speech was found in it, so it was not assessed" && hearing.pieces.isEmpty)
    }

    @Test func theVoiceInMuchNoiseIsHeardAlone() async throws {
        let fixture = URL(filePath: #filePath).appending(path: "../../../../AudioFixtures/answers/yes.flac")
            .standardizedFileURL.path
        let voice = try #require(try RecordingPieces.samples(fixture, [TimeRange(0, 60)], of: 60).first)
        let sample = try SampleAnswer(seconds: 20, silences: [TimeRange(9, 11)], voice: (voice, at: 13), heard: 0.6)
        let length = Double(voice.count) / 16_000
        let hearing = ReplayedHearing(.says("Yes."))
        let recogniser = Self.recogniser(hearing)
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.transcript?.text == "Yes." && hearing.pieces.count == 1)
        let heard = Double(hearing.pieces.first?.samples.count ?? 0) / 16_000
        #expect((0.3...length + 2 * AnswerToAssess.besideVoice).contains(heard), "\(heard) s of \(length) s")
        let word = try #require(finding.transcript?.words?.first)
        #expect((12.4...13 + length).contains(word.start), "\(word)")
    }

    /// An answer with pauses has less voice than its pieces, and is heard whole.
    @Test func anAnswerThatIsMostlyVoiceIsHeardWhole() async throws {
        let sample = try Self.sample(heard: 10)
        let hearing = ReplayedHearing(.says("I live here."), .says("It is fine."))
        let recogniser = Self.recogniser(hearing)
        _ = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(hearing.pieces.map { Double($0.samples.count) / 16_000 } == [9, 9])
    }

    @Test func wordsThatCannotBeBelievedAreDroppedAndCounted() async throws {
        let sample = try Self.sample()
        let recogniser = Self.recogniser(
            ReplayedHearing(.says("I was, I was, I was, I was"), .says("It is fine.", noSpeech: 0.2)))
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.transcript?.text == "It is fine." && finding.dropped == [.repetition: 1])
        #expect(finding.transcript?.isPartial == true)
    }

    @Test func aPieceOnWhichItFailsIsCounted() async throws {
        let sample = try Self.sample()
        let hearing = ReplayedHearing(.success(PieceReply(failure: "the recogniser stopped")), .says("It is fine."))
        let recogniser = Self.recogniser(hearing)
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.transcript?.text == "It is fine." && finding.dropped == [.unheard: 1])
        #expect(finding.transcript?.isPartial == true)
    }

    @Test func partsBehindTheEndOfTheFileAreNotHeard() async throws {
        let sample = try SampleAnswer(seconds: 8)
        var answer = sample.answer
        answer.sound.timeline = SoundTimeline(
            duration: 20, span: TimeRange(0.5, 19.5), silences: [TimeRange(9, 11)])
        let hearing = ReplayedHearing(.says("It is fine."))
        let recogniser = Self.recogniser(hearing)
        let finding = try await recogniser.assess(answer, try await sample.calls(recogniser))
        #expect(finding.transcript?.text == "It is fine." && finding.dropped == [.unheard: 1])
        #expect(hearing.pieces.count == 1)
    }

    @Test func anAnswerWithoutCredibleWordsIsReported() async throws {
        let sample = try Self.sample()
        let recogniser = Self.recogniser(ReplayedHearing(.says("you", noSpeech: 0.95)))
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.transcript == nil && finding.failure == "heard no words in it that can be believed")
        #expect(finding.dropped == [.noSpeech: 2])
    }

    /// The believed words of a piece are aligned, not those of the other pass.
    @Test func believedWordsAreAligned() async throws {
        let sample = try Self.sample()
        let hearing = ReplayedHearing(.says("Two, two buts.", "some other words"), hasPhones: true)
        let dictionary = Pronunciations(text: Array("two T UW1\nbut B AH1 T\n".utf8))
        let recogniser = Self.recogniser(hearing, dictionary)
        _ = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(hearing.words.first == [[41, 48], [41, 48], [10, 125, 41, 57]])
    }

    /// Recognisers leave out repetitions. Their phones put them back, with their own times.
    @Test func wordsSaidTwiceStandTwice() async throws {
        var reply = try Result<PieceReply, ServiceFailure>.says("In two, rooms.").get()
        reply.aligned = .init(
            id: 1, words: [.init(start: 0, end: 0.2), .init(start: 0.3, end: 0.5), .init(start: 0.6, end: 0.8), nil],
            again: [SaidAgain(first: 1, count: 1)], distance: 0.1, processorSeconds: 0.1)
        let sample = try Self.sample()
        let recogniser = Self.recogniser(ReplayedHearing(.success(reply), hasPhones: true), Pronunciations(text: []))
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.transcript?.text.hasPrefix("In two, two, rooms.") == true)
        let words = try #require(finding.transcript?.words)
        #expect(words[1].start < words[2].start && words[1].end <= words[2].start)
    }

    /// A recogniser makes fluent words of noise, and of some speech that it cannot understand.
    @Test func wordsUnlikeTheirPhonesAreNotBelieved() async throws {
        func reply(_ text: String, _ distance: Double) throws -> Result<PieceReply, ServiceFailure> {
            var reply = try Result<PieceReply, ServiceFailure>.says(text).get()
            reply.aligned = .init(id: 1, words: [nil, nil], distance: distance, processorSeconds: 0.1)
            return .success(reply)
        }
        let sample = try Self.sample()
        let most = HeardWhole.mostDistance
        let recogniser = Self.recogniser(
            ReplayedHearing(try reply("Thank you.", most + 0.01), try reply("It is.", most), hasPhones: true),
            Pronunciations(text: []))
        let finding = try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        #expect(finding.transcript?.text == "It is." && finding.dropped == [.phones: 1])
        #expect(finding.transcript?.isPartial == true, "the learner may have said something")
    }

    /// Phones count even if no words are believed. If a piece lacks them, the answer has none.
    @Test func phonesOfAllPiecesArePutTogether() async throws {
        let sample = try Self.sample()
        let phones = try #require(HeardPhones((0..<40).map { (start: 0.2 * Double($0), clarity: -0.5) }))
        func reply(_ phones: HeardPhones?) throws -> Result<PieceReply, ServiceFailure> {
            var reply = try Result<PieceReply, ServiceFailure>.says("you", noSpeech: 0.95).get()
            reply.aligned = .init(id: 1, words: [], distance: 0, phones: phones, processorSeconds: 0.1)
            return .success(reply)
        }
        func heard(_ second: HeardPhones?) async throws -> AssessorFinding {
            let sample = try Self.sample()
            let recogniser = Self.recogniser(
                ReplayedHearing(try reply(phones), try reply(second), hasPhones: true), Pronunciations(text: []))
            #expect(recogniser.source.version.hasSuffix(" phones/1 reading/1"))
            return try await recogniser.assess(sample.answer, try await sample.calls(recogniser))
        }
        // The pieces begin at 0.25 and 10.75 s.
        let finding = try await heard(phones)
        #expect(finding.transcript == nil)
        #expect(finding.phones == phones.moved(by: 0.25).followed(by: phones.moved(by: 10.75)))
        #expect([finding].phones == [sample.answer.recording: try #require(finding.phones)])
        #expect(try await heard(nil).phones == nil)
    }

    /// A known text is compared with the phones of all pieces. Other answers, and answers whose phones are unknown,
    /// have no reading.
    @Test func aKnownTextIsComparedWithThePhones() async throws {
        let dictionary = Pronunciations(text: Array("two T UW1\nbut B AH1 T\n".utf8))
        func heard(_ numbers: [Int]?, of text: String?) async throws -> HeardReading? {
            func reply(_ heard: [Int]?) throws -> Result<PieceReply, ServiceFailure> {
                var reply = try Result<PieceReply, ServiceFailure>.says("two but").get()
                let phones = HeardPhones((0..<10).map { (start: 0.2 * Double($0), clarity: -0.5) })
                reply.aligned = .init(
                    id: 1, words: [nil, nil], distance: 0, phones: heard == nil ? nil : phones, heard: heard,
                    processorSeconds: 0.1)
                return .success(reply)
            }
            var sample = try Self.sample()
            sample.answer.textToSay = text
            let recogniser = Self.recogniser(
                ReplayedHearing(try reply([41, 48]), try reply(numbers), hasPhones: true), dictionary)
            return try await recogniser.assess(sample.answer, try await sample.calls(recogniser)).reading
        }
        let reading = try #require(try await heard([10, 125], of: "Two, but Xiaoming."))
        #expect(reading.words == ["two", "but", "xiaoming"])
        #expect(reading.shares.count == 3 && reading.shares[0] == 1 && reading.shares[2] == nil)
        #expect(reading.shares[1].map { abs($0 - 2.0 / 3) < 1e-9 } == true && abs(reading.distance - 0.2) < 1e-9)
        #expect(try await heard([10, 125], of: nil) == nil)
        #expect(try await heard(nil, of: "Two, but Xiaoming.") == nil)
    }

    // MARK: - Settings

    @Test func settingsNameTheRecogniser() throws {
        let words = WordsHere(ReplayedHearing(.says("yes")))
        let entry = AssessorEntry(id: "mine", kind: .words)
        #expect(try entry.assessor(asking: .hasty(), in: ".", words: words).source.id == "mine")
        #expect(entry.thirdParty == nil)
        #expect(throws: Problem(.missing, "mine: no recogniser is installed on this machine; run oracy words install"))
        {
            try entry.assessor(asking: .hasty(), in: ".")
        }
        var wrong = entry
        wrong.address = "https://example.com"
        #expect(wrong.mistake == "address: is nothing that a words has")
    }

    /// It is used without an entry unless another recogniser is set up, or it is switched off.
    @Test func itIsUsedUnlessAnotherOneIs() {
        var settings = AssessorSettings()
        #expect(settings.hearsHere)
        settings.assessors = [AssessorEntry(id: "a", kind: .command), AssessorEntry(id: "b", kind: .languageModel)]
        #expect(settings.hearsHere)
        settings.words = false
        #expect(!settings.hearsHere)
        settings.words = nil
        for kind in [AssessorEntry.Kind.transcriber, .words] {
            settings.assessors = [AssessorEntry(id: "c", kind: kind)]
            #expect(!settings.hearsHere)
        }
    }
}
