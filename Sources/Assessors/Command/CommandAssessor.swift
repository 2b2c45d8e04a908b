public import Assessment
import ExamCore
public import HTTPClient
import SystemSupport

/// A user's own program. It reads JSON about the answer from standard input and writes its findings as JSON to standard
/// output (docs/assessors.md describes both, with an example of twenty lines).
public struct CommandAssessor: Assessor {
    public let source: MarkSource
    public let needsWords: Bool
    let command: [String]
    let time: Duration

    /// The maximum size of the program's output in bytes.
    static let longest = 4 << 20

    /// Creates an assessor.
    ///
    /// - Parameters:
    ///   - command: the program, as a name or a path, and its arguments. Not empty.
    ///   - version: the program's version, which its user increases when the program changes.
    init(id: String, command: [String], version: String, needsWords: Bool, time: Duration) {
        source = MarkSource(kind: .machine, id: id, version: version)
        self.command = command
        self.needsWords = needsWords
        self.time = time
    }

    public func assess(
        _ answer: AnswerToAssess, _ calls: AssessorCalls
    ) async throws(ServiceFailure) -> AssessorFinding {
        var finding = answer.finding(by: source)
        guard Self.hasMatter(answer) else {
            finding.failure = "no speech was found in it, so it was not assessed"
            return finding
        }
        let input = Self.input(answer)
        let words = answer.words?.text ?? ""
        if needsWords { finding.words = answer.words?.digest }
        let question = SHA256.hexadecimal(of: Array(words.utf8)).prefix(12)
        let said = try await calls.once("run on \(question)", seconds: answer.sound.timeline.duration) {
            _ async throws(ServiceFailure) in try await ask(input)
        }
        guard let judgement = Judgement(said) else { return finding }
        if let error = judgement.error {
            finding.failure = String(error.prefix(200))
            return finding
        }
        let heard = judgement.transcript?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        if !heard.isEmpty {
            finding.transcript = AnswerTranscript(
                answer: answer.record.name, recording: answer.recording, source: .recogniser,
                writtenAt: finding.saidAt, text: heard)
            finding.transcript?.recogniser = source
            finding.transcript?.isVerbatim = false
            finding.transcript?.words = judgement.timedWords(of: heard, in: answer.sound.timeline.duration)
        }
        // The program may also quote the words that it recognised itself.
        let checked = CheckedJudgement(judgement, of: heard.isEmpty ? words : heard, needsQuotes: false)
        finding.evidence = MarkedTrait.allCases.compactMap { trait in
            checked.marks[trait].map { mark in
                answer.evidence(
                    of: trait, by: source,
                    mark.band.map(MarkOutcome.mark) ?? .missing(because: mark.because ?? "\(source.id) gave no mark"))
            }
        }
        finding.mistakes = judgement.mistakes == nil ? nil : checked.mistakes
        finding.strengths = Array(checked.strengths.prefix(3))
        finding.improvements = Array(checked.improvements.prefix(3))
        finding.dropped = checked.dropped
        if judgement.words != nil, finding.transcript?.words == nil { finding.drop(.times) }
        finding.suspectInstructions =
            checked.isSuspect || JudgedMaterial(of: answer, words: heard.isEmpty ? words : heard).isSuspect
        return finding
    }

    /// Returns whether there is speech or a transcript.
    private static func hasMatter(_ answer: AnswerToAssess) -> Bool {
        answer.sound.timeline.span != nil || answer.words != nil
    }

    private func ask(_ input: [UInt8]) async throws(ServiceFailure) -> String {
        let end: ProgramRun.End
        do throws(Problem) {
            end = try await ProgramRun.run(
                command[0], Array(command.dropFirst()), input: input, time: time, longest: Self.longest)
        } catch {
            throw ServiceFailure(.later(nil), error.sentence)
        }
        switch end {
        case .said(let text):
            guard Judgement(text) != nil else {
                throw ServiceFailure(.setUp, "\(source.id): \(command[0]) says something else than JSON of a judgement")
            }
            return text
        // EX_TEMPFAIL of sysexits.h.
        case .failed(75): throw ServiceFailure(.later(nil), "\(source.id): \(command[0]) asks to be called later")
        case .failed(let code):
            let how = code.map { "ends with \($0)" } ?? "was ended by a signal"
            throw ServiceFailure(.setUp, "\(source.id): \(command[0]) \(how)")
        case .timedOut:
            throw ServiceFailure(.later(nil), "\(source.id): \(command[0]) took more than \(time.components.seconds) s")
        case .tooLong:
            throw ServiceFailure(.setUp, "\(source.id): \(command[0]) writes more than \(Self.longest >> 20) MB")
        case .missing: throw ServiceFailure(.setUp, "\(source.id): \(command[0]) cannot be run")
        }
    }

    /// The program's input. The layout's version increases if a field is removed or changed. New fields may be added.
    private struct Input: Encodable {
        var version = 1
        var answer: String
        var record: AnswerRecord
        var question: String?
        var card: Paper.Card?
        /// The path of a file that the program may read.
        var recording: String
        var sha256: String
        /// In seconds.
        var duration: Double
        var speech: Double
        /// The pauses as `[start, end]` in seconds.
        var pauses: [TimeRange]
        var transcript: String?
    }

    private static func input(_ answer: AnswerToAssess) -> [UInt8] {
        JSONFile.encode(
            Input(
                answer: answer.record.name, record: answer.record, question: answer.question, card: answer.card,
                recording: answer.path, sha256: answer.recording, duration: answer.sound.timeline.duration,
                speech: answer.speech, pauses: answer.sound.timeline.pauses, transcript: answer.words?.text))
    }

    public func preview(of answer: AnswerToAssess) -> [String] {
        guard Self.hasMatter(answer) else { return ["nothing: no speech is found in it"] }
        return [command.joined(separator: " ") + "\n" + String(decoding: Self.input(answer), as: UTF8.self)]
    }
}
