public import ExamCore
public import Learning

/// The tasks of a spoken drill: sentences, questions or cards.
public struct DrillQuestions: Equatable, Sendable {
    /// The questions in order. At least one.
    public let questions: [Paper.Question]
    /// Their name in the practice log: the id of the lesson or of the first question.
    public let item: String

    /// Takes sentences of a lesson. Those that the learner knows least come first.
    ///
    /// - Parameters:
    ///   - lesson: The lesson's id. Nil for the first unlocked lesson that is not done.
    ///   - count: The most sentences. Nil for `SpokenDrill.usualCount`.
    /// - Returns: Nil if there is no such lesson with sentences, or all lessons are done.
    public init?(
        sentencesOf lesson: String?, count: Int?, in catalogue: PracticeCatalogue, after history: PracticeHistory
    ) {
        let chosen = Self.lessons.first { one in
            guard lesson == nil else { return one.id == lesson }
            guard let pack = catalogue.pack(one.id) else { return false }
            return catalogue.isOpen(pack, history) && history.progress(of: pack) < 1
        }
        guard let chosen else { return nil }
        let items = chosen.lesson.items.enumerated().sorted { a, b in
            func mastery(_ item: LessonItem) -> Int { history.memories["\(chosen.id)/\(item.id)"]?.mastery ?? 0 }
            return (mastery(a.element), a.offset) < (mastery(b.element), b.offset)
        }
        let sentences = items.compactMap { _, item in
            item.sentences.first.map { Paper.Question(id: item.id, text: $0) }
        }
        questions = Array(sentences.prefix(count ?? SpokenDrill.repeatAfterMe.usualCount))
        item = chosen.id
    }

    /// Takes questions of a paper that was drawn for `SpokenDrill.paperFormat`: its card, or the questions of its last
    /// parts, which give the most to say.
    ///
    /// - Parameter count: The most questions. Nil for `SpokenDrill.usualCount`.
    /// - Returns: Nil if the paper has no such question, or the drill takes none from papers.
    public init?(_ drill: SpokenDrill, from paper: Paper, count: Int? = nil) {
        let drawn = paper.sections.sorted { $0.key > $1.key }.flatMap(\.value).flatMap(\.questions)
        switch drill {
        case .fourThreeTwo: questions = Array(drawn.filter { $0.card != nil }.prefix(1))
        case .oneMoreSentence, .pauseLess:
            questions = Array(drawn.filter { $0.card == nil }.prefix(count ?? drill.usualCount))
        case .shadowing, .repeatAfterMe, .again: return nil
        }
        guard let first = questions.first else { return nil }
        item = first.id
    }

    /// Finds the questions of a drill that was held.
    ///
    /// - Returns: Nil if the paper has no questions.
    public init?(_ drill: SpokenDrill, heldWith paper: Paper) {
        questions = paper.sections.sorted { $0.key < $1.key }.flatMap(\.value).flatMap(\.questions)
        guard let first = questions.first else { return nil }
        let asked = Set(questions.map(\.text))
        let lesson = Self.lessons.first { asked.isSubset(of: $0.lesson.items.flatMap(\.sentences)) }
        // In a paper of 4/3/2, the ids of the three tellings end with `-1`, `-2` and `-3`.
        item = lesson?.id ?? (drill == .fourThreeTwo ? String(first.id.dropLast(2)) : first.id)
    }

    /// The ids of the lessons that have sentences, in order.
    public static var lessonIDs: [String] { lessons.map(\.id) }

    private static let lessons = LessonCategory.builtIn.flatMap { category in
        category.lessons.map { (id: $0.packID(in: category), lesson: $0) }
    }.filter { !$0.lesson.items.flatMap(\.sentences).isEmpty }
}

extension SpokenDrill {
    /// The id of the format for which the questions of `DrillQuestions(_:from:)` are drawn.
    public static let paperFormat = "ielts-style"

    /// The number of sentences or questions if the learner names none.
    public var usualCount: Int {
        switch self {
        case .shadowing, .repeatAfterMe: 5
        case .oneMoreSentence, .pauseLess: 3
        case .fourThreeTwo, .again: 1
        }
    }

    /// Whether the learner follows a voice that says sentences.
    public var hasModel: Bool { self == .shadowing || self == .repeatAfterMe }

    /// Whether the learner speaks while the voice speaks. Without headphones the recording contains the voice.
    public var isSpokenAlong: Bool { self == .shadowing }

    /// Returns the prompts that the learner speaks along with: the questions, without the examiner's other words.
    public func spokenAlong(in script: ExamScript) -> Set<Clip.ID> {
        isSpokenAlong ? Set(script.turns.map(\.id)) : []
    }
}

extension LessonItem {
    /// The item's complete sentences, which a learner can say aloud.
    public var sentences: [String] {
        switch self {
        case .word(let item): item.examples.map(\.text)
        case .idiom(let item): item.examples.map(\.text)
        case .phrasalVerb(let item): item.examples.map(\.text)
        case .marker(let item): item.examples.map(\.text)
        case .minimalPair(let item): [item.example.text]
        case .stress(let item): [item.example.text]
        case .answer: []
        }
    }
}
