public import Assessment
public import ExamCore
public import SystemSupport

/// What a learner practises aloud. It is held as an exam is: the same recorder, the same ears, the same measures.
public enum SpokenDrill: String, CaseIterable, Sendable {
    /// A sentence said along with the voice, while it is heard.
    case shadowing
    /// A sentence said after the voice.
    case repeatAfterMe = "repeat"
    /// The same talk three times in less and less time: de Jong and Perfetti (Language Learning 61, 2011) found that it is the repetition of one
    /// topic that makes speech faster afterwards. 120, 90 and 60 seconds, as Part 2 has two minutes.
    case fourThreeTwo = "4-3-2"
    /// An answer has to reach so many seconds of speech.
    case oneMoreSentence = "one-more-sentence"
    /// So many syllables between two pauses, on average.
    case pauseLess = "pause-less"

    /// As lists and screens show it: `pause less`.
    public var title: String {
        switch self {
        case .shadowing: "Shadowing"
        case .repeatAfterMe: "Repeat after me"
        case .fourThreeTwo: "4/3/2"
        case .oneMoreSentence: "One more sentence"
        case .pauseLess: "Pause less"
        }
    }

    /// Where nobody names another: 30 seconds of speech, and 6 syllables between two pauses. Round numbers to begin with: what suits a learner is a
    /// little more than the last time.
    public var usualTarget: Double {
        switch self {
        case .oneMoreSentence: 30
        case .pauseLess: 6
        case .shadowing, .repeatAfterMe, .fourThreeTwo: 0
        }
    }

    /// The rules that it is held by.
    ///
    /// - Parameter target: see `usualTarget`.
    /// - Throws: nothing that a caller could cause.
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
        case .oneMoreSentence, .pauseLess:
            var format = try read(PackageResources.drill_questions_json)
            format.title = title
            format.parts[0].title = title
            format.parts[0].items[0].rules = [rawValue]
            if self == .oneMoreSentence {
                format.rules[rawValue]?.minimum = Seconds(.milliseconds(Int(target * 1000)))
                // Whoever has nothing more to say does not wait for two minutes.
                format.rules[rawValue]?.maximum = Seconds(.milliseconds(Int(min(120, 2 * target + 20) * 1000)))
            }
            format.rules = format.rules.filter { $0.key == rawValue }
            return format
        }
    }

    /// What is said: sentences, questions, or one card.
    public func paper(of questions: [Paper.Question]) -> Paper {
        let frames: [String: [Paper.Frame]]
        switch self {
        case .shadowing, .repeatAfterMe: frames = ["sentences": [Paper.Frame(id: "sentences", questions: questions)]]
        case .oneMoreSentence, .pauseLess:
            frames = ["questions": [Paper.Frame(id: "questions", questions: questions)]]
        case .fourThreeTwo:
            // The card is said once, and shown three times.
            let sections = ["first", "second", "third"].enumerated().map { place, section in
                var question = questions[0]
                question.id += "-\(place + 1)"
                return (section, [Paper.Frame(id: section, questions: [question])])
            }
            frames = Dictionary(uniqueKeysWithValues: sections)
        }
        return Paper(id: "drill-\(rawValue)", title: title, sections: frames)
    }
}

/// What came of a spoken drill.
public struct SpokenOutcome: Equatable, Sendable {
    /// Whether the telling did what the drill asks for.
    public let isReached: Bool
    /// What it rests on.
    public let sentence: String
}

extension SpokenDrill {
    /// How far a sentence's length may be from the voice's, to count as in its time: a fifth shorter or a quarter longer.
    static let sameTime = 0.8...1.25

    /// Whether the target was reached, by timing alone.
    ///
    /// - Parameters:
    ///   - own: what was said, in order.
    ///   - model: the voice, for each of `own`, where there was one to follow.
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
                sentence: "\(full) of 3 tellings filled half of their time or more.\(faster)")
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
                sentence: "\(run.tenth) syllables between two pauses on average; \(target.tenth) were wanted.")
        }
    }
}

extension Double {
    /// With one decimal, where it has one.
    fileprivate var tenth: String {
        let tenths = Int((self * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
