/// One exam as data: a format joined with a paper, all lines resolved and all times scaled. The exam reads nothing
/// else.
public struct ExamScript: Equatable, Sendable {
    public var formatID: String
    public var paperID: String
    public var options: ExamOptions
    public var parts: [Part]
    /// In the order of the exam. The turns of one part are adjacent.
    public var turns: [Turn]
    /// The exam ends at this time on the candidate's clock in any case.
    public var hardCap: Duration
    /// The last answer ends at this time, so that the closing words fit before `hardCap`.
    public var lastAnswerEnd: Duration
    /// The times left before a limit at which the candidate gets a warning, longest first.
    public var warnings: [Duration]
    public var clipGap: Duration
    public var turnGap: Duration
    public var partGap: Duration
    /// The value of `ExamFormat.lostLineEndsAnswer`.
    public var lostLineEndsAnswer = false

    public struct Part: Equatable, Sendable {
        public var number: Int
        public var title: String
        /// When the answer in progress is interrupted, measured from the part's first prompt.
        public var hardEnd: Duration?
    }

    /// A prompt by the examiner and, if one is expected, the answer to it.
    public struct Turn: Equatable, Sendable {
        public var id: String
        /// An index into `parts`.
        public var part: Int
        /// 1, 2, 3 … among the answered turns of its part. 0 if the turn has no answer.
        public var order: Int
        /// Spoken in order. The question itself is the last clip. Never empty.
        public var prompt: [Clip]
        public var preparation: Preparation?
        public var answer: AnswerRule?
        /// The age of the part after which this turn is dropped. Nil if it is never dropped.
        public var notAfter: Duration?
        public var card: Paper.Card?
        /// The clips whose words are never shown.
        public var hidden: Set<Clip.ID> = []
        /// The text that the candidate reads aloud. It is shown after the prompt, and the examiner does not say it.
        public var toRead: String?
        public var picture: Paper.Picture?
        /// The alternatives for `Wish.first` and `Wish.second`: two or none.
        public var alternatives: [Paper.Alternative] = []
        /// The right answers. Empty if the question has no single right answer.
        public var answers: [String] = []
        /// The part's questions, if this turn's preparation is for all of them.
        public var together: [Assignment] = []
        /// The id of the turn in which the candidate prepared this answer. Nil if that is this turn, or there was no
        /// preparation.
        public var preparedIn: String?
        /// Whether the answer is for practice and does not count.
        public var isPractice = false
        /// The purpose of its question. The answer to an introduction stays with the candidate.
        public var purpose = QuestionPurpose.assessed
        /// The choice that the turn depends on. The exam skips the turn if the candidate chose otherwise.
        public var condition: Condition?
        /// The points for saying the question's words again, the most first. Empty if the candidate answers in words of
        /// their own.
        public var wordSequence: [ExamFormat.WordPoints] = []

        /// The words that the candidate answers or reads aloud.
        public var question: String? { toRead ?? prompt.last?.text }

        /// Returns whether the words of this clip are never shown.
        func hides(_ clip: Clip) -> Bool { hidden.contains(clip.id) }
    }

    /// One of several questions that the candidate prepares together.
    public struct Assignment: Equatable, Sendable {
        public var text: String
        public var picture: Paper.Picture?
    }

    /// `ExamFormat.Condition`, resolved to a turn.
    public struct Condition: Equatable, Sendable {
        /// The id of the turn in which the candidate chose.
        public var turn: String
        /// 0 or 1.
        public var choice: Int
    }

    public struct Preparation: Equatable, Sendable {
        public var length: Duration
        public var skippableAfter: Duration?
        public var notes: Bool
        public var start: Clip?
    }

    /// `ExamFormat.Rule` with its lines resolved to clips and its times scaled.
    public struct AnswerRule: Equatable, Sendable {
        public var silence: Duration?
        /// The shortest and longest that `silence` may become. If nil, it does not change.
        public var patience: SilenceRange?
        public var minimum: Duration
        public var maximum: Duration?
        public var clockStart: ExamFormat.ClockStart
        public var finishableAfter: Duration?
        public var interruption: Interruption?
        public var whenSilent: [Step]
        public var whenPausing: [Step]
        /// The clips for the first, second … request to hear the question again.
        public var repeats: [Clip]
        /// The clip for requests after `repeats` are used up.
        public var refusal: Clip?
        public var followUpUnder: Duration?
        public var followUp: Clip?
        /// The tone that announces the answer.
        public var beep: Clip?
        /// The number of times the answer may be given.
        public var attempts = 1

