import ExamCore
import Papers

/// The wishes for a paper in requests, both for an exam and for a stored paper.
struct PaperWishFields: Decodable {
    var format: String?
    var topics: [String]?
    var difficulty: String?
    var minutes: Int?
    var questions: Int?
    var seed: Int?

    /// The maximum number of topics, and of characters in one.
    private static let (mostTopics, longestTopic) = (10, 60)

    /// Reads the wishes.
    ///
    /// - Throws: `APIProblem` 400 with the field.
    func wish(paper: String? = nil) throws(APIProblem) -> PaperWish {
        let topics = topics ?? []
        guard topics.count <= Self.mostTopics else { throw .malformed("topics: at most \(Self.mostTopics).") }
        for (number, topic) in topics.enumerated() {
            try Field.text(topic, "topics[\(number)]", atMost: Self.longestTopic)
        }
        let difficulty = try difficulty.map { (word) throws(APIProblem) in
            guard let difficulty = Paper.Difficulty(rawValue: word) else {
                throw .malformed("difficulty: must be \(Paper.Difficulty.allCases.map(\.rawValue).spoken).")
            }
            return difficulty
        }
        try minutes.map { (minutes) throws(APIProblem) in
            try Field.number(minutes, "minutes", PaperRequest.allowedMinutes)
        }
        try questions.map { (questions) throws(APIProblem) in
            try Field.number(questions, "questions", PaperRequest.allowedQuestions)
        }
        // The range of integers that every JSON parser represents exactly.
        try seed.map { (seed) throws(APIProblem) in try Field.number(seed, "seed", 0...(1 << 53 - 1)) }
        return PaperWish(
            paper: paper, topics: topics, difficulty: difficulty, minutes: minutes, questions: questions,
            seed: seed.map(UInt64.init))
    }
}
