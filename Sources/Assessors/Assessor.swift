public import Assessment
public import ExamCore
public import HTTPClient
import SystemSupport

/// Judges answers: a recogniser, a cloud service, a language model or a user's own program. The terminal and the server
/// use the same protocol.
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
/// An assessor asks other services through `AssessorCalls.once`, which stores each answer before it is used and never
/// asks twice. An assessor may be called by several tasks at a time.
public protocol Assessor: Sendable {
    /// The name of the assessor and the version of its rules. Under a new version, answers are assessed again.
    var source: MarkSource { get }
    /// The third party that gets recordings or words, such as `api.openai.com`. Nil if they stay on this machine.
    /// Nothing is sent to it before the candidate has agreed to it by name.
    var recipient: String? { get }
    /// Whether the assessor judges words, so that it must wait for the recognisers.
    var needsWords: Bool { get }

    /// Assesses one answer, however long that takes.
    ///
    /// - Returns: the findings. Traits that were not assessed stay empty and must not be filled in.
    /// - Throws: `ServiceFailure`. After `later` the assessor is asked again. `refused` is stored as the final result
    ///   for this answer. After `setUp` and `spent` the assessor is not asked until a person has looked at the problem.
    func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding

    /// Returns the request that it would send, as text for a person, without keys. Sends nothing.
    ///
    /// - Throws: `ServiceFailure` if the recording cannot be read.
    func preview(of answer: AnswerToAssess) throws(ServiceFailure) -> [String]
}

extension Assessor {
    public var recipient: String? { nil }
    public var needsWords: Bool { false }
}

/// An answer for assessors. It contains neither a name nor an id of the candidate, and is never an introduction.
public struct AnswerToAssess: Sendable {
    /// The exam's record of the answer, from its log.
    public let record: AnswerRecord
    /// SHA-256 of the recording, as hexadecimal digits.
    public var recording: String
    /// The path of the recording on this machine, valid during the call.
    public var path: String
    /// The path of its sound as WAV, 16 kHz mono, if it was already decoded; nil if `path` is to be decoded.
    public var samples: String?
    /// The parts with speech and the pauses, by our own measure.
    public var sound: MeasuredSound
    /// The question. Nil if unknown.
    public var question: String?
    /// The text that the candidate had to read aloud or to repeat. Nil for other questions.
    public var textToSay: String?
    /// The card that the candidate had to talk about, if there was one.
    public var card: Paper.Card?
    /// The candidate's words. Nil if they were neither written down nor recognised.
    public var words: AnswerTranscript?

    /// - Returns: nil for an introduction, which is sent to no assessor.
    public init?(
        record: AnswerRecord, recording: String, path: String, sound: MeasuredSound, question: String? = nil,
        textToSay: String? = nil, card: Paper.Card? = nil, words: AnswerTranscript? = nil
    ) {
        guard record.purpose == .assessed else { return nil }
        self.record = record
        self.recording = recording
        self.path = path
        self.sound = sound
        self.question = question
        self.textToSay = textToSay
        self.card = card
        self.words = words
    }

    /// Returns an empty finding on this answer.
    public func finding(by source: MarkSource, sentTo recipient: String? = nil) -> AssessorFinding {
        AssessorFinding(
            answer: record.name, recording: recording, source: source, saidAt: WallTime.now.utc, sentTo: recipient)
    }

    /// Returns the answer's evidence on a criterion, or on the topic.
    public func evidence(
        of trait: MarkedTrait, by source: MarkSource, scale: String = MarkMapping.band, _ outcome: MarkOutcome,
        runs: [MarkRun]? = nil
    ) -> CriterionEvidence {
        CriterionEvidence(
            trait: trait, scope: .answer(name: record.name, speech: speech), source: source, recordings: [recording],
            scale: scale, outcome: outcome, runs: runs)
    }

    /// The seconds of speech without pauses.
    public var speech: Double {
        guard let span = sound.timeline.span else { return 0 }
        return max(0, span.length - sound.timeline.pauses.map(\.length).reduce(0, +))
    }
}