        /// Whether the candidate's pauses can only lengthen the silence. If so, and the rule has prompts, the examiner
        /// prompts once before silence ends the answer. A format with a shorter floor wants answers to end sooner.
        var onlyLengthens: Bool {
            guard let silence, let patience else { return false }
            return patience.onlyLengthens(silence)
        }
    }

    public struct SilenceRange: Equatable, Sendable {
        public var floor: Duration
        public var ceiling: Duration

        /// Creates a range.
        ///
        /// - Parameters:
        ///   - floor: the shortest silence that may end an answer.
        ///   - ceiling: the longest silence to wait for. Not shorter than `floor`.
        public init(floor: Duration, ceiling: Duration) {
            self.floor = floor
            self.ceiling = ceiling
        }

        /// Returns whether this range only allows the given silence to become longer.
        func onlyLengthens(_ silence: Duration) -> Bool { floor >= silence }
    }

    public struct Interruption: Equatable, Sendable {
        public var aim: Duration
        public var pause: Duration
        public var clip: Clip
    }

    /// One step of a silence ladder: after this much silence, say the clip. Without a clip, move on.
    public struct Step: Equatable, Sendable {
        public var after: Duration
        public var clip: Clip?
    }

    /// Everything that the examiner may have to say, in the order of the script.
    public var clips: [Clip] {
        turns.flatMap { turn -> [Clip] in
            var clips = turn.prompt
            if let start = turn.preparation?.start { clips.append(start) }
            guard let rule = turn.answer else { return clips }
            clips += (rule.whenSilent + rule.whenPausing).compactMap(\.clip) + rule.repeats
            clips += [rule.refusal, rule.followUp, rule.interruption?.clip, rule.beep].compactMap(\.self)
            return clips
        }
    }

    /// The turns after the last answer. They are said even when the exam is out of time.
    public var closingTurns: Range<Int> {
        let answered = turns.lastIndex { $0.answer != nil } ?? -1
        return (answered + 1)..<turns.count
    }
}

/// One recording of the examiner's voice, or the words to speak.
public struct Clip: Hashable, Sendable {
    public typealias ID = String

    /// Clips with different words have different ids.
    public var id: String
    public var text: String
    /// The recording as written in the format or paper. If nil, the voice finds or speaks the words.
    public var audio: String?

    public init(id: String, text: String, audio: String? = nil) {
        self.id = id
        self.text = text
        self.audio = audio
    }

    /// A short tone. It needs no voice.
    public static let beep = Clip(id: "beep", text: "")
}

/// The options that may differ between two sittings of one format and paper.
public struct ExamOptions: Codable, Equatable, Sendable {
    public enum Mode: String, Choice {
        /// Exam conditions: no pause, no skipping.
        case test
        /// The candidate may pause the exam and skip preparation.
        case practice
    }

    public var mode: Mode
    /// The factor that lengthens every limit, clock, gap and silence, as an accommodation: 1 (the format's own
    /// times) to 4. The minimum that the candidate has to say (`minimum`) does not change.
    public var timeMultiplier: Double
    /// The number of the only part to hold, for a learner who practises one part. Nil for the whole exam.
    public var part: Int?
    /// Chooses the frames and their order. If nil, the paper's own order is used.
    public var seed: UInt64?
    /// The id of the question whose card to use. If nil, the seed or the paper's order chooses the card.
    public var card: String?
    /// The id of the only question to ask, for a learner who tries one answer again. Nil for all questions.
    public var question: String?

    public init(
        mode: Mode = .test,
        timeMultiplier: Double = 1,
        part: Int? = nil,
        seed: UInt64? = nil,
        card: String? = nil,
        question: String? = nil
    ) {
        self.mode = mode
        self.timeMultiplier = timeMultiplier
        self.part = part
        self.seed = seed
        self.card = card
        self.question = question
    }
}

extension ExamScript {
    /// Returns what the examiner is likely to say during a turn and at the beginning of the next one. The likeliest
    /// clips come first, and each is listed once.
    public func clips(likelyDuring turn: Int) -> [Clip] {
        let answer = turns[turn].answer
        var clips = turns[turn].prompt
        if let start = turns[turn].preparation?.start { clips.append(start) }
        if turn + 1 < turns.count { clips += turns[turn + 1].prompt }
        let perhaps = [
            answer?.beep, answer?.followUp, answer?.whenSilent.first?.clip, answer?.interruption?.clip,
            answer?.repeats.first,
        ]
        clips += perhaps.compactMap { $0 }
        var seen: Set<Clip> = []
        return clips.filter { seen.insert($0).inserted }
    }
}
