public import ExamCore

/// All that can be practised, in its order: packs of questions, and the drills that are made from lessons.
public struct PracticeCatalogue: Equatable, Sendable {
    public private(set) var packs: [Pack] = []
    private var places: [String: (pack: Int, item: Int)] = [:]
    private let hears: Bool
    private let speaks: Bool

    /// What is learned: one question, or several about the same.
    public struct Item: Equatable, Sendable, Identifiable {
        /// `PACK/ITEM`.
        public let id: String
        /// At least one; the first is the easiest way to be asked.
        public let questions: [PracticeQuestion]

        public var topic: String { questions[0].topic }
        public var difficulty: Paper.Difficulty { questions[0].difficulty }
    }

    public struct Pack: Equatable, Sendable, Identifiable {
        public let id: String
        public let title: String
        public let items: [Item]
        /// The lesson that has to be practised first; nil for what is open to all.
        public let after: String?
    }

    /// - Parameters:
    ///   - packs: each is open to all.
    ///   - lessons: each opens when the one of its category before it is done.
    ///   - hears: questions about what is heard are among them; not where nothing can be played.
    ///   - speaks: questions that are answered aloud are among them; not where there is no microphone.
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

    /// nil where its pack is gone, or no longer has it.
    public func item(_ id: String) -> Item? { places[id].map { packs[$0.pack].items[$0.item] } }

    public func pack(_ id: String) -> Pack? { packs.first { $0.id == id } }

    public func question(_ exercise: PracticeEvent.Exercise) -> PracticeQuestion? {
        item(exercise.memory)?.questions.first { $0.id == exercise.question }
    }

    /// New items come from open packs: a lesson opens once four of five items of the one before it were answered right once, or by wish.
    public func isOpen(_ pack: Pack, _ history: PracticeHistory) -> Bool {
        guard let before = pack.after.flatMap(self.pack) else { return true }
        return history.openedLessons.contains(pack.id) || history.progress(of: before) >= Self.opening
    }

    static let opening = 0.8

    public static func == (a: PracticeCatalogue, b: PracticeCatalogue) -> Bool { a.packs == b.packs }
}

extension PracticeHistory {
    /// How much of a pack was answered right at least once, 0 … 1.
    public func progress(of pack: PracticeCatalogue.Pack) -> Double {
        guard !pack.items.isEmpty else { return 0 }
        return Double(pack.items.count { memories[$0.id]?.isLearned == true }) / Double(pack.items.count)
    }
}

extension PracticeQuestion {
    /// Answered aloud.
    public var isSpoken: Bool { if case .spoken = key { true } else { false } }
}
