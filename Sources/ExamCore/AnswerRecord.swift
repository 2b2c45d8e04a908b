/// What is known of one answer beside its sound: which question it answers, when, how much was said, how it ended.
///
/// Whatever keeps, sends or shows an answer *contains* this record: the manifest (`StoredTake`), the queue's line (`Upload`), a
/// backend's wire (`AnswerRow`) and its row (`TestResponse`). One more fact of an answer is a field here, whoever measures it, and
/// the description of the wire.
///
/// What was not measured is absent: a recording that another program made and sent has no times in an exam and no speech.
public struct AnswerRecord: Codable, Equatable, Sendable {
    /// The question's id in the paper, or the line's in the format.
    public var question: String
    /// 1, 2 or 3; the format's number.
    public var part: Int
    /// 1, 2, 3 … among the answered turns of the part.
    public var order: Int
    /// 1, or more where a device failed and the question was asked again, or the candidate began again.
    public var attempt: Int
    /// How the answer ended, as in the log: `finished`, `noAnswer`, `timeUp.part` …
    public var end: String?
    /// On the room's clock.
    public var openedAt: Seconds?
    public var closedAt: Seconds?
    /// The length of the recording: `leadIn`, and `closedAt` − `openedAt` without the time it was held for the examiner's words.
    public var duration: Seconds?
    /// The beginning of the recording that lies before `openedAt`: the end of what the examiner said, and of an answer that began too early its first
    /// word. Nothing in it is measured. Nil if it begins with the answer.
    public var leadIn: Seconds?
    /// Of which the detector heard speech.
    public var speech: Seconds?
    /// What the microphone missed meanwhile: silence in the recording; nil where nothing was missed.
    public var lost: Seconds?
    /// From the examiner's last sound to the candidate's first speech; nil if the candidate said nothing.
    public var responseLatency: Seconds?
    /// Which of two alternatives it speaks for, 1 or 2; nil where there were none.
    public var choice: Int?
    /// To get used to the test: it counts for nothing. nil: it counts.
    public var practice: Bool?
    /// The share of the recording's samples that clipped, 0 … 1; nil where not all of them were heard, as after a kill.
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

    /// As takes, files and uploads are called: `part1_q3` (C2), and `part1_q3_a2` for a second attempt.
    public var name: String { Self.name(part: part, order: order, attempt: attempt) }

    /// Whether it counts: neither for practice, nor begun again afterwards. Where not, nobody marks it, and nothing is made of it.
    public var counts: Bool { practice != true && end != AnswerEnd.begunAgain }

    /// Whether the candidate said nothing: the detector heard no speech, or the question was asked in vain. False if it was not measured.
    public var isSilent: Bool { end == "noAnswer" || speech?.duration == .zero }

    static func name(part: Int, order: Int, attempt: Int) -> String {
        "part\(part)_q\(order)" + (attempt > 1 ? "_a\(attempt)" : "")
    }
}

extension ExamScript {
    /// The name that the take's answer has in its record.
    package func name(of take: Exam.Take) -> String {
        let turn = turns[take.turn]
        return AnswerRecord.name(part: parts[turn.part].number, order: turn.order, attempt: take.attempt)
    }
}
