public import Assessment
public import ExamCore
public import SystemSupport

/// A drill that a learner speaks aloud. It runs like an exam: with the same recorder, the same detector and the same
/// measures.
public enum SpokenDrill: String, CaseIterable, Sendable {
    /// The learner says a sentence along with the voice.
    case shadowing
    /// The learner says a sentence after the voice.
    case repeatAfterMe = "repeat"
    /// The learner gives the same talk three times, in 120, 90 and 60 seconds. De Jong and Perfetti (Language Learning
    /// 61, 2011) found that repeating one topic is what makes later speech faster. The first time is 120 seconds
    /// because Part 2 has two minutes.
    case fourThreeTwo = "4-3-2"
    /// An answer has to contain at least the target's seconds of speech.
    case oneMoreSentence = "one-more-sentence"
    /// An answer has to contain at least the target's syllables between two pauses, on average.
    case pauseLess = "pause-less"
    /// The learner answers a question of an exam again.
    case again

    /// The drills that a learner can choose. `again` needs an answer of an exam.
    public static let chosen = allCases.filter { $0 != .again }

    /// The name in lists and on screens: `Pause less`.
    public var title: String {
        switch self {
        case .shadowing: "Shadowing"
        case .repeatAfterMe: "Repeat after me"
        case .fourThreeTwo: "4/3/2"
        case .oneMoreSentence: "One more sentence"
        case .pauseLess: "Pause less"
        case .again: "Say it again"
        }
    }

    /// The target if the learner names none: 30 seconds of speech, or 6 syllables between two pauses. These are round
    /// numbers to start with. A good target is a little more than the learner reached last time.
    public var usualTarget: Double {
        switch self {
        case .oneMoreSentence: 30
        case .pauseLess: 6
        case .shadowing, .repeatAfterMe, .fourThreeTwo, .again: 0
        }
    }

    /// Returns the format that the drill runs by.
    ///
    /// - Parameter target: See `usualTarget`.
    /// - Throws: `Problem` only if Oracy's own files are broken.
    public func format(target: Double) throws(Problem) -> ExamFormat {
        func read(_ bytes: [UInt8]) throws(Problem) -> ExamFormat {
            try JSONFile.decode(
                ExamFormat.self, "format", version: ExamFormat.layoutVersion, from: bytes, name: "drill.json")
        }
        switch self {
        case .shadowing:
            var format = try read(PackageResources.drill_repeat_json)
            format.title = title
            format.parts[0].title = title
            format.lines["opening"]?.text = "Speak along with me, as close behind as you can."
            return format
        case .repeatAfterMe: return try read(PackageResources.drill_repeat_json)
        case .fourThreeTwo: return try read(PackageResources.drill_4_3_2_json)
        case .oneMoreSentence, .pauseLess, .again:
            var format = try read(PackageResources.drill_questions_json)
            format.title = title
            format.parts[0].title = title
            format.parts[0].items[0].rules = [rawValue]
            if self == .oneMoreSentence {
                format.rules[rawValue]?.minimum = Seconds(.milliseconds(Int(target * 1000)))
                // Don't let a learner who has nothing more to say wait for two minutes.
                format.rules[rawValue]?.maximum = Seconds(.milliseconds(Int(min(120, 2 * target + 20) * 1000)))
            }
            format.rules = format.rules.filter { $0.key == rawValue }
            return format
        }
    }

    /// Returns the paper of the drill: sentences, questions, or one card.
    public func paper(of questions: [Paper.Question]) -> Paper {
        let frames: [String: [Paper.Frame]]
        switch self {
        case .shadowing, .repeatAfterMe: frames = ["sentences": [Paper.Frame(id: "sentences", questions: questions)]]
        case .oneMoreSentence, .pauseLess, .again:
            frames = ["questions": [Paper.Frame(id: "questions", questions: questions)]]
        case .fourThreeTwo:
            // The examiner says the card once. The screen shows it all three times.
            let sections = ["first", "second", "third"].enumerated().map { place, section in
                var question = questions[0]
                question.id += "-\(place + 1)"
                return (section, [Paper.Frame(id: section, questions: [question])])
            }
            frames = Dictionary(uniqueKeysWithValues: sections)
        }
        return Paper(id: paperID, title: title, sections: frames)
    }

