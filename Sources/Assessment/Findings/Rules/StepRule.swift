import ExamCore

/// A rule that finds a recommendation: its id and its function.
struct StepRule: Sendable {
    var id: String
    /// The function that applies the rule. It returns nil if the rule's condition is not met.
    var find: @Sendable (KnownOfExam) -> Found?

    /// A rule's finding. Its weight, 0 to 100, is this project's choice: faults of the recording come first, then
    /// pauses, which listeners notice most, then the rest of the speech. Typing a transcript comes last.
    struct Found {
        var weight: Double
        var advice: String
        var evidence: String
        var figure: StepFigure
        var answer: String?
        var at: Double?
        var action: NextStep.Action?

        func step(of rule: StepRule) -> NextStep {
            NextStep(
                rule: rule.id, advice: advice, evidence: evidence, figure: figure, answer: answer, at: at,
                action: action)
        }
    }

    static let all: [StepRule] = [
        .clipped, .noisy, .silent, .longPauses, .shortAnswers, .mistakes, .repetitions, .fellBack, .lateStarts,
        .slowerEnd, .noTranscript,
    ]
}

/// Everything that the rules use.
struct KnownOfExam {
    /// The delivery of the exam and its parts.
    let assessment: ExamAssessment
    /// The answers that count, without questions that the candidate skipped.
    let answers: [AnswerAssessment]
    let transcripts: [AnswerTranscript]
    let earlier: [EarlierExam]
    private let asked: AskedQuestions

    init(
        _ assessment: ExamAssessment, _ transcripts: [AnswerTranscript], _ earlier: [EarlierExam],
        _ asked: AskedQuestions
    ) {
        self.assessment = assessment
        self.asked = asked
        answers = assessment.answers.counted.filter { !$0.record.wasSkipped }
        self.transcripts = transcripts
        self.earlier = earlier
    }

    /// Returns an answer's place in words: `part 1, question 3`.
    func words(for answer: AnswerAssessment) -> String { asked.words(for: answer.record) }

    /// The answers with reliable times. In clipped, noisy or incomplete recordings, silences are not pauses.
    var clear: [AnswerAssessment] {
        let spoilt: Set<DeliveryGate> = [.noisy, .clipped, .incomplete]
        return answers.filter { spoilt.isDisjoint(with: $0.delivery.gates) && $0.hasSpeech }
    }

    /// The transcripts that language findings are based on, for answers that exist.
    var told: [AnswerTranscript] {
        let names = Set(answers.map(\.record.name))
        return transcripts.told.filter { names.contains($0.answer) }
    }

    /// The transcripts that the candidate typed. A recogniser omits repeated words and invents others.
    var own: [AnswerTranscript] { told.filter { $0.source == .own } }

    func answer(_ name: String) -> AnswerAssessment? { answers.first { $0.record.name == name } }
}

extension AnswerAssessment {
    var hasSpeech: Bool { delivery.measures.syllables > 0 }
    var pauses: [TimeRange] { sound.timeline.pauses }
}

extension AnswerRecord {
    /// Whether the candidate skipped the question without saying anything.
    var wasSkipped: Bool { isSilent && (end == "declared" || end == "withdrawn") }
}
