import ExamCore
import Papers

/// A pack as notes of Anki: a text file that its import reads, with our ids, so that what is imported again is mended and not doubled.
///
/// See "Text files" in Anki's manual: <https://docs.ankiweb.net/importing/text-files.html>.
public enum AnkiNotes {
    /// Whether a note can hold a question: nobody speaks to a card.
    public static func holds(_ question: PracticeQuestion) -> Bool {
        if case .spoken = question.key { false } else { true }
    }

    /// Without what it cannot hold.
    public static func text(of pack: QuestionPack) -> String {
        let head = """
            #separator:tab
            #html:true
            #notetype:Basic
            #columns:guid\tFront\tBack\tTags
            #guid column:1
            #tags column:4

            """
        return head
            + pack.questions.filter(holds).map { question in
                [escaped(question.id), front(question), back(question), tags(question)].joined(separator: "\t") + "\n"
            }.joined()
    }

    private static func front(_ question: PracticeQuestion) -> String {
        guard case .multipleChoice(let key) = question.key else { return escaped(question.prompt) }
        // Without quotation marks: to Anki they would be a table's.
        let options = key.options.map { "<li>\(escaped($0))</li>" }.joined()
        return "\(escaped(question.prompt))<ol type=A>\(options)</ol>"
    }

    private static func back(_ question: PracticeQuestion) -> String {
        "<b>\(escaped(question.rightAnswer))</b><br>\(escaped(question.explanation))"
    }

    private static func tags(_ question: PracticeQuestion) -> String {
        let tags =
            [question.topic, "difficulty::\(question.difficulty.rawValue.lowercased())"]
            + (question.bloom.map { ["bloom::\($0.rawValue)"] } ?? [])
        return tags.map { escaped($0.split(whereSeparator: \.isWhitespace).joined(separator: "_")) }
            .joined(separator: " ")
    }

    /// As HTML, on one line.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\r": escaped += "<br>"
            case "\t": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension PracticeQuestion {
    /// What is right, for people.
    fileprivate var rightAnswer: String {
        switch key {
        case .multipleChoice(let key):
            guard key.options.indices.contains(key.correct) else { return "" }
            return "\(Character(Unicode.Scalar(UInt8(65 + key.correct)))). \(key.options[key.correct])"
        case .fillInTheBlank(let key): return key.accepted.joined(separator: " / ")
        case .calculation(let key):
            let unit = key.units?.first.map { " \($0)" } ?? ""
            return key.value.plain + unit + (key.tolerance.map { $0 > 0 ? " (± \($0.plain))" : "" } ?? "")
        case .spoken: return ""
        }
    }
}
