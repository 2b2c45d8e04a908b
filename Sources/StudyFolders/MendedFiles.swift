import Glibc
public import Learning
public import SessionFolders
import Study
public import SystemSupport

/// The sentences of an exam that come back in drills. `mended.json` is a pack of questions in the session's folder, so
/// it is erased with the exam's recordings.
extension SessionFolder {
    private var mended: String { path + "/" + MendedFile.name }

    /// Adds questions to the stored ones.
    ///
    /// - Returns: The number of questions that are new.
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    public func keep(mended questions: [PracticeQuestion]) throws(Problem) -> Int {
        guard let (bytes, added) = MendedFile.adding(questions, to: try mendedQuestions()) else { return 0 }
        try PrivateFile.replace(mended, with: bytes)
        return added
    }

    /// The questions that were stored. Empty if none were.
    ///
    /// - Throws: `Problem.malformed`.
    func mendedQuestions() throws(Problem) -> [PracticeQuestion] {
        guard access(mended, F_OK) == 0 else { return [] }
        return try MendedFile.questions(in: PrivateFile.read(mended), name: mended)
    }
}

extension SessionShelf {
    /// The sentences of all exams that come back in drills. Nil without such sentences.
    ///
    /// - Throws: `Problem.malformed`.
    public func mendedSentences() throws(Problem) -> QuestionPack? {
        var exams: [[PracticeQuestion]] = []
        for folder in folders() { exams.append(try folder.mendedQuestions()) }
        return MendedFile.joined(exams)
    }
}
