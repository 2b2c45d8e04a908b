import Assessment
import Assessors
import AudioFiles
import ExamCore
import Foundation
import HTTPClient
import Hearing
import HearingWorker
import SystemSupport
import TestSupport
import Testing

/// The real recogniser on recordings whose words are known.
@Suite(.needs(TrialWords.obstacle), .serialized, .endsIfItHangs) struct WordsThatAreHeard {
    private static let fixtures = HearingFixtures.folder + "/answers/"

    private struct NoMemory: AssessorMemory {
        func answer(to call: AssessorCall) -> String? { nil }
        func begin(_ call: AssessorCall) {}
        func keep(_ answer: String, to call: AssessorCall) {}
    }

    private static func words() throws -> WordsHere {
        let files: WordsFiles = try #require(WordsFiles(in: TrialWords.folder))
        return try #require(try WordsHere.installed(files))
    }

    private static func heard(_ path: String) async throws -> (finding: AssessorFinding, sound: MeasuredSound) {
        let sound = try RecordingMeasure.measure(path)
        let answer = try #require(
            AnswerToAssess(
                record: AnswerRecord(question: "q", part: 1, order: 1),
                recording: try PrivateFile.digest(path).sha256, path: path, sound: sound))
        let recogniser = HeardHere(try words())
        let calls = AssessorCalls(NoMemory(), for: recogniser.source, on: answer.recording)
        return (try await recogniser.assess(answer, calls), sound)
    }

    /// Returns the words in lower case, without punctuation.
    private static func bare(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }

    /// The voice is made by a program and clear: at most one word in ten is wrong.
    @Test(arguments: ["because", "home-4", "library"]) func theWordsOfAnAnswerAreHeard(_ name: String) async throws {
        let texts = try JSONDecoder().decode(
            [String: String].self, from: Data(contentsOf: URL(filePath: Self.fixtures + "texts.json")))
        let said = Self.bare(try #require(texts[name]))
        let (finding, sound) = try await Self.heard(Self.fixtures + name + ".flac")
        let transcript = try #require(finding.transcript, "\(finding.failure ?? "")")
        let heard = Self.bare(transcript.text)
        let wrong = heard.difference(from: said).count
        #expect(Double(wrong) <= 0.2 * Double(said.count), "\(heard) for \(said)")
        let words = try #require(transcript.words)
        // Most words have a pronunciation, so a time of their own.
        #expect(words.count { $0.isRough != true } * 2 > words.count && words.allSatisfy { $0.doubt != nil })
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.start <= $1.start })
        // The energy of the sound says when the first word begins and the last one ends.
        let span = try #require(sound.timeline.span)
        #expect(abs((words.first?.start ?? 0) - span.start) < 0.3 && abs((words.last?.end ?? 0) - span.end) < 0.3)
    }

    @Test func silenceHasNoWords() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(WAVBytes.of([Float](repeating: 0, count: 160_000)))
        let (finding, _) = try await Self.heard(path)
        #expect(finding.transcript == nil && finding.failure == "no speech was found in it, so it was not assessed")
    }

    /// Even if a detector took it for speech, silence is no speech to the recogniser.
    @Test func silenceIsNoSpeechToTheRecogniser() async throws {
        let reply = try await Self.words().hearing.hear(
            PieceToHear(samples: [Int16](repeating: 0, count: 80_000), language: "en", party: "")
        ) { _ in nil }
        let heard = try #require(reply.heard)
        #expect(heard.noSpeech > 0.8 || heard.passes.allSatisfy(\.text.isEmpty), "\(heard)")
        #expect(heard.residentMegabytes <= 300)
    }

    @Test func anUnknownLanguageIsNotHeard() async throws {
        let words = try Self.words()
        let reply = try? await words.hearing.hear(
            PieceToHear(samples: [Int16](repeating: 0, count: 16_000), language: "xx", party: "")
        ) { _ in nil }
        #expect(reply?.heard == nil)
    }
}

/// The recordings of the repository.
private enum HearingFixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "AudioFixtures").path
}
