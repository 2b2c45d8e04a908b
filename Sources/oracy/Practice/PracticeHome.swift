import ExamCore
import Learning
import SessionFolders
import StudyFolders
import SystemSupport

/// The place of a learner's practice, and the questions to practise.
///
/// ```
/// practice.log        the events, one per line
/// packs/ID.json       the user's own packs
/// ```
struct PracticeHome {
    static var logFile: String { UserFolders.data + "/practice.log" }

    let catalogue: PracticeCatalogue

    /// - Parameter hears: Whether to include listening questions.
    /// - Throws: `Problem.malformed` if an own pack cannot be read.
    init(hears: Bool = true) throws(Problem) {
        catalogue = PracticeCatalogue(packs: try Self.packs(), lessons: LessonCategory.builtIn, hears: hears)
    }

    /// The packs that come with Oracy, the user's own, and the sentences of exams that come back.
    ///
    /// - Throws: `Problem.malformed` with the file and its error.
    static func packs() throws(Problem) -> [QuestionPack] {
        let mended = try SessionShelf().mendedSentences().map { [$0] } ?? []
        return QuestionPack.builtIn + (try OwnPacks().packs()) + mended
    }

    func history() throws(Problem) -> PracticeHistory { try PracticeLog.history(of: Self.logFile) }

    func log() throws(Problem) -> PracticeLog { try Self.openLog() }

    static func openLog() throws(Problem) -> PracticeLog { try PracticeLog(path: logFile) }

    /// - Throws: `Problem.missing` if a wish names an unknown pack or topic.
    func check(_ wish: PracticeWish) throws(Problem) {
        for id in wish.packs where catalogue.pack(id) == nil {
            throw Problem(.missing, "\(id): there is no such pack or lesson; `oracy practice packs` lists them")
        }
        let topics = Set(catalogue.packs.flatMap(\.items).map { $0.topic.lowercased() })
        for topic in wish.topics where !topics.contains(topic) {
            let meant = topics.sorted().nearest(to: topic).map { "did you mean \($0)? Topics" } ?? "topics"
            throw Problem(
                .missing, "\(topic): there are no questions on that; \(meant) are \(topics.sorted().spoken)")
        }
    }
}
