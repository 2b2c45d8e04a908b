import Papers
import SystemSupport

/// Reads Moodle XML: a `<quiz>` with questions, and categories that give the questions after them a topic.
///
/// Every element and attribute is understood, harmless or refused by name: see `MoodleContract`. A question with a
/// refused part is not read. The other questions are.
struct MoodleReader {
    static let root = "quiz"

    private(set) var questions: [ReadQuestion] = []
    private(set) var unread: [UnreadQuestion] = []
    /// The mistakes that concern no single question.
    private(set) var mistakes: [ImportMistake] = []
    private var topic: String?

    init(_ quiz: XMLNode) {
        do throws(ImportMistake) { try MoodleContract.checkAttributes(quiz) } catch { mistakes.append(error) }
        for content in quiz.content {
            switch content {
            case .element(let node): read(node)
            case .text(let text):
                guard text.contains(where: { !$0.isWhitespace }) else { continue }
                mistakes.append(quiz.wrong(.notRead, "has text outside its questions: put it into one of them"))
            }
        }
    }

    private mutating func read(_ node: XMLNode) {
        guard node.name == "question" else {
            return mistakes.append(node.wrong(.notRead, "is not supported inside <quiz>"))
        }
        do throws(ImportMistake) {
            if node.attributes["type"] == "category" {
                topic = nil
                try MoodleContract.check(node, type: "category")
                topic = node.children("category").first.flatMap { CategoryPath.topic(of: $0.text) }
            } else {
                questions.append(try MoodleQuestion(node).read(topic: topic))
            }
        } catch {
            guard node.attributes["type"] != "category" else { return mistakes.append(error) }
            unread.append(UnreadQuestion(line: node.line, original: Self.original(node), mistakes: [error]))
        }
    }

    /// The question as the file has it, for its draft: its text, and each answer with its points in percent.
    private static func original(_ node: XMLNode) -> String {
        func words(_ node: XMLNode) -> String { node.children("text").map(\.text).joined(separator: " ") }
        let answers = node.children("answer").map { "\($0.attributes["fraction"] ?? "0") %: \(words($0))" }
        let lines = (node.children("questiontext").map(words) + answers).filter { !$0.isEmpty }
        return lines.isEmpty ? node.text : lines.joined(separator: "\n")
    }
}
