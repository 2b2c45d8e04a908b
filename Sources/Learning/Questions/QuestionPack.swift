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
        /// Returns the fault of options of which none may be there twice, because each has its own place in the key.
        func fault(_ kind: String, _ options: [String]) -> (field: String, what: String)? {
            if !(2...9).contains(options.count) { return ("\(kind).options", "should be 2 to 9 options") }
            return Set(options).count == options.count ? nil : ("\(kind).options", "has an option twice")
        }
        switch key {
        case .multipleChoice(let key):
            if !(2...9).contains(key.options.count) { return ("multipleChoice.options", "should be 2 to 9 options") }
            return key.options.indices.contains(key.correct)
                ? nil : ("multipleChoice.correct", "should be 0 to \(key.options.count - 1), not \(key.correct)")
        case .multipleResponse(let key):
            return fault("multipleResponse", key.options)
                ?? (Set(key.correct).count == key.correct.count && !key.correct.isEmpty
                    && key.correct.allSatisfy(key.options.indices.contains)
                    ? nil
                    : ("multipleResponse.correct", "should be indices from 0 to \(key.options.count - 1), each once"))
        case .ordering(let key):
            return fault("ordering", key.options)
                ?? (key.correct.sorted() == Array(key.options.indices)
                    ? nil : ("ordering.correct", "should be each index from 0 to \(key.options.count - 1) once"))
        case .matching(let key):
            if !(2...9).contains(key.premises.count) { return ("matching.premises", "should be 2 to 9 texts") }
            return fault("matching", key.options)
                ?? (key.correct.count == key.premises.count && key.correct.allSatisfy(key.options.indices.contains)
                    ? nil
                    : ("matching.correct", "should be an index from 0 to \(key.options.count - 1) for each premise"))
        case .fillInTheBlank(let key):
            return key.accepted.isEmpty ? ("fillInTheBlank.accepted", "is empty") : nil
        case .calculation(let key): return key.value.isFinite ? nil : ("calculation.value", "is not a number")
        case .spoken(let key): return key.speech > 0 ? nil : ("spoken.speech", "should be more than 0 seconds")
        }
    }
}
