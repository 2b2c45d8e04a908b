public import Learning
public import SystemSupport

/// The file, a pack of questions, in which a shelf keeps the mended sentences of an exam. It is stored with the exam,
/// so it is erased with the exam.
public enum MendedFile {
    /// The file's name among those of the exam.
    public static let name = "mended.json"
    /// The most sentences of an exam.
    static let most = 200

    /// Reads the sentences.
    ///
    /// - Parameter name: The file's name in errors.
    /// - Throws: `Problem.malformed`.
    public static func questions(in bytes: [UInt8], name: String) throws(Problem) -> [PracticeQuestion] {
        try QuestionPack.read(from: bytes, name: name).questions
    }

    /// Adds sentences to those of an exam.
    ///
    /// - Returns: The new contents of the file, and the number of sentences that were added. Nil if none is new.
    public static func adding(
        _ questions: [PracticeQuestion], to before: [PracticeQuestion]
    ) -> (bytes: [UInt8], added: Int)? {
        let known = Set(before.map(\.id))
        let new = questions.filter { !known.contains($0.id) }.prefix(max(0, most - before.count))
        guard !new.isEmpty else { return nil }
        return (JSONFile.encode(pack(before + new)), new.count)
    }

    /// Joins the sentences of several exams. The same sentence may be said in two exams.
    ///
    /// - Returns: Nil without sentences.
    public static func joined(_ exams: [[PracticeQuestion]]) -> QuestionPack? {
        var known: Set<String> = []
        let questions = exams.joined().filter { known.insert($0.id).inserted }
        return questions.isEmpty ? nil : pack(questions)
    }

    private static func pack(_ questions: [PracticeQuestion]) -> QuestionPack {
        QuestionPack(id: MendedSentences.pack, title: MendedSentences.title, questions: questions)
    }
}
