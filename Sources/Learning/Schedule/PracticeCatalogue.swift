public import ExamCore

/// Everything that can be practised, in order: packs of questions, and drills that are made from lessons.
public struct PracticeCatalogue: Equatable, Sendable {
    public private(set) var packs: [Pack] = []
    private var places: [String: (pack: Int, item: Int)] = [:]
    private let hears: Bool
    private let speaks: Bool

    /// Something to learn: one question, or several about the same thing.
    public struct Item: Equatable, Sendable, Identifiable {
        /// The id in the form `PACK/ITEM`.
        public let id: String
        /// At least one question. The first is the easiest.
        public let questions: [PracticeQuestion]

        public var topic: String { questions[0].topic }
        public var difficulty: Paper.Difficulty { questions[0].difficulty }
    }

    public struct Pack: Equatable, Sendable, Identifiable {
        public let id: String
        public let title: String
        public let items: [Item]
        /// The lesson that has to be practised first. Nil if the pack is always open.
        public let after: String?
    }

    /// Creates a catalogue.
    ///
    /// - Parameters:
    ///   - packs: packs that are always open.
    ///   - lessons: lessons that open when the previous one in their category is done.
    ///   - hears: whether to include listening questions. False if no sound can be played.
    ///   - speaks: whether to include questions that are answered aloud. False without a microphone.
    public init(packs: [QuestionPack], lessons: [LessonCategory] = [], hears: Bool = true, speaks: Bool = false) {
        (self.hears, self.speaks) = (hears, speaks)
        for pack in packs { add(pack, after: nil) }
        for category in lessons {
            var before: String?
            for lesson in category.lessons {
                let pack = lesson.drill(of: category)
                add(pack, after: before)
                before = pack.id
            }
        }
    }

    private mutating func add(_ pack: QuestionPack, after: String?) {
        var order: [String] = []
        var questions: [String: [PracticeQuestion]] = [:]
        for question in pack.questions where (hears || question.speech == nil) && (speaks || !question.isSpoken) {
            let item = question.item ?? question.id
            if questions[item] == nil { order.append(item) }
            questions[item, default: []].append(question)
        }
        let items = order.map { Item(id: "\(pack.id)/\($0)", questions: questions[$0] ?? []) }
        for (place, item) in items.enumerated() { places[item.id] = (packs.count, place) }
        packs.append(Pack(id: pack.id, title: pack.title, items: items, after: after))
    }

    /// Returns an item. Nil if its pack is missing, or no longer contains it.
    public func item(_ id: String) -> Item? { places[id].map { packs[$0.pack].items[$0.item] } }

    public func pack(_ id: String) -> Pack? { packs.first { $0.id == id } }

    public func question(_ exercise: PracticeEvent.Exercise) -> PracticeQuestion? {
        item(exercise.memory)?.questions.first { $0.id == exercise.question }
    }

    /// Returns whether new items of a pack may be asked. A lesson opens when 80 % of the previous lesson's items were
    /// answered right at least once, or when the learner opens it.
    public func isOpen(_ pack: Pack, _ history: PracticeHistory) -> Bool {
        guard let before = pack.after.flatMap(self.pack) else { return true }
        return history.openedLessons.contains(pack.id) || history.progress(of: before) >= Self.opening
    }

    static let opening = 0.8

    public static func == (a: PracticeCatalogue, b: PracticeCatalogue) -> Bool { a.packs == b.packs }
}

extension PracticeHistory {
    /// Returns the share of a pack that was answered right at least once, 0 to 1.
    public func progress(of pack: PracticeCatalogue.Pack) -> Double {
        LessonProgress(of: pack, self).share
    }
}

extension PracticeQuestion {
    /// Whether the question is answered aloud.
    public var isSpoken: Bool { if case .spoken = key { true } else { false } }
}
