package import ExamCore

/// A rule that finds something to do next: its id, and what it finds.
struct StepRule: Sendable {
    var id: String
    /// nil where its condition does not hold.
    var find: @Sendable (KnownOfExam) -> Found?

    /// What a rule found. Weights, 0 … 100, are a choice: what spoils the recording comes before what was said, what listeners notice
    /// most (pauses) before the rest, and typing a transcript last.
    struct Found {
        var weight: Double
        var advice: String
        var evidence: String
        var answer: String?
        var at: Double?
        var link: String?

        func step(of rule: StepRule) -> NextStep {
            NextStep(rule: rule.id, advice: advice, evidence: evidence, answer: answer, at: at, link: link)
        }
    }

    static let all: [StepRule] = [
        .clipped, .noisy, .silent, .longPauses, .shortAnswers, .mistakes, .repetitions, .fellBack, .lateStarts,
        .slowerEnd, .noTranscript,
    ]
}

/// All that the rules look at.
struct KnownOfExam {
    let assessment: ExamAssessment
    let transcripts: [AnswerTranscript]
    let earlier: [EarlierExam]

    init(_ assessment: ExamAssessment, _ transcripts: [AnswerTranscript], _ earlier: [EarlierExam]) {
        self.assessment = assessment
        self.transcripts = transcripts
        self.earlier = earlier
    }

    /// Answers whose times can be trusted: in a clipped or noisy recording, and in one with gaps, silences are not pauses.
    var clear: [AnswerAssessment] {
        let spoilt: Set<DeliveryGate> = [.noisy, .clipped, .incomplete]
        return assessment.answers.filter { spoilt.isDisjoint(with: $0.delivery.gates) && $0.hasSpeech }
    }

    /// The words by which language is told, of answers that are there.
    var told: [AnswerTranscript] {
        let names = Set(assessment.answers.map(\.record.name))
        return transcripts.told.filter { names.contains($0.answer) }
    }

    /// What the candidate typed: a recogniser leaves out what was said twice, and makes up what was not.
    var own: [AnswerTranscript] { told.filter { $0.source == .own } }

    func answer(_ name: String) -> AnswerAssessment? { assessment.answers.first { $0.record.name == name } }

    /// The command that asks the answer's question again.
    func again(_ answer: AnswerAssessment) -> String {
        "oracy run --retry \(answer.record.question) --from \(assessment.session)"
    }
}

extension AnswerAssessment {
    var hasSpeech: Bool { delivery.measures.syllables > 0 }
    var pauses: [TimeRange] { sound.timeline.pauses }
}

extension AnswerRecord {
    /// As people read it: `part 1, question 3`.
    package var words: String {
        "part \(part), question \(order)" + (attempt > 1 ? ", attempt \(attempt)" : "")
    }
}
