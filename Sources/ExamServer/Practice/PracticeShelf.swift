import Learning

/// What there is to practise here.
enum PracticeShelf {
    /// All that can be drilled, by ear too.
    static let catalogue = PracticeCatalogue(packs: QuestionPack.builtIn, lessons: LessonCategory.builtIn)

    /// What tests are drawn from.
    static let bank = QuestionPack.builtIn.flatMap(\.questions)

    /// In small letters.
    static let topics = Set(catalogue.packs.flatMap(\.items).map { $0.topic.lowercased() })

    /// Lessons by the ids of their drills.
    static let lessons: [String: (category: LessonCategory, lesson: Lesson)] =
        LessonCategory.builtIn.reduce(into: [:]) { all, category in
            for lesson in category.lessons { all[lesson.packID(in: category)] = (category, lesson) }
        }
}
