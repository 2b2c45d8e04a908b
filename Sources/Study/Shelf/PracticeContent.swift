public import Learning

/// The material that a learner can practise: packs of questions, and lessons.
public struct PracticeContent: Sendable {
    /// The packs: the sentences that come back, the packs that come with Oracy, and the learner's own.
    public let packs: [QuestionPack]
    /// The questions from which tests are drawn.
    public let bank: [PracticeQuestion]
    /// Everything that can be drilled: the packs and the lessons.
    public let catalogue: PracticeCatalogue
    /// The lessons by the ids of their drills.
    public let lessons: [String: (category: LessonCategory, lesson: Lesson)]
    /// The topics in lower case.
    public let topics: Set<String>

    /// The material that comes with Oracy.
    public static let builtIn = PracticeContent()

    private let own: [QuestionPack]

    /// - Parameters:
    ///   - own: The learner's or the operator's own packs, from which tests are drawn as well.
    ///   - mended: The sentences of the learner's exams that come back in drills.
    public init(own: [QuestionPack] = [], mended: QuestionPack? = nil) {
        self.own = own
        let drawn = QuestionPack.builtIn + own
        // New questions are asked in this order. The learner's own sentences should not wait for hundreds of others.
        packs = (mended.map { [$0] } ?? []) + drawn
        bank = drawn.flatMap(\.questions)
        catalogue = PracticeCatalogue(packs: packs, lessons: LessonCategory.builtIn)
        lessons = LessonCategory.builtIn.reduce(into: [:]) { all, category in
            for lesson in category.lessons { all[lesson.packID(in: category)] = (category, lesson) }
        }
        topics = Set(catalogue.packs.flatMap(\.items).map { $0.topic.lowercased() })
    }

    /// Returns the same material with a learner's sentences.
    public func with(mended: QuestionPack) -> PracticeContent { PracticeContent(own: own, mended: mended) }

    /// Returns the place of the first id that is not the id of a pack or lesson.
    public func unknownPack(in ids: [String]) -> Int? { ids.firstIndex { catalogue.pack($0) == nil } }

    /// Returns the place of the first topic without questions.
    public func unknownTopic(in topics: [String]) -> Int? {
        topics.firstIndex { !self.topics.contains($0.lowercased()) }
    }
}

/// A short description: at debug level, servers log the services that they start with all their properties.
extension PracticeContent: CustomDebugStringConvertible {
    public var debugDescription: String { "PracticeContent(\(packs.count) packs, \(lessons.count) lessons)" }
}
