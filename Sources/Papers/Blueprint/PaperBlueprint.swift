public import ExamCore

/// What a paper is to hold before anything is in it (P2 to P4): its frames, in the order of the exam, and each one's questions.
public struct PaperBlueprint: Codable, Equatable, Sendable {
    public var request: PaperRequest
    public var frames: [Frame]

    /// A place for an item, or for one of a card's frames.
    public struct Frame: Codable, Equatable, Sendable {
        /// `topics.2`
        public var id: String
        public var section: String
        /// nil: of any.
        public var difficulty: Paper.Difficulty?
        /// The frame whose card this one carries on from.
        public var linkedTo: String?
        public var slots: [Slot]
    }

    /// A place for one question.
    public struct Slot: Codable, Equatable, Sendable {
        public var role: Role
        /// Any of these.
        public var bloom: [Bloom]
        public var maxWords: Int

        public init(role: Role, bloom: [Bloom], maxWords: Int) {
            self.role = role
            self.bloom = bloom
            self.maxWords = maxWords
        }
    }

    /// What a question is for. What may stand there differs by it.
    public enum Role: String, Choice {
        /// About the candidate's own life: two or three sentences.
        case familiar
        /// A card: two minutes.
        case card
        /// One or two short questions after the talk.
        case roundingOff
        /// About people in general, a minute.
        case discussion
        /// A sentence to be said again or read aloud.
        case sentence
        /// An interview's question.
        case interview
        /// Something to do in speaking: describe, advise, tell again. Each section's own (`SectionKind`).
        case task
    }

    /// Questions by what they ask of a mind, at least.
    public var bloomDistribution: [Bloom: Int] {
        var counts: [Bloom: Int] = [:]
        for slot in frames.flatMap(\.slots) { counts[slot.bloom.min() ?? .remember, default: 0] += 1 }
        return counts
    }

    /// How many items are wanted of each section.
    public var quotas: [String: Int] {
        frames.filter { $0.linkedTo == nil }.reduce(into: [:]) { $0[$1.section, default: 0] += 1 }
    }
}

extension Bloom: CodingKeyRepresentable {}

extension PaperBlueprint {
    /// What a format asks for. Deterministic: the seed chooses among items, never what is wanted.
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
    /// How many questions a frame has.
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

    /// What may stand there (users.md's fit of Bloom's levels; words that are spoken in one breath, some four seconds at 150 a minute, twice that where an
    /// answer takes a minute).
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
