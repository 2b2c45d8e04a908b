import BackendAPI
import ExamCore
import Learning
import Papers
import Study

/// A drill in the form for its learner.
struct ToldDrill: Encodable, Sendable {
    var number: Int
    var phase: String
    var done, count, right, repeated: Int
    var question: Question?
    var shown: Shown?

    struct Question: Encodable, Sendable {
        var id, pack, packTitle, role, topic, difficulty: String
        var bloom: String?
        var prompt, type: String
        var options, premises, units: [String]?
        /// Whether the examiner's voice says something with it.
        var speech: Bool?
    }

    /// An item that is shown before it is asked.
    struct Shown: Encodable, Sendable {
        var rightAnswer: AnyAnswer?
        var explanation: String
    }

    init(_ drill: DrillState, _ content: PracticeContent) {
        (number, phase) = (drill.number, drill.phase.rawValue)
        (done, count, right, repeated) = (drill.done, drill.count, drill.right, drill.repeated)
        guard let question = drill.question, let exercise = drill.exercise else { return }
        self.question = Question(
            id: question.id, pack: exercise.pack, packTitle: content.catalogue.pack(exercise.pack)?.title ?? "",
            role: exercise.role.rawValue, topic: question.topic, difficulty: question.difficulty.rawValue,
            bloom: question.bloom?.rawValue, prompt: question.prompt, type: question.kind,
            options: question.asked.shownOptions, premises: question.asked.shownPremises, units: question.asked.units,
            speech: question.speech.map { _ in true })
        if drill.phase == .showing {
            shown = Shown(rightAnswer: AnyAnswer(question.solution), explanation: question.explanation)
        }
    }
}

/// The verdict on an answer, returned at once.
struct ToldVerdict: Encodable, Sendable {
    var verdict: String
    var rightAnswer: AnyAnswer?
    var explanation: String
    /// The drill at its next question.
    var drill: ToldDrill

    init(_ told: DrillVerdict, _ content: PracticeContent) {
        (verdict, explanation) = (told.verdict.rawValue, told.question.explanation)
        rightAnswer = AnyAnswer(told.question.solution)
        drill = ToldDrill(told.drill, content)
    }
}
