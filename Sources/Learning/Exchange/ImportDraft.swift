public import ExamCore
public import Papers
public import SystemSupport

/// A question that an import did not take, kept as a file of its own until its owner mends or drops it.
public struct ImportDraft: Codable, Equatable, Sendable, Identifiable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public var version: Int
    /// The name of the draft: `rivers-draft-3`.
    public var id: String
    /// The id of the pack that the question belongs to.
    public var pack: String
    /// The imported file and the line of the question.
    public var source: String
    /// The parts that were left out or are wrong, and what to do about it.
    public var problems: [String]
    /// The question as the file had it. Nil if the fields say the same.
    public var original: String?
    public var question: Parts

    /// The fields of a pack's question. Any of them may be missing.
    public struct Parts: Codable, Equatable, Sendable {
        public var id: String?
        public var topic: String?
        public var difficulty: Paper.Difficulty?
        public var bloom: Bloom?
        public var prompt: String?
        public var multipleChoice: AnswerKey.MultipleChoice?
        public var multipleResponse: AnswerKey.MultipleResponse?
        public var ordering: AnswerKey.Ordering?
        public var matching: AnswerKey.Matching?
        public var fillInTheBlank: AnswerKey.FillInTheBlank?
        public var calculation: AnswerKey.Calculation?
        public var spoken: AnswerKey.Spoken?
        public var explanation: String?
        public var writtenBy: String?
        public var item: String?
        public var speech: String?

        init(_ read: ReadQuestion?) {
            guard let read else { return }
            (id, topic, difficulty, bloom) = (
                read.id, read.topic ?? read.title?.lowercased(), read.difficulty, read.bloom
            )
            (prompt, explanation, writtenBy) = (
                read.prompt.isEmpty ? nil : read.prompt, read.explanation, read.writtenBy
            )
            (item, speech) = (read.item, read.speech)
            switch read.key {
            case .multipleChoice(let key): multipleChoice = key.options.isEmpty ? nil : key
            case .multipleResponse(let key): multipleResponse = key
            case .ordering(let key): ordering = key
            case .matching(let key): matching = key
            case .fillInTheBlank(let key): fillInTheBlank = key.accepted.isEmpty ? nil : key
            // JSON cannot hold a number that was not read.
            case .calculation(let key): calculation = key.value.isFinite ? key : nil
            case .spoken(let key): spoken = key.speech.isFinite ? key : nil
            }
        }

        fileprivate static let keyNames = [
            "multipleChoice", "multipleResponse", "ordering", "matching", "fillInTheBlank", "calculation", "spoken",
        ]

        /// The keys that are filled.
        fileprivate var keys: [AnswerKey] {
            [
                multipleChoice.map(AnswerKey.multipleChoice), multipleResponse.map(AnswerKey.multipleResponse),
                ordering.map(AnswerKey.ordering), matching.map(AnswerKey.matching),
                fillInTheBlank.map(AnswerKey.fillInTheBlank), calculation.map(AnswerKey.calculation),
                spoken.map(AnswerKey.spoken),
            ].compactMap(\.self)
        }
    }

    init(_ unread: UnreadQuestion, number: Int, pack: String, file: String) {
        (version, id, self.pack) = (Self.layoutVersion, "\(pack)-draft-\(number)", pack)
        source = "\(file):\(unread.line)"
        problems = unread.mistakes.map { $0.sentence(in: file) }
        (original, question) = (unread.original, Parts(unread.read))
    }

    /// Reads a draft from its file.
    ///
    /// - Throws: `Problem.malformed` with the field.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> ImportDraft {
        try JSONFile.decode(ImportDraft.self, "draft of a question", version: layoutVersion, from: bytes, name: name)
    }

    /// Returns the question, mended and complete, with an id that neither the pack nor the others have.
    ///
    /// - Parameters:
    ///   - pack: the pack that takes it. Nil if there is none yet.
    ///   - others: the questions of all other packs.
    /// - Throws: what is still missing or wrong.
    public func mended(into pack: QuestionPack?, others: [PracticeQuestion]) throws(PackMistakes) -> PackImport {
        let keys = question.keys
        guard let key = keys.first, keys.count == 1, let prompt = question.prompt else {
            let mistake = ImportMistake(
                line: 1, "question", question.prompt ?? "", .missing,
                question.prompt == nil
                    ? "write its prompt" : "give it one key: \(Parts.keyNames.spoken)")
            throw PackMistakes(mistakes: [.init(file: id, mistake: mistake)])
        }
        var read = ReadQuestion(
            line: 1, id: question.id, topic: question.topic, difficulty: question.difficulty, bloom: question.bloom,
            prompt: prompt, key: key, explanation: question.explanation, writtenBy: question.writtenBy)
        (read.item, read.speech) = (question.item, question.speech)
        let known = others + (pack?.questions ?? [])
        let new = try PackImport(
            [QuestionFile([read], name: id)], id: self.pack,
            previous: pack.map { own in
                // The pack is passed without its questions, because the draft replaces none of them.
                QuestionPack(id: own.id, title: own.title, questions: [], highestNumber: own.highestNumber)
            }, others: known, rigour: .lenient)
        guard new.drafts.isEmpty else { throw PackMistakes(mistakes: new.draftMistakes) }
        return new
    }
}
