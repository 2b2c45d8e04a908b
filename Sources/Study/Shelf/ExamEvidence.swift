public import Assessment
public import ExamCore
import Reports
package import SystemSupport

/// An exam on a learner's shelf, as a list shows it.
public struct ExamEntry: Equatable, Identifiable, Sendable {
    /// The id by which the shelf finds it: the folder's name, or the row's id in lower case.
    public var id: String
    /// The format's id. Nil if it cannot be read.
    public var format: String?
    /// The paper's id. Nil if it cannot be read.
    public var paper: String?
    /// A time in UTC, such as `2026-11-21T09:12:29Z`. Nil if it was not recorded, as in a replay.
    public var startedAt: String?
    /// The offset of the learner's clock from UTC when it began, in seconds east. Nil if it is unknown.
    public var offset: Int?
    /// The way the exam ended. Nil before its end, or if the program that held the exam did not report it.
    public var ending: ExamEnding?

    public init(id: String, format: String?, paper: String?, startedAt: String?, ending: ExamEnding?) {
        self.id = id
        self.format = format
        self.paper = paper
        self.startedAt = startedAt
        self.ending = ending
    }
}

/// The way an exam ended.
public enum ExamEnding: Equatable, Sendable {
    /// The exam machine ended it with this outcome.
    case outcome(Exam.Outcome)
    /// The candidate left it.
    case brokenOff
    /// A client that held the exam gave its own word.
    case other(String)

    /// The ending in words, for a learner: "out of time".
    public var words: String {
        switch self {
        case .outcome(let outcome): outcome.words
        case .brokenOff: "broken off"
        case .other(let word): word
        }
    }
}

/// Everything that a shelf keeps of one exam, except its sound.
public struct ExamEvidence: Sendable {
    /// The exam as a list shows it.
    public var entry: ExamEntry
    /// The name of the exam if its paper is unknown.
    public var name: String
    /// The format, paper and options. Nil if the exam was held elsewhere.
    public var frozen: FrozenExam?
    /// The questions' words by the questions' ids, for an exam without its paper.
    public var questions: [String: String] = [:]
    /// All answers in the order of the exam, introductions included.
    public var answers: [KeptAnswer]
    /// The measurements of the answers that were measured, without introductions.
    public var assessment: ExamAssessment
    /// The candidate's own transcripts, without those of introductions.
    public var typed: [AnswerTranscript] = []
    /// The assessors' findings in the order of the exam.
    public var said: [AssessorFinding] = []
    /// The findings that marks may be based on.
    public var resting: [AssessorFinding] = []
    /// The assessors without a finding, each with the reason as a sentence.
    public var gaps: [AssessorAbsence] = []
    /// People's marks.
    public var sheets: [MarkSheet] = []
    /// A text that says who held the exam and whether its evidence is sealed. Nil for an exam that the tool held.
    public var provenance: String?
    /// The state of the files of which an exam's figures are made, before they were read. Nil if the shelf keeps no
    /// figures.
    package var state: FileState?
    /// Whether this machine can make sound that every browser plays.
    public var makesSoundForAllBrowsers = true

    public init(
        entry: ExamEntry, name: String, frozen: FrozenExam?, answers: [KeptAnswer], assessment: ExamAssessment
    ) {
        self.entry = entry
        self.name = name
        self.frozen = frozen
        self.answers = answers
        self.assessment = assessment
    }
}

extension ExamEvidence {
    /// The number of the only part that was held. Nil for a whole exam.
    ///
    /// A single part is practice, like a drill: it counts in streak and plan, but is not the learner's last exam, and
    /// has no place among exams that are compared over time.
    var part: Int? { frozen?.options.part }
}

/// An answer as a shelf keeps it.
public struct KeptAnswer: AnswerBearing, Equatable, Sendable {
    /// The facts about the answer.
    public var record: AnswerRecord
    /// The SHA-256 of the recording, in hexadecimal.
    public var recording: String
    /// Whether the recording is still there.
    public var hasRecording: Bool
    /// The reason why it has no measurements, as a sentence. Nil if it was measured or only waits for it.
    public var whyUnmeasured: String?

    public init(record: AnswerRecord, recording: String, hasRecording: Bool = true, whyUnmeasured: String? = nil) {
        self.record = record
        self.recording = recording
        self.hasRecording = hasRecording
        self.whyUnmeasured = whyUnmeasured
    }
}

/// An assessor that said nothing about an exam.
public struct AssessorAbsence: Equatable, Sendable {
    /// The assessor's id.
    public var assessor: String
    /// A sentence for the candidate.
    public var why: String

    public init(assessor: String, why: String) {
        self.assessor = assessor
        self.why = why
    }
}
