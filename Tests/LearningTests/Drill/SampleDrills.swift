import ExamCore
import Testing

@testable import Learning

/// Sample packs and histories for tests.
enum SampleDrills {
    static let monday = StudyMoment(seconds: 1_795_435_200, offset: 0)  // 2026-11-23, noon

    static func question(_ id: String, item: String? = nil) -> PracticeQuestion {
        PracticeQuestion(
            id: id, topic: "food", difficulty: .easy, prompt: "Which one is \(id)?",
            key: .multipleChoice(.init(options: ["this", "that", "neither", "both"], correct: 1)),
            explanation: "It is that.", item: item)
    }

    static func pack(_ count: Int, id: String = "p") -> QuestionPack {
        QuestionPack(id: id, title: "Pack \(id)", questions: (1...count).map { question("q\($0)") })
    }

    static func catalogue(_ count: Int) -> PracticeCatalogue { PracticeCatalogue(packs: [pack(count)]) }

    static func answered(
        _ memory: String, _ verdict: Verdict = .right, drill: Int = 0, role: PracticeEvent.Role = .due,
        seconds: Double = 10
    ) -> PracticeEvent {
        .answered(
            .init(
                drill: drill,
                exercise: .init(memory: memory, question: String(memory.split(separator: "/")[1]), role: role),
                verdict: verdict, seconds: seconds))
    }

    /// Returns a line of the log.
    ///
    /// - Parameter day: days since Monday noon.
    static func line(_ day: Double, _ event: PracticeEvent) -> PracticeLine {
        PracticeLine(StudyMoment(seconds: monday.seconds + Int(day * 86_400), offset: 0), event)
    }
}
