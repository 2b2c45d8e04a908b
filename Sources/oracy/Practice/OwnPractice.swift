import ExamCore
import Learning
import Study
import StudyFolders
import SystemSupport

/// The user's own practice.
extension Practising {
    /// Opens the practice of the user's own files, and names the packs that it leaves out.
    static var own: Practising {
        Practising(on: FolderShelf(leaveOut: { complain("\($0.sentence). This pack is left out.") }))
    }

    /// Returns the present state, and changes nothing.
    func state() async throws -> PracticeStep { try await take(at: .now) { $0 } }

    /// Stores events.
    func keep(_ events: [PracticeEvent]) async throws {
        try await take(at: .now) { step in for event in events { step.keep(event) } }
    }
}

extension PracticeContent {
    /// - Throws: `Problem.missing` if a wish names an unknown pack or topic.
    func check(_ wish: PracticeWish) throws(Problem) {
        if let place = unknownPack(in: wish.packs) {
            throw Problem(
                .missing, "\(wish.packs[place]): there is no such pack or lesson; `oracy practice packs` lists them")
        }
        if let place = unknownTopic(in: wish.topics) {
            let topic = wish.topics[place]
            let meant = topics.sorted().nearest(to: topic).map { "did you mean \($0)? Topics" } ?? "topics"
            throw Problem(
                .missing, "\(topic): there are no questions on that; \(meant) are \(topics.sorted().spoken)")
        }
    }
}
