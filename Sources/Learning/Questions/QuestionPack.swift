public import SystemSupport

/// Questions with keys, as a file holds them.
public struct QuestionPack: Codable, Equatable, Sendable, Identifiable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public var version: Int
    /// Letters, digits and `-`.
    public var id: String
    public var title: String
    public var questions: [PracticeQuestion]
    /// The highest number that an import ever gave to one of its questions (`PACK-7`). It is not given to another
    /// question. Nil if no question had one.
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
    /// - Throws: `Problem.malformed` with the line or field. A pack is malformed, too, if two questions have the same
    ///   id or a key is invalid.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> QuestionPack {
        do {
            return try read(from: bytes)
        } catch {
            throw Problem(error, in: name)
        }
    }

    /// Reads a pack like the other `read`, for a caller that needs the field of an error.
    static func read(from bytes: [UInt8]) throws(JSONMistake) -> QuestionPack {
        let pack = try JSONFile.decode(QuestionPack.self, "pack of questions", version: layoutVersion, from: bytes)
        var ids: Set<String> = []
        for (number, question) in pack.questions.enumerated() {
            guard ids.insert(question.id).inserted else {
                throw JSONMistake(
                    "\"\(question.id)\" is already the id of another question", at: "questions[\(number)].id")
            }
            if let fault = question.keyFault {
                throw JSONMistake(fault.what, at: "questions[\(number)].\(fault.field)")
            }
        }
        return pack
    }

    /// The built-in packs.
    public static let builtIn: [QuestionPack] = [
        // Tests read each file strictly.
        PackageResources.spoken_english_json
    ].compactMap {
        try? JSONFile.decodeOwn(QuestionPack.self, "pack of questions", version: layoutVersion, from: $0, name: "pack")
    }
}

extension PracticeQuestion {
    /// The reason why the question cannot be answered correctly. Nil if it can.
    var keyFault: (field: String, what: String)? {
        switch key {
        case .multipleChoice(let key):
            if !(2...9).contains(key.options.count) { return ("multipleChoice.options", "should be 2 to 9 options") }
            return key.options.indices.contains(key.correct)
                ? nil : ("multipleChoice.correct", "should be 0 to \(key.options.count - 1), not \(key.correct)")
        case .fillInTheBlank(let key):
            return key.accepted.isEmpty ? ("fillInTheBlank.accepted", "is empty") : nil
        case .calculation(let key): return key.value.isFinite ? nil : ("calculation.value", "is not a number")
        case .spoken(let key): return key.speech > 0 ? nil : ("spoken.speech", "should be more than 0 seconds")
        }
    }
}
