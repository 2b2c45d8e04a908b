public import Assessment
public import ExamCore
public import Learning

/// The review of a spoken drill: its tellings side by side, and whether the learner reached the target. A telling is
/// one attempt at the words, by the learner or the voice.
public struct DrillReview: Sendable {
    /// A telling with the source of its sound.
    public struct Entry: Equatable, Sendable {
        /// The source of a telling.
        public enum Source: Equatable, Sendable {
            /// The learner's answer.
            case answer(AnswerRecord)
            /// The voice, which says the question with this id.
            case voice(question: String)
            /// The earlier answer to the same question, from an exam.
            case before
        }
        /// The timing of the telling, with its name.
        public let telling: Telling
        /// The source of its sound.
        public let source: Source
    }

    /// The tellings in the order in which they are shown: each voice before the answer that follows it.
    public let entries: [Entry]
    /// The verdict on the learner's tellings.
    public let outcome: SpokenOutcome
    /// The seconds of the learner's speech.
    public let speech: Double

    /// Reviews the answers that count.
    ///
    /// - Parameters:
    ///   - target: See `SpokenDrill.usualTarget`.
    ///   - before: For `again`, the earlier answer from the exam.
    ///   - voices: The voice's sound of each question, for drills that follow a voice.
    public init(
        _ drill: SpokenDrill, target: Double, _ answers: [AnswerAssessment], after before: Telling? = nil,
        voices: [String: SoundTimeline] = [:]
    ) {
        var (own, models, entries) = ([Telling](), [Telling](), [Entry]())
        if let before {
            models.append(before)
            entries.append(Entry(telling: before, source: .before))
        }
        for (place, answer) in answers.enumerated() where answer.record.counts {
            if let voice = voices[answer.record.question] {
                let model = Telling(name: "Voice \(place + 1)", timeline: voice)
                models.append(model)
                entries.append(Entry(telling: model, source: .voice(question: answer.record.question)))
            }
            let telling = Telling(
                name: drill.name(ofTelling: place), timeline: answer.sound.timeline, measures: answer.delivery.measures)
            own.append(telling)
            entries.append(Entry(telling: telling, source: .answer(answer.record)))
        }
        self.entries = entries
        outcome = drill.outcome(own, model: models, target: target)
        speech = own.reduce(0) { $0 + $1.measures.speech }
    }
}

extension PracticeEvent.Spoke {
    /// - Parameter item: `DrillQuestions.item`.
    public init(_ drill: SpokenDrill, _ review: DrillReview, item: String) {
        self.init(kind: drill.rawValue, item: item, speech: review.speech, isReached: review.outcome.isReached)
    }
}

extension SpokenDrill {
    /// - Parameter place: The answer's place in the drill, 0 for the first.
    fileprivate func name(ofTelling place: Int) -> String {
        switch self {
        case .shadowing, .repeatAfterMe: "You \(place + 1)"
        case .fourThreeTwo: ["First", "Second", "Third"][min(place, 2)]
        case .oneMoreSentence, .pauseLess: "Answer \(place + 1)"
        case .again: "Now"
        }
    }
}
