public import Assessment
public import ExamCore

/// One answer of an exam, with everything that helps the learner to give a better one: the words, one thing to improve,
/// and model answers. The learner then answers again in the spoken drill `again`.
public struct QuestionLoop: Sendable {
    /// The facts about the answer.
    public let record: AnswerRecord
    /// The answer's name for people: "part 1, question 5".
    public let title: String
    /// The question to ask again, as the paper has it. Nil if it is unknown.
    public let asked: Paper.Question?
    /// The question in words: a card's topic, the text to read, or the examiner's last sentence. Nil if unknown.
    public let question: String?
    /// The learner's words. Nil without a transcript.
    public let words: CorrectedWords?
    /// The one thing to do better.
    public let aim: LoopAim
    /// The model answers.
    public let models: LoopModels
    /// The timing of this answer, to compare the next attempt with. Nil if the recording was not measured.
    public let telling: Telling?

    /// Makes the loop of an answer.
    ///
    /// - Parameter name: The answer's name, such as `part1_q5`. Nil for the answer that the first next step asks to
    ///   give again or, if it asks for none, the slowest answer.
    /// - Returns: Nil if the exam has no such answer that counts.
    public init?(_ dossier: ExamDossier, answer name: String?) {
        guard let name = name ?? Self.chosen(of: dossier),
            let kept = dossier.evidence.answers.counted.assessed.first(where: { $0.record.name == name })
        else { return nil }
        record = kept.record
        title = dossier.asked.words(for: kept.record)
        let question = dossier.turn(of: kept.record)?.card?.topic ?? dossier.question(of: kept.record)
        self.question = question
        let inPaper = dossier.evidence.frozen?.paper.sections.values.joined().flatMap(\.questions)
            .first { $0.id == kept.record.question }
        // The format itself asks some questions, such as the candidate's name.
        asked = inPaper ?? question.map { Paper.Question(id: kept.record.question, text: $0) }
        // The last transcript is the learner's own, if there is one.
        words = dossier.transcripts.last { $0.answer == name }.map(CorrectedWords.init)
        aim = LoopAim(dossier.steps.first { $0.answer == name && $0.questionAgain != nil }, words)
        models = LoopModels(to: question, band: dossier.result?.overall.mark)
        telling = dossier.assessment.telling(before: name)
    }

    /// Returns the name of the answer that deserves another attempt most. Nil if no answer counts.
    private static func chosen(of dossier: ExamDossier) -> String? {
        let answers = dossier.assessment.answers.counted
        func named(by step: NextStep) -> String? {
            step.questionAgain.flatMap { question in answers.first { $0.record.question == question }?.record.name }
        }
        if let name = dossier.steps.lazy.compactMap(named).first { return name }
        // An answer without speech has no rate, and counts as the slowest.
        return answers.min { ($0.delivery.measures.speechRate ?? 0) < ($1.delivery.measures.speechRate ?? 0) }?.record
            .name
    }
}

extension NextStep {
    /// The question to answer again. Nil for other steps, such as typing the words.
    fileprivate var questionAgain: String? {
        if case .answerAgain(let question) = action { question } else { nil }
    }
}

extension ExamAssessment {
    /// Returns the timing of an answer, to compare a new attempt with. Nil if it was not measured.
    ///
    /// - Parameter name: The answer's name, such as `part1_q5`.
    public func telling(before name: String) -> Telling? {
        answers.first { $0.record.name == name }.map {
            Telling(name: "Before", timeline: $0.sound.timeline, measures: $0.delivery.measures)
        }
    }
}
