import ExamCore
import Papers

/// Writes a pack in Moodle's GIFT format.
///
/// Ids, difficulties and levels become comments as Moodle writes and reads them (`[id:…]`, `[tag:…]`), so that they
/// survive a round trip.
public enum GIFTText {
    /// Returns whether GIFT can hold a question. Spoken questions and orders do not fit, nor do typed answers and pairs
    /// with another `->`.
    public static func holds(_ question: PracticeQuestion) -> Bool {
        switch question.key {
        case .multipleChoice, .multipleResponse, .calculation: true
        case .matching(let key): !(key.premises + key.options).contains { $0.contains("->") }
        case .fillInTheBlank(let key): !key.accepted.contains { $0.contains("->") }
        case .ordering, .spoken: false
        }
    }

    /// Returns the GIFT text, without the questions that GIFT cannot hold.
    public static func text(of pack: QuestionPack) -> String {
        var text = "// \(oneLine(pack.title))\n"
        var topic: String?
        for question in pack.questions where holds(question) {
            if question.topic != topic {
                topic = question.topic
                text += "\n$CATEGORY: \(CategoryPath.path([pack.id, question.topic]))\n"
            }
            text += "\n" + self.text(of: question)
        }
        return text
    }

    private static func text(of question: PracticeQuestion) -> String {
        let comments = ["id:\(question.id)"] + question.tags(withUnits: true).map { "tag:\($0)" }
        let name = "::\(escaped(question.id))::[plain]\(escaped(question.prompt))"
        return """
            // \(comments.map { "[\(protected($0))]" }.joined(separator: " "))
            \(name)\(answers(of: question.key))
            \t####\(marked(question.explanation))
            }

            """
    }

    private static func answers(of key: AnswerKey) -> String {
        switch key {
        case .multipleChoice(let key):
            "{" + key.options.enumerated().map { "\n\t\($0 == key.correct ? "=" : "~")\(marked($1))" }.joined()
        case .multipleResponse(let key):
            "{"
                + key.options.enumerated().map {
                    "\n\t~%\(MoodlePoints.percent(of: $0, key).plain)%\(marked($1))"
                }.joined()
        case .matching(let key):
            "{" + zip(key.premises, key.correct).map { "\n\t=\(marked($0)) -> \(marked(key.options[$1]))" }.joined()
                + key.others.map { "\n\t= -> \(marked($0))" }.joined()
        case .fillInTheBlank(let key):
            // In GIFT, a star is a wildcard unless it has a backslash.
            "{" + key.accepted.map { "\n\t=\(marked($0.replacing("*", with: "\\*")))" }.joined()
        case .calculation(let key): "{#\(key.value.plain)" + (key.tolerance.map { ":\($0.plain)" } ?? "")
        case .ordering, .spoken: "{"
        }
    }

    /// Adds `[plain]` if the text would otherwise seem to begin with a format or a weight.
    private static func marked(_ text: String) -> String {
        (text.first == "[" || text.first == "%" ? "[plain]" : "") + escaped(text)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\", "#", "=", "~", "{", "}", ":": escaped += ["\\", scalar]
            case "\n", "\r": escaped += ["\\", "n"]
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    private static func protected(_ comment: String) -> String {
        oneLine(comment).replacing("\\", with: "\\\\").replacing("]", with: "\\]")
    }

    private static func oneLine(_ text: String) -> String { text.importLines.joined(separator: " ") }
}
