import Papers

/// The possible topics of exams, as plans name them: topics of lessons that are also keywords of the bank's items.
public enum ExamTopics {
    public static let all: [String] = {
        let known = Set(ItemBank.builtIn.items.flatMap(\.about.keywords))
        let lessons = LessonCategory.builtIn.flatMap(\.lessons).map { $0.topic.lowercased() }
        return lessons.reduce(into: [String]()) { topics, topic in
            if known.contains(topic), !topics.contains(topic) { topics.append(topic) }
        }
    }()

    /// Returns the topics of a paper that was drawn from the bank.
    ///
    /// - Parameter items: the ids of the paper's items: see `Paper.Origin`.
    public static func topics(of items: [String]) -> [String] {
        let meant = Set(items)
        let words = Set(ItemBank.builtIn.items.filter { meant.contains($0.id) }.flatMap(\.about.keywords))
        return all.filter(words.contains)
    }
}
