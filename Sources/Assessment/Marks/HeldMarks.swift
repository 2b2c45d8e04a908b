/// A machine's mark that doesn't count until a person has marked, with the reason.
public struct HeldMark: Codable, Equatable, Sendable {
    /// The mark in bands.
    public var mark: Double
    /// The reason for people, as a sentence without its full stop: "6.5 bands from what …".
    public var because: String

    public init(mark: Double, because: String) {
        self.mark = mark
        self.because = because
    }

    var outcome: MarkOutcome { .missing(because: "\(Self.beginning)\(mark.figure(1)) was given, and \(because)") }

    static let beginning = "held for a person: "
}

/// The limits that one exam's delivery and number of words set to machines' marks.
///
/// Words in an answer can talk a language model into a mark. They cannot change the measurements of the sound or the
/// number of words in that way. A mark that is too far from these is held. The limits are wide: they should catch a
/// nine for a hesitant minute, not mark the answer.
public struct MarkLimits: Equatable, Sendable {
    /// The index of the delivery, 0 … 10 (`DeliveryProfile.index`); nil if too little was measured.
    public var index: Double?
    /// The number of tokens in the transcripts; nil if there are no transcripts.
    public var tokens: Int?

    /// No limits: nothing is known, so nothing is held.
    public static let unknown = MarkLimits()

    public init(index: Double? = nil, tokens: Int? = nil) {
        self.index = index
        self.tokens = tokens
    }

    public init(_ delivery: DeliveryProfile?, _ words: TextProfile?) {
        self.init(index: delivery?.index, tokens: words?.tokens)
    }

    /// Nearly three standard deviations of the index, in bands. For unknown speakers, the index differs from people's
    /// marks by 0.76 of 10 on average (docs/results.md). If errors are normal, that is a standard deviation of 0.95
    /// (mean error times √(π/2)), or 0.86 on a scale of nine.
    static let widestOnDelivery = 2.5
    /// The limit for grammar and vocabulary, in bands. They differ from delivery, so they get one band more, which
    /// separates two descriptors (`ResultRules.differenceForThird`).
    static let widestOnWords = 3.5
    /// The lowest band for which the descriptors of grammar and vocabulary require a wide range. A text with fewer than
    /// `LexicalDiversity.fewest` tokens cannot show one: this project doesn't rate its variety either.
    static let highest = 8.0

    /// Returns the reason why a machine's mark of the whole exam is outside of the limits; nil if it is within them.
    func objection(to mark: Double, on trait: MarkedTrait) -> String? {
        let (widest, needsRange): (Double, Bool)
        switch trait {
        case .fluency, .pronunciation: (widest, needsRange) = (Self.widestOnDelivery, false)
        case .grammar, .vocabulary: (widest, needsRange) = (Self.widestOnWords, true)
        // Neither delivery nor words show whether an answer is on the topic.
        case .topicRelevance: return nil
        }
        if needsRange, let tokens, tokens < LexicalDiversity.fewest, mark >= Self.highest {
            return "\(tokens) words are too few to show the range of language that this mark requires"
        }
        guard let index else { return nil }
        let expected = index * 0.9
        guard abs(mark - expected) > widest else { return nil }
        let away = abs(mark - expected).figure(1)
        return "the mark is \(away) bands away from the measured delivery, which is \(index.figure(1)) of 10"
    }
}

extension AssessorFinding {
    /// The evidence that counts, including the service's score for fluency. If the answer seems to give instructions to
    /// its marker, its marks are held.
    public var countedEvidence: [CriterionEvidence] {
        let all = evidence + (scoredFluency.map { [$0] } ?? [])
        guard suspectInstructions else { return all }
        return all.map { one in
            guard let mark = one.outcome.mark else { return one }
            var held = one
            held.held = HeldMark(
                mark: mark, because: "the answer or its question seems to give its marker instructions")
            held.outcome = held.held!.outcome
            return held
        }
    }

    /// A service's fluency score, on the scale of its score for pronunciation. All answers are cut in the same way, so
    /// the scores are comparable. Nil if there is no score, or if the service marked fluency itself.
    private var scoredFluency: CriterionEvidence? {
        guard let score = pronunciation?.fluency, !evidence.contains(where: { $0.trait == .fluency }),
            let pronounced = evidence.first(where: { $0.trait == .pronunciation })
        else { return nil }
        return CriterionEvidence(
            trait: .fluency, scope: pronounced.scope, source: source, recordings: pronounced.recordings,
            scale: pronounced.scale, outcome: .mark(score))
    }
}
