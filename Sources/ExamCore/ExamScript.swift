/// One exam as data: a format and a paper joined, every line resolved, every time scaled. The machine reads nothing else.
public struct ExamScript: Equatable, Sendable {
    public var formatID: String
    public var paperID: String
    public var options: ExamOptions
    public var parts: [Part]
    /// In the order of the exam; those of one part stand together.
    public var turns: [Turn]
    /// The exam is over at this time on the candidate's clock, whatever happens.
    public var hardCap: Duration
    /// The last answer ends here, so that the closing words still fit before `hardCap`.
    public var lastAnswerEnd: Duration
    /// Time left at which the candidate is warned, longest first.
    public var warnings: [Duration]
    public var clipGap: Duration
    public var turnGap: Duration
    public var partGap: Duration
    /// `ExamFormat.lostLineEndsAnswer`.
    public var lostLineEndsAnswer = false

    public struct Part: Equatable, Sendable {
        public var number: Int
        public var title: String
        /// When the answer in progress is interrupted, counted from the part's first prompt.
        public var hardEnd: Duration?
    }

    /// Something the examiner says, and the answer to it where one is expected.
    public struct Turn: Equatable, Sendable {
        public var id: String
        /// An index into `parts`.
        public var part: Int
        /// 1, 2, 3 … among the answered turns of its part; 0 where nothing is answered.
        public var order: Int
        /// Spoken in order; the question itself is the last. Never empty.
        public var prompt: [Clip]
        public var preparation: Preparation?
        public var answer: AnswerRule?
        /// Dropped when its part is older than this; nil: never.
        public var notAfter: Duration?
        public var card: Paper.Card?
        /// The clips whose words are heard only.
        public var hidden: Set<Clip.ID> = []
        /// What the candidate reads aloud: shown after the prompt, and said by nobody.
        public var toRead: String?
        public var picture: Paper.Picture?
        /// What is chosen between, by `Wish.first` and `second`: two, or none.
        public var alternatives: [Paper.Alternative] = []
        /// What a right answer says; empty where there is no one right answer.
        public var answers: [String] = []
        /// The part's questions, where they are prepared together in this turn's preparation.
        public var together: [Assignment] = []
        /// The turn whose preparation this one's answer was thought of in, by its id, where that is another.
        public var preparedIn: String?
        /// The answer counts for nothing.
        public var isPractice = false
        /// Passed over unless this was chosen.
        public var condition: Condition?
        /// What saying the question's words again is worth, the most first; empty where the candidate speaks in words of their own.
        public var wordSequence: [ExamFormat.WordPoints] = []

        /// What is asked: the words that are answered, or read aloud.
        public var question: String? { toRead ?? prompt.last?.text }

        /// Whether these words are heard only.
        func hides(_ clip: Clip) -> Bool { hidden.contains(clip.id) }
    }

    /// One of several questions that are prepared together.
    public struct Assignment: Equatable, Sendable {
        public var text: String
        public var picture: Paper.Picture?
    }

    /// `ExamFormat.Condition`
    public struct Condition: Equatable, Sendable {
        /// The id of the turn that asked.
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
        /// The shortest and the longest that `silence` may become; it stays as it is where nil.
        public var patience: SilenceRange?
        public var minimum: Duration
        public var maximum: Duration?
        public var clockStart: ExamFormat.ClockStart
        public var finishableAfter: Duration?
        public var interruption: Interruption?
        public var whenSilent: [Step]
        public var whenPausing: [Step]
        /// What is played for the first, second … request to hear the question again.
        public var repeats: [Clip]
        /// Played when `repeats` are used up.
        public var refusal: Clip?
        public var followUpUnder: Duration?
        public var followUp: Clip?
        /// The tone before the answer.
        public var beep: Clip?
        /// How often the answer may be given.
        public var attempts = 1

        /// Whether the candidate's pauses can only lengthen the silence. Then no silence ends the answer before the examiner has prompted once,
        /// if the rule has prompts. A format that states a shorter floor wants answers to end sooner.
        var onlyLengthens: Bool {
            guard let silence, let patience else { return false }
            return patience.onlyLengthens(silence)
        }
    }

    public struct SilenceRange: Equatable, Sendable {
        public var floor: Duration
        public var ceiling: Duration

        /// - Parameters:
        ///   - floor: the shortest silence that may end an answer.
        ///   - ceiling: the longest that may be waited for; no shorter than `floor`.
        public init(floor: Duration, ceiling: Duration) {
            self.floor = floor
            self.ceiling = ceiling
        }

        /// Whether a silence may become longer within this range, and never shorter.
        func onlyLengthens(_ silence: Duration) -> Bool { floor >= silence }
    }

    public struct Interruption: Equatable, Sendable {
        public var aim: Duration
        public var pause: Duration
        public var clip: Clip
    }

    /// A rung of a silence ladder: after so much silence say the clip, or move on where there is none.
    public struct Step: Equatable, Sendable {
        public var after: Duration
        public var clip: Clip?
    }

    /// Everything the examiner may have to say, in the order of the script.
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

    /// The last turns of the exam in which nothing is answered: said even when everything else is out of time.
    public var closingTurns: Range<Int> {
        let answered = turns.lastIndex { $0.answer != nil } ?? -1
        return (answered + 1)..<turns.count
    }
}

/// One recording of the examiner's voice, or the words for one.
public struct Clip: Hashable, Sendable {
    public typealias ID = String

    /// Unique in a script among clips of different words.
    public var id: String
    public var text: String
    /// The recording the format or paper names, as written there; nil: found or spoken by the voice.
    public var audio: String?

    public init(id: String, text: String, audio: String? = nil) {
        self.id = id
        self.text = text
        self.audio = audio
    }

    /// A short tone, which needs no voice.
    public static let beep = Clip(id: "beep", text: "")
}

/// What may differ between two sittings of one format and paper.
public struct ExamOptions: Codable, Equatable, Sendable {
    public enum Mode: String, Choice {
        /// As on the day: no pause, no skipping.
        case test
        /// Pausing and skipping preparation are allowed.
        case practice
    }

    public var mode: Mode
    /// Accommodation: every limit, clock, gap and patience is this many times as long; 1 (the format's own) to 4.
    /// What is asked of the candidate (`minimum`) stays as it is.
    public var timeMultiplier: Double
    /// Only this part of the format, by its number, as a learner practises it; nil: the whole exam.
    public var part: Int?
    /// Chooses the frames and their order; nil takes the paper's own order.
    public var seed: UInt64?
    /// The card to talk about, by its question's id; nil: the paper's first, or the one the seed chooses.
    public var card: String?
    /// Only this question, by its id, as a learner tries an answer again; nil: all of them.
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
    /// What the examiner is likely to say during a turn and at the beginning of the next one, the likeliest first, each once.
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
