import Learning

/// The built-in material for practice.
enum PracticeShelf {
    /// Everything that can be drilled, including listening.
    static let catalogue = PracticeCatalogue(packs: QuestionPack.builtIn, lessons: LessonCategory.builtIn)

    /// The questions from which tests are drawn.
    static let bank = QuestionPack.builtIn.flatMap(\.questions)

    /// The topics in lower case.
    static let topics = Set(catalogue.packs.flatMap(\.items).map { $0.topic.lowercased() })

    /// The lessons by the ids of their drills.
    static let lessons: [String: (category: LessonCategory, lesson: Lesson)] =
        LessonCategory.builtIn.reduce(into: [:]) { all, category in
            for lesson in category.lessons { all[lesson.packID(in: category)] = (category, lesson) }
        }
}
