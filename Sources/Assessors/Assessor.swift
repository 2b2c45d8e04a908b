public import Assessment
public import ExamCore
public import HTTPClient
import SystemSupport

/// Whoever judges an answer: a recogniser, a cloud, a language model, a program of somebody's own. One protocol for the terminal and the
/// server.
///
/// ```swift
/// struct WordCounter: Assessor {
///     let source = MarkSource(kind: .machine, id: "counter", version: "words/1")
///     var needsWords: Bool { true }
///     func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
///         var finding = answer.finding(by: source)
///         finding.improvements = ["You said \(answer.words?.text.split(separator: " ").count ?? 0) words."]
///         return finding
///     }
///     func preview(of answer: AnswerToAssess) -> [String] { ["counts the words"] }
/// }
/// ```
/// What it is answered by others goes through `AssessorCalls.once`: it is kept before anything is made of it, and never asked for twice. An
/// assessor may be called from several tasks at a time.
public protocol Assessor: Sendable {
    /// Who says it, and by which rules: under a new version answers are assessed again.
    var source: MarkSource { get }
    /// The third party that recordings or words go to: `api.openai.com`; nil where they stay on this machine. It is told nothing before
    /// the candidate has agreed to it by name.
    var recipient: String? { get }
    /// Whether it judges words, and so comes after whoever recognises them.
    var needsWords: Bool { get }

    /// Assesses one answer, for as long as it takes.
    ///
    /// - Returns: what was found. What was not assessed stays empty; nothing is to be filled in.
    /// - Throws: `ServiceFailure`: `later` is asked again, `refused` is kept as this answer's end, after `setUp` and `spent` this assessor is left
    ///   alone until somebody has looked.
    func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding

    /// What it would send, as text for a person; nothing is sent. Keys are left out.
    ///
    /// - Throws: `ServiceFailure` where the recording cannot be read.
    func preview(of answer: AnswerToAssess) throws(ServiceFailure) -> [String]
}

extension Assessor {
    public var recipient: String? { nil }
    public var needsWords: Bool { false }
}

/// An answer that is to be assessed. It holds no candidate's name, and no id of theirs: an introduction cannot be one.
public struct AnswerToAssess: Sendable {
    /// As the exam's log has it.
    public let record: AnswerRecord
    /// SHA-256 of the recording, as hexadecimal digits.
    public var recording: String
    /// Where the recording lies on this machine, for as long as the call runs.
    public var path: String
    /// Where its sound lies as WAV, 16 kHz mono, if it was decoded elsewhere already; nil: `path` is decoded.
    public var samples: String?
    /// Where it is speech and where it pauses, by our own measure.
    public var sound: MeasuredSound
    /// What was asked; nil where nobody knows.
    public var question: String?
    /// What the candidate was to talk about, where that was on a card.
    public var card: Paper.Card?
    /// What was said, where somebody wrote it down or recognised it.
    public var words: AnswerTranscript?

    /// - Returns: nil for an introduction, which is sent to no assessor.
    public init?(
        record: AnswerRecord, recording: String, path: String, sound: MeasuredSound, question: String? = nil,
        card: Paper.Card? = nil, words: AnswerTranscript? = nil
    ) {
        guard record.purpose == .assessed else { return nil }
        self.record = record
        self.recording = recording
        self.path = path
        self.sound = sound
        self.question = question
        self.card = card
        self.words = words
    }

    /// An empty finding on this answer, to be filled.
    public func finding(by source: MarkSource, sentTo recipient: String? = nil) -> AssessorFinding {
        AssessorFinding(
            answer: record.name, recording: recording, source: source, saidAt: WallTime.now.utc, sentTo: recipient)
    }

    /// Evidence that it gives on a criterion, or the topic.
    public func evidence(
        of trait: MarkedTrait, by source: MarkSource, scale: String = MarkMapping.band, _ outcome: MarkOutcome,
        runs: [MarkRun]? = nil
    ) -> CriterionEvidence {
        CriterionEvidence(
            trait: trait, scope: .answer(name: record.name, speech: speech), source: source, recordings: [recording],
            scale: scale, outcome: outcome, runs: runs)
    }

    /// Seconds of speech, pauses left out.
    public var speech: Double {
        guard let span = sound.timeline.span else { return 0 }
        return max(0, span.length - sound.timeline.pauses.map(\.length).reduce(0, +))
    }
}
