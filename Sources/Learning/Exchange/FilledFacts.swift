import ExamCore
import Papers

/// The facts that a file lacked and an import filled in, with the number of questions.
///
/// They are what a teacher would write: the pack's name as the topic, a medium difficulty, and an explanation that
/// repeats the right answer and says that there was no reason.
public struct FilledFacts: Equatable, Sendable {
    public internal(set) var topics = 0
    public internal(set) var difficulties = 0
    public internal(set) var explanations = 0

    /// Returns a sentence for each fact that was filled in.
    ///
    /// - Parameter topic: the topic that was filled in.
    public func sentences(topic: String) -> [String] {
        func told(_ count: Int, _ lacked: String, _ filled: String, _ option: String) -> String? {
            count == 0
                ? nil
                : "\(count) question\(count == 1 ? "" : "s") had no \(lacked): \(filled); set it with \(option)"
        }
        return [
            told(topics, "topic that can be used", "it is now \"\(topic)\"", "--topic"),
            told(difficulties, "difficulty", "it is now \(Paper.Difficulty.medium.rawValue)", "--difficulty"),
            told(explanations, "explanation", "it now repeats the right answer", "--explanation"),
        ].compactMap(\.self)
    }

    /// Returns the topic for questions of a pack that have none: the pack's name, at most four words of it.
    public static func topic(ofPack id: String) -> String {
        id.split(separator: "-").prefix(QuestionRule.longestTopic).joined(separator: " ")
    }

    /// Returns the question with all facts, and counts those that it lacked.
    mutating func complete(_ read: ReadQuestion, _ defaults: PackDefaults, pack: String) -> ReadQuestion {
        var read = read
        let topic = read.topic ?? defaults.topic?.lowercased() ?? read.title?.lowercased()
        if let topic, QuestionRule.isTopic(topic) {
            read.topic = topic
        } else {
            read.topic = defaults.topic?.lowercased() ?? Self.topic(ofPack: pack)
            topics += 1
        }
        if read.difficulty ?? defaults.difficulty == nil {
            read.difficulty = .medium
            difficulties += 1
        }
        if read.explanation?.isEmpty ?? true, defaults.explanation == nil {
            read.explanation = "The right answer is \"\(read.key.words)\". No reason was given with the question."
            explanations += 1
        }
        // A name without letters of this alphabet, or with very many, cannot be an id.
        if let id = read.id, (id.questionID?.count ?? .max) > QuestionRule.longestID { read.id = nil }
        return read
    }
}
