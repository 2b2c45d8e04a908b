public import Assessment
public import ExamCore
public import Learning
public import Reports
public import SystemSupport

/// The place where a learner's exams, practice and plans are kept: their own files, or a server's rows.
///
/// A shelf only fetches and stores values. This module decides which results the terminal, the page and a report show.
/// Any task may call a shelf.
///
/// Its errors are `Problem`s:
/// - `malformed`: something stored cannot be read, or a newer version wrote it.
/// - `missing`: a recording that has to be measured is gone.
/// - `unavailable`: the store cannot be reached now. The same call may succeed later.
/// - `unwritable`: a measurement or a line was not stored. Everything stored before is intact.
/// - `occupied`: another program of the learner has the practice log open.
/// - `denied`: the store refuses the call.
public protocol LearnerShelf: Sendable {
    /// Returns the learner's exams without spoken drills, the newest first.
    ///
    /// - Parameters:
    ///   - limit: The most exams to return.
    ///   - place: Only exams that began before this one. Nil for the newest.
    func exams(limit: Int, before place: ExamEntry?) async throws(Problem) -> [ExamEntry]

    /// Returns everything that is kept of an exam, except its sound. Nil if the learner has no such exam. The shelf
    /// first measures recordings that were not measured yet, if it can do so at once.
    func exam(_ id: ExamEntry.ID) async throws(Problem) -> ExamEvidence?

    /// Returns only the measurements of an exam, to compare other exams with. Nil if the exam is not over, or has no
    /// measurements.
    func assessment(of id: ExamEntry.ID) async throws(Problem) -> ExamAssessment?

    /// Returns the figures that this shelf keeps of an exam. Nil if it keeps none, or if something of which they were
    /// made has changed since.
    func keptFigures(of id: ExamEntry.ID) async -> ExamFigures?

    /// Keeps the figures of an exam, if this shelf keeps any and the exam has not changed since its evidence was read.
    func keep(_ figures: ExamFigures, of evidence: ExamEvidence) async

    /// Returns the recording of an answer in a form that browsers play. Nil if it is gone or cannot be decoded.
    func recording(of answer: String, in exam: ExamEntry.ID) async throws(Problem) -> ReportedSound?

    /// Returns the loudest sample of each 50 ms of a prompt of an exam, 0 to 1. Empty if its sound is gone.
    func peaks(of prompt: [Clip], in exam: ExamEntry.ID) async throws(Problem) -> [Double]

    // MARK: - Practice

    /// Returns the material that the learner can practise.
    ///
    /// - Parameter mended: The pack that `mendedSentences` returned.
    func practiceContent(with mended: QuestionPack?) throws(Problem) -> PracticeContent

    /// Returns the mended sentences of all the learner's exams. Nil without such sentences.
    func mendedSentences() async throws(Problem) -> QuestionPack?

    /// Adds mended sentences to those of an exam. They are erased with it.
    ///
    /// - Returns: The number of sentences that are new. 0 if the learner has no such exam.
    func keep(mended questions: [PracticeQuestion], of exam: ExamEntry.ID) async throws(Problem) -> Int

    /// Returns the practice log after a place: all lines, or as many as one reading takes. Nil if the log no longer has
    /// the line at that place, because it was erased.
    func practice(after place: PracticePlace) async throws(Problem) -> PracticeStretch?

    /// Appends lines to the practice log, all or none. They survive a kill of the process once this returns.
    ///
    /// - Returns: False if the log has newer lines, or was erased. Read it and try again.
    func append(_ lines: [PracticeLine], after place: PracticePlace) async throws(Problem) -> Bool

    /// Returns the newest lines of the practice log, in order.
    ///
    /// - Parameter limit: The most lines to return.
    func newestPractice(limit: Int) async throws(Problem) -> [PracticeLine]

    /// Returns the ids of the tests that were made but not handed in.
    func openTests() async throws(Problem) -> [String]

    /// Changes a test. Changes by other programs come before or after it.
    ///
    /// - Parameter change: Changes the test. May run more than once. If it throws, the test stays as it is.
    /// - Returns: The changed test. Nil if the learner has no such test.
    /// - Throws: The errors of `change`, and `Problem`.
    func change(
        test id: PracticeTest.ID, _ change: @escaping @Sendable (inout PracticeTest) throws -> Void
    ) async throws -> PracticeTest?

    // MARK: - Plans

    /// Returns the learner's profile and plans. Nil if the learner has no profile.
    func planBook() async throws(Problem) -> KeptPlanBook?

    /// Stores the profile and plans in place of those that were read.
    ///
    /// - Parameter known: The document that was read. Nil if the learner had no profile.
    /// - Returns: False if the document has changed since. Read it and try again.
    func put(_ book: PlanBook, for known: KeptPlanBook?) async throws(Problem) -> Bool
}

/// A shelf that keeps no figures, because it reads exams fast enough.
extension LearnerShelf {
    public func keptFigures(of id: ExamEntry.ID) async -> ExamFigures? { nil }

    public func keep(_ figures: ExamFigures, of evidence: ExamEvidence) async {}
}

/// A learner's profile and plans as a shelf keeps them.
public struct KeptPlanBook: Sendable {
    /// The profile and plans.
    public let book: PlanBook
    /// The stored text. Another text on the shelf means that another program has changed the document.
    public let text: String

    /// Reads a document.
    ///
    /// - Parameter name: The document's name in errors.
    /// - Throws: `Problem.malformed` with the field.
    public init(_ text: String, name: String) throws(Problem) {
        book = try PlanBook.read(from: Array(text.utf8), name: name)
        self.text = text
    }
}
