import Learning
import Study
import StudyFolders
import SystemSupport

/// A drill that a learner does: the sheet that the terminal shows, and the time since it was shown. Each answer is
/// stored before its verdict is shown. Use it from one task.
struct DrillAtHand {
    /// The content of the terminal.
    enum Sheet {
        case shown(PracticeQuestion)
        case asked(PracticeQuestion)
        /// - Parameter goesOn: Whether the next sheet follows by itself after `Drill.autoAdvance`.
        case told(Verdict, PracticeQuestion, goesOn: Bool)
        case finished
    }

    private let practising: Practising
    /// Whether the next question follows a right answer by itself.
    private let goesOn: Bool
    /// The drill at its present question, or at the one after the verdict.
    private(set) var drill: DrillState
    private(set) var sheet: Sheet
    private var askedAt = SteadyClock.now

    init(_ drill: DrillState, of practising: Practising, goesOn: Bool) {
        (self.practising, self.drill, self.goesOn) = (practising, drill, goesOn)
        sheet = Self.sheet(drill)
    }

    var isFinished: Bool { drill.phase == .finished }
    /// The question that waits for an answer.
    var asked: PracticeQuestion? { if case .asked(let question) = sheet { question } else { nil } }

    /// Answers the question, if one is asked.
    ///
    /// - Returns: False if the question takes another kind of answer.
    mutating func answer(_ answer: PracticeAnswer) async throws -> Bool {
        guard let asked else { return true }
        let (number, seconds) = (drill.number, Double((SteadyClock.now - askedAt) / .milliseconds(1)) / 1000)
        do {
            let told = try await practising.take(at: .now) { step in
                try step.answer(number, asked.id, seconds: seconds) { _ in answer }
            }
            sheet = .told(told.verdict, told.question, goesOn: goesOn && told.verdict.isRight)
            drill = told.drill
            return true
        } catch PracticeRefusal.notAnAnswer {
            return false
        }
    }

    /// Moves on from a verdict or a shown question.
    mutating func next() async throws {
        if case .shown = sheet {
            let number = drill.number
            drill = try await practising.take(at: .now) { try $0.next(number) }
        }
        sheet = Self.sheet(drill)
        askedAt = SteadyClock.now
    }

    /// The line above the question: "2 of 12 done · Spoken English · new".
    func place() async throws -> String {
        DrillText.place(drill, of: try await practising.state().content.catalogue)
    }

    /// The text after the drill.
    func end() async throws -> [String] {
        DrillText.finished(drill, try await practising.day(at: .now))
    }

    private static func sheet(_ drill: DrillState) -> Sheet {
        guard let question = drill.question else { return .finished }
        return drill.phase == .showing ? .shown(question) : .asked(question)
    }
}
