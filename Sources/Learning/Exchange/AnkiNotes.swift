import ExamCore
import Papers

/// A pack as notes for Anki: a text file to import. Notes carry the questions' ids, so importing a pack again updates
/// its notes and adds no duplicates.
///
/// See "Text files" in Anki's manual: <https://docs.ankiweb.net/importing/text-files.html>.
public enum AnkiNotes {
    /// Returns whether a note can hold a question. Spoken questions do not fit, because a note needs a written
    /// answer.
    public static func holds(_ question: PracticeQuestion) -> Bool {
        if case .spoken = question.key { false } else { true }
    }

    /// Returns the text file, without the questions that notes cannot hold.
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
        // Contains no quotation marks: Anki would read them as quoting a table cell.
        func list(_ texts: [String], _ type: Character) -> String {
            texts.isEmpty ? "" : "<ol type=\(type)>" + texts.map { "<li>\(escaped($0))</li>" }.joined() + "</ol>"
        }
        return escaped(question.prompt) + list(question.asked.premises, "1") + list(question.asked.options, "A")
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

    /// Returns the text as HTML on one line.
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
    /// The right answer in words for people.
    fileprivate var rightAnswer: String {
        switch key {
        case .multipleChoice(let key):
            guard key.options.indices.contains(key.correct) else { return "" }
            return "\(Character(Unicode.Scalar(UInt8(65 + key.correct)))). \(key.options[key.correct])"
        case .fillInTheBlank(let key): return key.accepted.joined(separator: " / ")
        case .calculation(let key):
            let unit = key.units?.first.map { " \($0)" } ?? ""
            return key.value.plain + unit + (key.tolerance.map { $0 > 0 ? " (± \($0.plain))" : "" } ?? "")
        case .multipleResponse, .ordering, .matching: return key.words
        case .spoken: return ""
        }
    }
}
