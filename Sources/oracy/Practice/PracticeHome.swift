import ExamKit
import Learning
import SystemSupport

/// Where a learner's practice lies, and what there is to practise.
///
/// ```
/// practice.log        what happened, line by line
/// packs/ID.json       packs of the user's own
/// ```
struct PracticeHome {
    static var logFile: String { UserFolders.data + "/practice.log" }

    let catalogue: PracticeCatalogue

    /// - Parameter hears: questions about what is heard are among it.
    /// - Throws: `Problem.malformed` where an own pack cannot be read.
    init(hears: Bool = true) throws(Problem) {
        catalogue = PracticeCatalogue(
            packs: QuestionPack.builtIn + (try OwnPacks().packs()), lessons: LessonCategory.builtIn, hears: hears)
    }

    func history() throws(Problem) -> PracticeHistory { try PracticeLog.history(of: Self.logFile) }

    func log() throws(Problem) -> PracticeLog { try PracticeLog(path: Self.logFile) }

    /// - Throws: `Problem.missing` where a wish names a pack that is not there, with those that are.
    func check(_ wish: PracticeWish) throws(Problem) {
        for id in wish.packs where catalogue.pack(id) == nil {
            throw Problem(.missing, "\(id): there is no such pack or lesson; `oracy practice packs` lists them")
        }
        let topics = Set(catalogue.packs.flatMap(\.items).map { $0.topic.lowercased() })
        for topic in wish.topics where !topics.contains(topic) {
            throw Problem(.missing, "\(topic): nothing is about that; there are \(topics.sorted().spoken)")
        }
    }
}
