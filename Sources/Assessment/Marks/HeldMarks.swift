/// A machine's mark that does not count until a person has marked, and why.
public struct HeldMark: Codable, Equatable, Sendable {
    /// In bands.
    public var mark: Double
    /// A sentence without its full stop, for people: "6.5 bands from what …".
    public var because: String

    public init(mark: Double, because: String) {
        self.mark = mark
        self.because = because
    }

    var outcome: MarkOutcome { .missing(because: "\(Self.beginning)\(mark.figure(1)) was given, and \(because)") }

    static let beginning = "held for a person: "
}

/// How far delivery and words allow a machine's mark to go, for one exam.
///
/// A language model can be talked into a mark. What was measured in the sound cannot, and neither can the number of words. A mark that lies far
/// outside of both is held. The limits are wide: they are to catch a nine for a hesitant minute, and not to mark.
public struct MarkLimits: Equatable, Sendable {
    /// Where the delivery lies, 0 … 10 (`DeliveryProfile.index`); nil if too little was measured.
    public var index: Double?
    /// Tokens of the transcripts; nil if there are none.
    public var tokens: Int?

    /// Nothing is known, so nothing is held.
    public static let unknown = MarkLimits()

    public init(index: Double? = nil, tokens: Int? = nil) {
        self.index = index
        self.tokens = tokens
    }

    public init(_ delivery: DeliveryProfile?, _ words: TextProfile?) {
        self.init(index: delivery?.index, tokens: words?.tokens)
    }

    /// Three standard deviations of the index, in bands. Against people's marks of speakers whom it does not know its mean error is 0.73 of 10
    /// (docs/results.md), which is a deviation of 0.91 if errors are normal (mean error times √(π/2)), and 0.82 on a scale of nine.
    static let widestOnDelivery = 2.5
    /// Grammar and vocabulary are not delivery. One band more is what separates two descriptors (`ResultRules.differenceForThird`).
    static let widestOnWords = 3.5
    /// From this band on the descriptors of grammar and vocabulary ask for a wide range, which a text below `LexicalDiversity.fewest` tokens
    /// cannot show: this project says nothing of its variety either.
    static let highest = 8.0

    /// Why a machine's mark of the whole exam lies outside of the limits; nil if it does not.
    func objection(to mark: Double, on trait: MarkedTrait) -> String? {
        let (widest, needsRange): (Double, Bool)
        switch trait {
        case .fluency, .pronunciation: (widest, needsRange) = (Self.widestOnDelivery, false)
        case .grammar, .vocabulary: (widest, needsRange) = (Self.widestOnWords, true)
        // Whether an answer is on the topic shows in neither.
        case .topicRelevance: return nil
        }
        if needsRange, let tokens, tokens < LexicalDiversity.fewest, mark >= Self.highest {
            return "\(tokens) words are too few to show the range that it stands for"
        }
        guard let index else { return nil }
        let expected = index * 0.9
        guard abs(mark - expected) > widest else { return nil }
        let away = abs(mark - expected).figure(1)
        return "the measured delivery lies at \(index.figure(1)) of 10, so that it is \(away) bands away"
    }
}

extension AssessorFinding {
    /// The evidence as it counts. Marks of an answer that seems to instruct its marker are held.
    public var countedEvidence: [CriterionEvidence] {
        guard suspectInstructions else { return evidence }
        return evidence.map { one in
            guard let mark = one.outcome.mark else { return one }
            var held = one
            held.held = HeldMark(
                mark: mark, because: "the answer or its question seems to give its marker instructions")
            held.outcome = held.held!.outcome
            return held
        }
    }
}
