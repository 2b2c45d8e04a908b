public import Assessment
public import ExamCore

/// What a report tells: an exam, what was found in it, and its sound. Whoever makes one fills it: the tool from a session's folder, a server
/// from its store. What is not known stays empty, and the page says so.
public struct ReportContent: Sendable {
    /// The session's id.
    public var session: String
    /// ISO 8601 in UTC; nil where nobody wrote it down.
    public var startedAt: String?
    /// What exam it was: the titles of format and paper.
    public var title: String
    /// How the exam ended, in words.
    public var outcome: String?
    public var answers: [ReportedAnswer]
    /// Of all answers together, and of each part; nil where nothing was measured.
    public var delivery: DeliveryProfile?
    public var parts: [PartDelivery]
    /// What the words of all transcripts together tell; nil where there are none.
    public var text: TextProfile?
    public var sheets: [MarkSheet]
    /// nil where nobody marked.
    public var result: ExamResult?
    /// Whose sentences stand beside marks.
    public var rubric: Rubric
    public var earlier: [EarlierExam]
    /// The page shows the first three.
    public var steps: [NextStep]
    public var notAssessed: [NotAssessed]

    /// Something that this report does not judge, and why.
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
        answers: [ReportedAnswer] = [], delivery: DeliveryProfile? = nil, parts: [PartDelivery] = [],
        text: TextProfile? = nil, sheets: [MarkSheet] = [], result: ExamResult? = nil, rubric: Rubric = .ieltsStyle,
        earlier: [EarlierExam] = [], steps: [NextStep] = [], notAssessed: [NotAssessed] = []
    ) {
        self.session = session
        self.title = title
        self.startedAt = startedAt
        self.outcome = outcome
        self.answers = answers
        self.delivery = delivery
        self.parts = parts
        self.text = text
        self.sheets = sheets
        self.result = result
        self.rubric = rubric
        self.earlier = earlier
        self.steps = steps
        self.notAssessed = notAssessed
    }
}

extension ReportContent {
    /// What of the criteria and the words nobody judged, each with the reason.
    ///
    /// - Parameter scoring: the scale of the format's own tests, where it names one.
    public static func unjudged(
        _ result: ExamResult?, transcripts: [AnswerTranscript], scoring: ExamFormat.Scoring? = nil
    ) -> [NotAssessed] {
        var list = Criterion.allCases.compactMap { criterion -> NotAssessed? in
            guard let reason = result?.criteria[criterion]?.outcome.reason else {
                if result != nil { return nil }
                return NotAssessed(what: criterion.title, why: "Nobody marked it: sound alone makes no band.")
            }
            return NotAssessed(what: criterion.title, why: reason)
        }
        if let own = scoring?.notGiven {
            list.append(NotAssessed(what: own.what, why: own.why.prefix(1).uppercased() + own.why.dropFirst() + "."))
        }
        if transcripts.isEmpty {
            list.append(NotAssessed(what: "the words", why: "There is no transcript of any answer."))
        } else if transcripts.allSatisfy(\.checks.isEmpty) {
            list.append(NotAssessed(what: "grammar, by a checker", why: "No checker looked at the transcripts."))
        }
        if transcripts.lackFillers {
            list.append(NotAssessed(what: "fillers", why: "Whoever wrote down the words may have left them out."))
        }
        return list
    }
}

/// One answer in a report.
public struct ReportedAnswer: Sendable {
    public var record: AnswerRecord
    /// The question's words; nil where the paper is not known.
    public var question: String?
    public var card: Paper.Card?
    public var sound: MeasuredSound?
    public var delivery: DeliveryProfile?
    public var recording: ReportedSound?
    /// The loudest sample, 0 … 1, of each 50 ms of what the examiner said before; empty where it is not known.
    public var promptPeaks: [Double]
    /// One for each source; each is shown with its source.
    public var transcripts: [AnswerTranscript]
    /// What the words of its transcript tell; nil where there is none.
    public var text: TextProfile?

    public init(
        record: AnswerRecord, question: String? = nil, card: Paper.Card? = nil,
        sound: MeasuredSound? = nil, delivery: DeliveryProfile? = nil, recording: ReportedSound? = nil,
        promptPeaks: [Double] = [], transcripts: [AnswerTranscript] = [], text: TextProfile? = nil
    ) {
        self.record = record
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

/// A recording's bytes as a browser plays them.
///
/// MP3 plays in every browser; Ogg/Opus does not in Safari before 18.4. At 24 kbit/s an MP3 of 16 kHz mono is three quarters of an Opus take of
/// 32 kbit/s, and as long as the take itself in base64; so it stands alone, and nothing is kept twice (docs/results.md).
public struct ReportedSound: Sendable {
    /// `audio/mpeg`
    public var mediaType: String
    public var bytes: [UInt8]

    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}
