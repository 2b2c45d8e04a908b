public import SystemSupport

/// Questions with keys, as a file holds them.
public struct QuestionPack: Codable, Equatable, Sendable, Identifiable {
    /// The version of this file's own layout; a reader refuses any other.
    public static let layoutVersion = 1

    public var version: Int
    /// Letters, digits and `-`.
    public var id: String
    public var title: String
    public var questions: [PracticeQuestion]
    /// The highest number that an import ever gave to a question of it (`PACK-7`): no other question gets it again. Nil where none had one.
    public var highestNumber: Int?

    public init(id: String, title: String, questions: [PracticeQuestion], highestNumber: Int? = nil) {
        version = Self.layoutVersion
        self.id = id
        self.title = title
        self.questions = questions
        self.highestNumber = highestNumber
    }

    /// Reads a pack from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with line or field, also where two questions have one id or a key points at nothing.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> QuestionPack {
        let pack = try JSONFile.decode(
            QuestionPack.self, "pack of questions", version: layoutVersion, from: bytes, name: name)
        var ids: Set<String> = []
        for (number, question) in pack.questions.enumerated() {
            guard ids.insert(question.id).inserted else {
                throw Problem(
                    .malformed, "\(name): questions[\(number)].id: \"\(question.id)\" is another question's, too")
            }
            if let fault = question.keyFault {
                throw Problem(.malformed, "\(name): questions[\(number)].\(fault.field): \(fault.what)")
            }
        }
        return pack
    }

    /// What comes with Oracy.
    public static let builtIn: [QuestionPack] = [
        // Tests read each of them strictly.
        PackageResources.spoken_english_json
    ].compactMap {
        try? JSONFile.decodeOwn(QuestionPack.self, "pack of questions", version: layoutVersion, from: $0, name: "pack")
    }
}

extension PracticeQuestion {
    /// Why nobody could answer it rightly; nil where somebody can.
    var keyFault: (field: String, what: String)? {
        switch key {
        case .multipleChoice(let key):
            if !(2...9).contains(key.options.count) { return ("multipleChoice.options", "there are 2 to 9 of them") }
            return key.options.indices.contains(key.correct)
                ? nil : ("multipleChoice.correct", "is 0 to \(key.options.count - 1), not \(key.correct)")
        case .fillInTheBlank(let key):
            return key.accepted.isEmpty ? ("fillInTheBlank.accepted", "is empty") : nil
        case .calculation(let key): return key.value.isFinite ? nil : ("calculation.value", "is no number")
        case .spoken(let key): return key.speech > 0 ? nil : ("spoken.speech", "is more than 0 seconds")
        }
    }
}
