import Papers

/// What exams can be about, as plans name it: topics of lessons that the bank's items have as keywords.
public enum ExamTopics {
    public static let all: [String] = {
        let known = Set(ItemBank.builtIn.items.flatMap(\.about.keywords))
        let lessons = LessonCategory.builtIn.flatMap(\.lessons).map { $0.topic.lowercased() }
        return lessons.reduce(into: [String]()) { topics, topic in
            if known.contains(topic), !topics.contains(topic) { topics.append(topic) }
        }
    }()

    /// What a paper that was drawn from a bank was about.
    ///
    /// - Parameter items: by their ids; see `Paper.Origin`.
    public static func topics(of items: [String]) -> [String] {
        let meant = Set(items)
        let words = Set(ItemBank.builtIn.items.filter { meant.contains($0.id) }.flatMap(\.about.keywords))
        return all.filter(words.contains)
    }
}
