/// The facts about one answer besides its sound: which question it answers, when, how much was said, how it ended.
///
/// Everything that stores, sends or shows an answer *contains* this record: the manifest (`StoredTake`), the upload
/// queue's entry (`Upload`), a backend's wire format (`AnswerRow`) and its row (`TestResponse`). To add a fact, add a
/// field here and to the description of the wire.
///
/// Facts that were not measured are absent. A recording that another program made has no exam times and no speech.
public struct AnswerRecord: Codable, Equatable, Sendable {
    /// The id of the question in the paper, or the name of the line in the format.
    public var question: String
    /// The part's number in the format: 1, 2 or 3 in a test with three parts.
    public var part: Int
    /// 1, 2, 3 … among the answered turns of the part.
    public var order: Int
    /// 1, or more if a device failed and the question was asked again, or if the candidate began again.
    public var attempt: Int
    /// The end of the answer, as written in the log: `finished`, `noAnswer`, `timeUp.part` …
    public var end: String?
    /// On the room's clock.
    public var openedAt: Seconds?
    public var closedAt: Seconds?
    /// The length of the recording: `leadIn`, plus `closedAt` − `openedAt` without the time in which the examiner
    /// spoke.
    public var duration: Seconds?
    /// The length of the recording before `openedAt`. It holds the end of the examiner's words and, if the candidate
    /// began too early, the first word of the answer. Measurements count it as silence. Nil if the recording begins
    /// with the answer.
    public var leadIn: Seconds?
    /// The length of the speech that the detector heard.
    public var speech: Seconds?
    /// The length of sound that the microphone missed. The recording holds silence instead. Nil if nothing was missed.
    public var lost: Seconds?
    /// The time from the examiner's last sound to the candidate's first speech. Nil if the candidate said nothing.
    public var responseLatency: Seconds?
    /// The chosen one of two alternatives, 1 or 2. Nil if there was nothing to choose.
    public var choice: Int?
    /// Whether the answer is for practice and does not count. Nil means that it counts.
    public var practice: Bool?
    /// The purpose as it is stored: absent if the question's id implies it. Use `purpose` to read it.
    private var statedPurpose: QuestionPurpose?
    /// The share of the recording's samples that clipped, 0 … 1; nil if not all samples were heard, as after a kill.
    public var clippedShare: Double?

    public init(
        question: String, part: Int, order: Int, attempt: Int = 1, end: String? = nil, duration: Seconds? = nil,
        speech: Seconds? = nil
    ) {
        self.question = question
        self.part = part
        self.order = order
        self.attempt = attempt
        self.end = end
        self.duration = duration
        self.speech = speech
    }

    private enum CodingKeys: String, CodingKey {
        case question, part, order, attempt, end, openedAt, closedAt, duration, leadIn, speech, lost, responseLatency,
            choice
        case practice, clippedShare
        case statedPurpose = "purpose"
    }

    /// The name of the answer's take, files and uploads: `part1_q3`, or `part1_q3_a2` for a second attempt.
    public var name: String { Self.name(part: part, order: order, attempt: attempt) }

    /// The purpose of its question. A record without this field has the purpose that the question's id implies
    /// (`QuestionPurpose.unstated`).
    public var purpose: QuestionPurpose {
        get { statedPurpose ?? .unstated(for: question) }
        set { statedPurpose = newValue.stated(for: question) }
    }

    /// Whether the answer counts: it is assessed, not for practice, and was not restarted. Other answers are not marked
    /// and enter no result.
    public var counts: Bool { purpose == .assessed && practice != true && end != AnswerEnd.begunAgain }

    /// Whether the candidate said nothing: the detector heard no speech, or the candidate never answered. False if
    /// speech was not measured.
    public var isSilent: Bool { end == "noAnswer" || speech?.duration == .zero }

    static func name(part: Int, order: Int, attempt: Int) -> String {
        "part\(part)_q\(order)" + (attempt > 1 ? "_a\(attempt)" : "")
    }
}

extension ExamScript {
    /// Returns the name that this take's answer has in its record.
    package func name(of take: Exam.Take) -> String {
        let turn = turns[take.turn]
        return AnswerRecord.name(part: parts[turn.part].number, order: turn.order, attempt: take.attempt)
    }
}
