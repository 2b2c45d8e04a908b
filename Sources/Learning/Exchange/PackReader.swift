import Papers
import SystemSupport

/// Reads an Oracy pack and reports the mistakes of each question.
struct PackReader {
    static let contract = ImportContract(
        understood: [
            "id", "topic", "difficulty", "bloom", "prompt", "multipleChoice", "multipleResponse", "ordering",
            "matching", "fillInTheBlank", "calculation", "spoken", "explanation", "writtenBy", "item", "speech",
        ], harmless: ["$schema": "names the rules of the format"], refused: [:])

    /// The pack without its questions.
    private(set) var pack: QuestionPack?
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
        let places = JSONPlaces(bytes)
        // Reads each question separately, as the only question of this pack. Reading the list as a whole would stop at
        // the first mistake.
        guard let list = places["questions"]?.bytes, bytes[list.lowerBound] == UInt8(ascii: "[") else {
            if case .failure(let mistake) = Self.pack(bytes, places, 0) { fileMistakes = [mistake] }
            return
        }
        let (head, tail) = (Array(bytes[..<list.lowerBound]), Array(bytes[list.upperBound...]))
        switch Self.pack(head + Array("[]".utf8) + tail, places, 0) {
        case .success(let own): pack = own
        case .failure(let mistake): fileMistakes = [mistake]
        }
        let alone = Array(
            "{\"version\": \(QuestionPack.layoutVersion), \"id\": \"\", \"title\": \"\", \"questions\": [".utf8)
        for number in 0... {
            guard let place = places["questions[\(number)]"] else { break }
            switch Self.pack(alone + bytes[place.bytes] + Array("]}".utf8), places, number) {
            case .success(let own): questions += own.questions.map { ReadQuestion($0, line: place.line) }
            case .failure(let mistake):
                unread.append(
                    UnreadQuestion(
                        line: place.line, original: places.text(of: "questions[\(number)]"), mistakes: [mistake]))
            }
        }
    }

    private static func pack(
        _ bytes: [UInt8], _ places: JSONPlaces, _ number: Int
    ) -> Result<QuestionPack, ImportMistake> {
        do throws(JSONMistake) {
            return .success(try QuestionPack.read(from: bytes))
        } catch {
            let field = (error.field ?? "questions[0]").replacing(
                "questions[0]", with: "questions[\(number)]", maxReplacements: 1)
            return .failure(
                ImportMistake(
                    line: places.line(of: field), column: error.field == nil ? "file" : field, .json, error.reason))
        }
    }
}

extension ImportMistake {
    /// Creates the mistake that makes a text unreadable as JSON. Nil if the text is readable.
    init?(ofJSON bytes: [UInt8]) {
        if let place = JSONSyntax.place(ofMistakeIn: bytes) {
            self.init(
                line: place.line, column: "file", .json, "is not JSON at line \(place.line), column \(place.column)")
        } else if JSONDepth.isTooDeep(bytes) {
            self.init(line: 1, column: "file", .json, "is nested too deeply")
        } else {
            return nil
        }
    }
}
