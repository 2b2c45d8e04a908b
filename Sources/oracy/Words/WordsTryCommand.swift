import ArgumentParser
import Assessment
import Assessors
import AudioFiles
import ExamCore
import ExamKit
import HTTPClient
import Hearing
import SessionFolders
import SystemSupport

struct WordsTryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Show the words of any recording, with their times.",
        discussion: """
            Nothing is stored. A word in parentheses has a rough time. A question mark stands after words that are \
            probably wrong, as far as the recogniser of phones can tell.
            """
    )

    @Argument(help: "A recording: WAV, FLAC, Ogg, MP3.")
    var file: String

    @Flag(help: "Print words, times and cost as JSON.")
    var json = false

    func run() async throws {
        try await failing {
            guard let words = try WordsHere.installed() else {
                throw Problem(.missing, "no recogniser is installed on this machine; run oracy words install")
            }
            let trial = try await WordsTrial(file, words)
            print(json ? JSONText.of(trial) : trial.lines.joined(separator: "\n"), whole: json)
        }
    }
}

/// The words of a recording outside any session, and the cost of hearing them.
struct WordsTrial: Encodable {
    var recording: String
    /// In seconds.
    var duration: Double
    var speech: Double
    /// Absent if nothing was heard, or if all of it was discarded.
    var text: String?
    var words: [HeardWord]
    var isVerbatim: Bool?
    var dropped: [AssessorFinding.Dropped: Int]
    /// The reason why there are no words.
    var failure: String?
    /// Seconds of processor time of the recogniser.
    var processorSeconds: Double?
    var recogniser: String

    /// - Throws: `Problem` if the recording cannot be read, or the recogniser cannot be used.
    init(_ file: String, _ words: WordsHere) async throws {
        let sound: MeasuredSound
        do throws(SoundFileError) {
            sound = try RecordingMeasure.measure(file)
        } catch {
            throw Problem(error)
        }
        var record = AnswerRecord(question: "trial", part: 1, order: 1)
        // As in an exam, the detector decides whether there is a voice.
        record.speech = Seconds(try Hearing.hear(file, as: file, tracing: false).0.speech)
        guard
            let answer = AnswerToAssess(
                record: record, recording: try PrivateFile.digest(file).sha256, path: file, sound: sound)
        else { preconditionFailure("a trial is not an introduction") }
        let recogniser = HeardHere(words)
        let finding: AssessorFinding
        do throws(ServiceFailure) {
            finding = try await recogniser.assess(
                answer, AssessorCalls(NoMemory(), for: recogniser.source, on: answer.recording))
        } catch {
            throw Problem(.unavailable, error.sentence)
        }
        recording = file
        duration = sound.timeline.duration
        speech = answer.speech
        text = finding.transcript?.text
        self.words = finding.transcript?.words ?? []
        isVerbatim = finding.transcript?.isVerbatim
        dropped = finding.dropped
        failure = finding.failure
        processorSeconds = (words.hearing as? Hearer)?.counts.processorSeconds
        self.recogniser = recogniser.source.version
    }

    /// A phone distance above which many words are wrong.
    private static let doubtful = 0.4

    var lines: [String] {
        var lines = words.map { word in
            let text = word.isRough == true ? "(\(word.text))" : word.text
            let mark = (word.doubt ?? 0) > Self.doubtful ? " ?" : ""
            return "\(word.start.figure(2))  \(word.end.figure(2))  \(text)\(mark)".cleaned
        }
        if let failure { lines.append(failure) }
        if let processorSeconds, duration > 0 {
            lines.append(
                "\(words.count.of("word")) in \(duration.figure(1)) s; \(processorSeconds.figure(1)) s of processor time"
            )
        }
        return lines
    }
}

/// A memory that remembers nothing: a trial is not stored.
private struct NoMemory: AssessorMemory {
    func answer(to call: AssessorCall) -> String? { nil }
    func begin(_ call: AssessorCall) {}
    func keep(_ answer: String, to call: AssessorCall) {}
}
