import Glibc
public import Learning
public import SessionFolders
import Study
public import SystemSupport

/// The sentences of an exam that come back in drills. `mended.json` is a pack of questions in the session's folder, so
/// it is erased with the exam's recordings.
extension SessionFolder {
    private var mended: String { path + "/mended.json" }

    /// Adds questions to the stored ones.
    ///
    /// - Returns: The number of questions that are new.
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(mended questions: [PracticeQuestion]) throws(Problem) -> Int {
        let before = try mendedQuestions()
        let known = Set(before.map(\.id))
        let new = questions.filter { !known.contains($0.id) }
        guard !new.isEmpty else { return 0 }
        let pack = QuestionPack(id: MendedSentences.pack, title: MendedSentences.title, questions: before + new)
        try PrivateFile.replace(mended, with: JSONFile.encode(pack))
        return new.count
    }

    /// The questions that were stored. Empty if none were.
    ///
    /// - Throws: `Problem.malformed`.
    func mendedQuestions() throws(Problem) -> [PracticeQuestion] {
        guard access(mended, F_OK) == 0 else { return [] }
        return try QuestionPack.read(from: PrivateFile.read(mended), name: mended).questions
    }
}

extension SessionShelf {
    /// The sentences of all exams that come back in drills. Nil without such sentences.
    ///
    /// - Throws: `Problem.malformed`.
    public func mendedSentences() throws(Problem) -> QuestionPack? {
        var (questions, known) = ([PracticeQuestion](), Set<String>())
        for folder in folders() {
            // The same sentence may be said in two exams.
            questions += try folder.mendedQuestions().filter { known.insert($0.id).inserted }
        }
        guard !questions.isEmpty else { return nil }
        return QuestionPack(id: MendedSentences.pack, title: MendedSentences.title, questions: questions)
    }
}
