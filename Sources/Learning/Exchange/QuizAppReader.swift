import ExamCore
import Papers
import SystemSupport

/// Reads multiple-choice questions as quiz apps store them: a list of
///
/// ```json
/// {"question": "…", "options": ["…", "…", "…", "…"], "answerIndex": 2, "explanation": "…"}
/// ```
///
/// or an object with that list as `questions`. A user's own answers (`isAnswered`, `isCorrect`) are ignored, and any
/// other field is refused.
struct QuizAppReader {
    static let contract = ImportContract(
        understood: ["question", "options", "answerIndex", "explanation", "id", "topic", "difficulty"],
        harmless: [
            "isAnswered": "another learner's answer", "isCorrect": "another learner's answer",
            "selectedIndex": "another learner's answer",
        ],
        refused: [
            "image": "pictures are not supported: describe the picture in words",
            "audio": "sounds are not supported: write what is said",
            "answers": "several right options are not supported: leave one, as answerIndex",
        ])

    private(set) var questions: [ReadQuestion] = []
    private(set) var unread: [UnreadQuestion] = []
    /// The mistakes that concern no single question.
    private(set) var fileMistakes: [ImportMistake] = []

    var mistakes: [ImportMistake] { unread.mistakes(and: fileMistakes) }

    init(_ bytes: [UInt8]) {
        if let mistake = ImportMistake(ofJSON: bytes) {
            fileMistakes = [mistake]
            return
        }
        guard let value = try? JSONFile.decodeLine(JSONValue.self, from: bytes) else {
            fileMistakes = [ImportMistake(line: 1, column: "file", .json, "has a number that is too large")]
            return
        }
        let places = JSONPlaces(bytes)
        var (list, path) = (value, "")
        if case .object(let fields) = value {
            path = "questions"
            list = fields[path] ?? .null
            for field in fields.keys.sorted() where field != path {
                fileMistakes.append(
                    ImportMistake(
                        line: places.line(of: field), field, "", .unknownField, "remove it; only questions is supported"
                    ))
            }
        }
        guard case .list(let elements) = list else {
            fileMistakes.append(
                ImportMistake(line: places.line(of: path), "file", "", .wrongKind, "should be a list of questions"))
            return
        }
        for (number, element) in elements.enumerated() {
            let path = "\(path)[\(number)]"
            guard case .object(let own) = element else {
                let mistake = ImportMistake(
                    line: places.line(of: path), path, "", .wrongKind, "should be an object { … }")
                unread.append(
                    UnreadQuestion(line: mistake.line, original: places.text(of: path), mistakes: [mistake]))
                continue
            }
            var fields = QuizAppFields(own, path, places)
            let question = fields.question()
            if fields.mistakes.isEmpty {
                questions.append(question)
            } else {
                unread.append(
                    UnreadQuestion(
                        line: question.line, read: question, original: places.text(of: path),
                        mistakes: fields.mistakes))
            }
        }
    }
}

/// The fields of one question.
private struct QuizAppFields {
    private let fields: [String: JSONValue]
    private let path: String
    private let places: JSONPlaces
    private(set) var mistakes: [ImportMistake] = []

    init(_ fields: [String: JSONValue], _ path: String, _ places: JSONPlaces) {
        (self.fields, self.path, self.places) = (fields, path, places)
        for field in fields.keys.sorted() {
            if let remedy = QuizAppReader.contract.remedy(field) { complain(field, .unknownField, remedy) }
        }
    }

    mutating func question() -> ReadQuestion {
        ReadQuestion(
            line: places.line(of: path), id: text("id", "an id"), topic: text("topic", "the topic")?.lowercased(),
            difficulty: difficulty(), prompt: needed("question", text("question", "the question")) ?? "",
            key: .multipleChoice(.init(options: options(), correct: answer())),
            explanation: text("explanation", "the explanation"))
    }

    private func value(_ field: String) -> JSONValue? { fields[field].flatMap { $0 == .null ? nil : $0 } }

    /// Returns a field's text. Nil if it is absent or empty.
    private mutating func text(_ field: String, _ what: String) -> String? {
        switch value(field) {
        case .text(let text): return text.onOneLine.isEmpty ? nil : text
        case .number(let number) where field == "id": return Int(exactly: number).map(String.init) ?? "\(number)"
        case nil: return nil
        default:
            complain(field, .wrongKind, "should be \(what), as text")
            return nil
        }
    }

    private mutating func needed<Value>(_ field: String, _ value: Value?) -> Value? {
        if value == nil, !mistakes.contains(where: { $0.column == "\(path).\(field)" }) {
            complain(field, .missing, "is missing")
        }
        return value
    }

    private mutating func options() -> [String] {
        guard let value = needed("options", value("options")) else { return [] }
        guard case .list(let values) = value, values.allSatisfy({ if case .text = $0 { true } else { false } }) else {
            complain("options", .wrongKind, "should be a list of texts")
            return []
        }
        return values.compactMap { value in if case .text(let text) = value { text } else { nil } }
    }

    private mutating func answer() -> Int {
        guard let value = needed("answerIndex", value("answerIndex")) else { return Self.unknown }
        if case .number(let number) = value, let place = Int(exactly: number) { return place }
        complain("answerIndex", .wrongKind, "should be a whole number: 0 for the first option")
        return Self.unknown
    }

    /// No option. A draft with this key has to be mended before it can be asked.
    private static let unknown = -1

    private mutating func difficulty() -> Paper.Difficulty? {
        guard let word = text("difficulty", "the difficulty") else { return nil }
        if let difficulty = Paper.Difficulty(importWord: word) { return difficulty }
        complain("difficulty", .unknownDifficulty, word)
        return nil
    }

    private mutating func complain(_ field: String, _ code: ImportMistake.QuestionCode, _ what: String) {
        let field = "\(path).\(field)"
        mistakes.append(ImportMistake(line: places.line(of: field), field, "", code, what))
    }

    private mutating func complain(_ field: String, _ code: ImportMistake.Code, _ value: String) {
        let field = "\(path).\(field)"
        mistakes.append(
            ImportMistake(line: places.line(of: field), column: field, value: value, code, Paper.Difficulty.importWish))
    }
}

/// A JSON value of unknown type.
enum JSONValue: Decodable, Equatable {
    case object([String: JSONValue])
    case list([JSONValue])
    case text(String)
    case number(Double)
    case truth(Bool)
    case null

    init(from decoder: any Decoder) throws {
        // Tries the frequent types first, because each failed attempt costs a thrown error.
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let list = try? [JSONValue](from: decoder) {
            self = .list(list)
        } else {
            self = .object(try [String: JSONValue](from: decoder))
        }
    }
}

extension Paper.Difficulty {
    /// Creates a difficulty from a word, regardless of case.
    init?(importWord word: String) {
        guard let own = Self.allCases.first(where: { $0.rawValue.lowercased() == word.lowercased() }) else {
            return nil
        }
        self = own
    }

    static var importWish: String { "use \(allCases.map(\.rawValue).spoken)" }
}
