public import Assessment
public import ExamCore

/// The content of a report: an exam, its findings, and its sound. The tool fills it from a session's folder, and a
/// server from its store. Unknown facts stay empty, and the page says so.
public struct ReportContent: Sendable {
    /// The session's id.
    public var session: String
    /// ISO 8601 in UTC. Nil if it was not recorded.
    public var startedAt: String?
    /// The titles of the format and the paper.
    public var title: String
    /// The end of the exam in words.
    public var outcome: String?
    /// A text that says who held the exam and whether its evidence is sealed; nil for an exam that the tool held.
    public var provenance: String?
    public var answers: [ReportedAnswer]
    /// The delivery of all answers together. Nil without measurements. `parts` has that of each part.
    public var delivery: DeliveryProfile?
    public var parts: [PartDelivery]
    /// The measures of the words in all transcripts. Nil without transcripts.
    public var text: TextProfile?
    public var sheets: [MarkSheet]
    /// The result of the marks. Nil if the exam was not marked.
    public var result: ExamResult?
    /// The rubric whose sentences are shown with the marks.
    public var rubric: Rubric
    public var earlier: [EarlierExam]
    /// The exams to draw, the oldest first and this exam last. Empty if there is no earlier one.
    public var progress: [ProgressExam] = []
    /// The estimates, in the order in which they are shown.
    public var estimates: [AspectEstimate]
    /// The band that the learner wants, 0 to 9, and its distance from the estimate in a sentence. Nil if the learner
    /// named none.
    public var goal: (band: Double, sentence: String)?
    /// Something that the exam shows to be good. Nil if nothing is known.
    public var strength: Strength?
    /// The recommendations. The page shows the first three.
    public var steps: [NextStep]
    /// Returns the command that carries out a step's action. Nil for readers without the tool.
    public var command: (@Sendable (NextStep.Action) -> String)?
    public var notAssessed: [NotAssessed]

    /// Something that the report does not judge, with the reason.
    public struct NotAssessed: Encodable, Sendable {
        public var what: String
        public var why: String

        public init(what: String, why: String) {
            self.what = what
            self.why = why
        }
    }

    public init(
        session: String, title: String, startedAt: String? = nil, outcome: String? = nil,
        provenance: String? = nil, answers: [ReportedAnswer] = [], delivery: DeliveryProfile? = nil,
        parts: [PartDelivery] = [],
        text: TextProfile? = nil, sheets: [MarkSheet] = [], result: ExamResult? = nil, rubric: Rubric = .ieltsStyle,
        earlier: [EarlierExam] = [], estimates: [AspectEstimate] = [], strength: Strength? = nil,
        steps: [NextStep] = [],
        command: (@Sendable (NextStep.Action) -> String)? = nil, notAssessed: [NotAssessed] = []
    ) {
        self.session = session
        self.title = title
        self.startedAt = startedAt
        self.outcome = outcome
        self.provenance = provenance
        self.answers = answers.assessed
        self.delivery = delivery
        self.parts = parts
        self.text = text
        self.sheets = sheets
        self.result = result
        self.rubric = rubric
        self.earlier = earlier
        self.estimates = estimates
        self.strength = strength
        self.steps = steps
        self.command = command
        self.notAssessed = notAssessed
    }
}

extension ReportContent.NotAssessed {
    /// The entry of the list for the introduction, if the exam had one.
    public static let introduction = Self(
        what: "your introduction",
        why: "Who you are stays with you: only you can play it, it is sent to no one, and no mark rests on it.")
}

/// One answer in a report.
public struct ReportedAnswer: AnswerBearing, Sendable {
    public var record: AnswerRecord
    /// The number of its question among those of its part that were asked.
    public var number: Int
    /// The words of the question. Nil if the paper is unknown.
    public var question: String?
    public var card: Paper.Card?
    public var sound: MeasuredSound?
    public var delivery: DeliveryProfile?
    public var recording: ReportedSound?
    /// The loudest sample of each 50 ms of the examiner's words before the answer, 0 to 1. Empty if unknown.
    public var promptPeaks: [Double]
    /// The transcripts, at most one for each source. Each is shown with its source.
    public var transcripts: [AnswerTranscript]
    /// The measures of the words in its transcript. Nil without one.
    public var text: TextProfile?

    public init(
        record: AnswerRecord, number: Int, question: String? = nil, card: Paper.Card? = nil,
        sound: MeasuredSound? = nil, delivery: DeliveryProfile? = nil, recording: ReportedSound? = nil,
        promptPeaks: [Double] = [], transcripts: [AnswerTranscript] = [], text: TextProfile? = nil
    ) {
        self.record = record
        self.number = number
        self.question = question
        self.card = card
        self.sound = sound
        self.delivery = delivery
        self.recording = recording
        self.promptPeaks = promptPeaks
        self.transcripts = transcripts
        self.text = text
    }
}

/// A recording in a form that browsers play.
///
/// Ogg/Opus, the form of stored takes, plays everywhere but in Safari before 18.4. MP3 plays in every browser, but must
/// be made. At 24 kbit/s it has three quarters of a take's size (docs/results.md).
public struct ReportedSound: Sendable {
    /// For example, `audio/mpeg`.
    public var mediaType: String
    public var bytes: [UInt8]

    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