    /// The id of the drill's paper. It distinguishes the drill's sessions from exams.
    private var paperID: String { "drill-\(rawValue)" }

    /// The ids of the papers of all drills.
    public static let paperIDs = allCases.map(\.paperID)

    /// Creates the drill that a session was held with. Nil if it was an exam.
    ///
    /// - Parameter paper: The id of the session's paper.
    public init?(paper: String?) {
        guard let drill = Self.allCases.first(where: { $0.paperID == paper }) else { return nil }
        self = drill
    }
}

/// The result of a spoken drill.
public struct SpokenOutcome: Equatable, Sendable {
    /// Whether the learner reached the drill's target.
    public let isReached: Bool
    /// The sentence that explains the verdict.
    public let sentence: String
    /// Whether the drill has a target. An answer that is given again is only compared.
    var hasTarget = true

    /// The verdict with its explanation: "Not yet. 1 of 3 answers reached 30 seconds of speech."
    public var verdict: String { (hasTarget ? isReached ? "Reached. " : "Not yet. " : "") + sentence }
}

extension SpokenDrill {
    /// A sentence is in time if the ratio of its length to the voice's is in this range: from a fifth shorter to a
    /// quarter longer.
    static let sameTime = 0.8...1.25

    /// Judges by timing alone whether the learner reached the target.
    ///
    /// - Parameters:
    ///   - own: The learner's tellings, in order.
    ///   - model: The voice's telling for each of `own`, if the drill has a voice to follow; for `again`, the earlier
    ///     answer.
    public func outcome(_ own: [Telling], model: [Telling] = [], target: Double) -> SpokenOutcome {
        let spoken = own.filter { $0.measures.speech > 0 }
        guard !spoken.isEmpty else { return SpokenOutcome(isReached: false, sentence: "Nothing was said.") }
        switch self {
        case .shadowing, .repeatAfterMe:
            let pairs = zip(own, model)
            let inTime = pairs.count { own, model in
                model.measures.span > 0 && Self.sameTime.contains(own.measures.span / model.measures.span)
            }
            return SpokenOutcome(
                isReached: inTime * 2 > own.count,
                sentence: "\(inTime) of \(own.count) took about as long as the voice did.")
        case .fourThreeTwo:
            let full = zip(own, [120.0, 90, 60]).count { $0.measures.speech >= $1 / 2 }
            let rates = own.compactMap(\.measures.speechRate)
            let faster =
                rates.count == 3
                ? " From \(rates[0].tenth) to \(rates[2].tenth) syllables a second, by timing alone." : ""
            return SpokenOutcome(
                isReached: own.count == 3 && full == 3,
                sentence: "\(full) of 3 tellings lasted at least half of their time.\(faster)")
        case .oneMoreSentence:
            let reached = own.count { $0.measures.speech >= target }
            return SpokenOutcome(
                isReached: reached == own.count,
                sentence: "\(reached) of \(own.count) answers reached \(target.tenth) seconds of speech.")
        case .pauseLess:
            let all = spoken.reduce(DeliveryMeasures()) { $0 + $1.measures }
            let run = all.meanLengthOfRun ?? 0
            return SpokenOutcome(
                isReached: run >= target,
                sentence: "\(run.tenth) syllables between two pauses on average; the target was \(target.tenth).")
        case .again:
            guard let before = model.first, let now = spoken.last else {
                return SpokenOutcome(isReached: true, sentence: "You said it again.", hasTarget: false)
            }
            return SpokenOutcome(
                isReached: true, sentence: TellingChange.sentence(from: before.measures, to: now.measures),
                hasTarget: false)
        }
    }
}

/// The change between two tellings, in figures.
enum TellingChange {
    static func sentence(from before: DeliveryMeasures, to now: DeliveryMeasures) -> String {
        var parts = ["\(before.speech.tenth) to \(now.speech.tenth) seconds of speech"]
        if let was = before.speechRate, let isNow = now.speechRate {
            parts.append("\(was.tenth) to \(isNow.tenth) syllables a second")
        }
        parts.append("the longest pause from \(before.longestPause.tenth) to \(now.longestPause.tenth) seconds")
        return "From " + parts.joined(separator: ", ") + ", by timing alone."
    }
}

extension Double {
    /// The number with one decimal, or without if that is zero.
    fileprivate var tenth: String {
        let tenths = Int((self * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
