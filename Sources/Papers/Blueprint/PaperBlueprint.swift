public import ExamCore

/// The plan of a paper before it has items: its frames, in the order of the exam, and the questions of each.
public struct PaperBlueprint: Codable, Equatable, Sendable {
    public var request: PaperRequest
    public var frames: [Frame]

    /// The place of an item, or of one of a card's frames.
    public struct Frame: Codable, Equatable, Sendable {
        /// For example, `topics.2`.
        public var id: String
        public var section: String
        /// Nil for any difficulty.
        public var difficulty: Paper.Difficulty?
        /// The frame whose card this frame continues.
        public var linkedTo: String?
        public var slots: [Slot]
    }

    /// The place of one question.
    public struct Slot: Codable, Equatable, Sendable {
        public var role: Role
        /// Any of these levels.
        public var bloom: [Bloom]
        public var maxWords: Int

        public init(role: Role, bloom: [Bloom], maxWords: Int) {
            self.role = role
            self.bloom = bloom
            self.maxWords = maxWords
        }
    }

    /// The purpose of a question. It decides which questions may be used.
    public enum Role: String, Choice {
        /// About the candidate's own life. The answer is two or three sentences.
        case familiar
        /// A card for a talk of two minutes.
        case card
        /// One or two short questions after the talk.
        case roundingOff
        /// About people in general. The answer takes a minute.
        case discussion
        /// A sentence to repeat or read aloud.
        case sentence
        /// A question of an interview.
        case interview
        /// A speaking task: describe, advise, retell. Each section has tasks of its own (`SectionKind`).
        case task
    }

    /// The number of questions by their lowest cognitive level.
    public var bloomDistribution: [Bloom: Int] {
        var counts: [Bloom: Int] = [:]
        for slot in frames.flatMap(\.slots) { counts[slot.bloom.min() ?? .remember, default: 0] += 1 }
        return counts
    }

    /// The number of items wanted for each section.
    public var quotas: [String: Int] {
        frames.filter { $0.linkedTo == nil }.reduce(into: [:]) { $0[$1.section, default: 0] += 1 }
    }
}

extension Bloom: CodingKeyRepresentable {}

extension PaperBlueprint {
    /// Makes the blueprint of a format. It is deterministic: the seed chooses among items, but does not change what is
    /// wanted.
    public init(_ request: PaperRequest, of format: ExamFormat) {
        self.request = request
        frames = []
        var card: String?
        for item in format.parts.flatMap(\.items) {
            guard let section = item.section else { continue }
            let kind = SectionKind(section, hasCard: card != nil, isRepeated: item.wordSequence != nil)
            for number in 1...max(1, item.frames ?? 1) {
                let id = "\(section).\(number)"
                frames.append(
                    Frame(
                        id: id, section: section, difficulty: request.difficulty,
                        linkedTo: kind.isLinked ? card : nil, slots: kind.slots))
                if kind.role == .card { card = id }
            }
        }
    }
}

extension PaperBlueprint.Role {
    /// The number of questions in a frame.
    var count: Int {
        switch self {
        case .familiar: 5
        case .card: 1
        case .roundingOff: 2
        case .discussion: 6
        case .sentence: 7
        case .interview: 4
        case .task: 1
        }
    }

    /// The requirements for a question: the levels that fit the role, and a length that can be said in one breath,
    /// about six seconds at 150 words a minute. Questions with longer answers may be longer.
    public var slot: PaperBlueprint.Slot {
        switch self {
        case .familiar: .init(role: self, bloom: [.remember, .understand, .apply], maxWords: 16)
        case .card: .init(role: self, bloom: [.apply], maxWords: 16)
        case .roundingOff: .init(role: self, bloom: [.remember, .understand, .apply], maxWords: 14)
        case .discussion: .init(role: self, bloom: [.analyze, .evaluate, .create], maxWords: 24)
        case .sentence: .init(role: self, bloom: [.remember], maxWords: 20)
        case .interview: .init(role: self, bloom: Bloom.allCases, maxWords: 28)
        case .task: .init(role: self, bloom: Bloom.allCases, maxWords: 75)
        }
    }
}
