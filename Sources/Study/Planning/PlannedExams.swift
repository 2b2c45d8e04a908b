import Assessment
public import Learning

/// A completed, measured exam, as a study plan sees it.
public struct SatExam: Sendable {
    /// The session's id.
    public var session: String
    /// The format's id.
    public var format: String
    /// The moment at which the exam began.
    public var moment: StudyMoment
    /// Its measures, marks and estimates.
    public var figures: ExamFigures

    init(session: String, format: String, moment: StudyMoment, figures: ExamFigures) {
        self.session = session
        self.format = format
        self.moment = moment
        self.figures = figures
    }

    /// The kind of exam as plans name it. Nil if plans never ask for this format.
    fileprivate var kind: PlanFormat? { PlanFormat.allCases.first { $0.examFormat == format } }

    /// The minutes of speech.
    fileprivate var minutes: Double { figures.delivery.measures.speech / 60 }
}

extension PlanFormat {
    /// The id of the format of the exams that plans of this kind ask for.
    var examFormat: String {
        switch self {
        case .exam: "ielts-style"
        case .interview: "interview"
        }
    }
}

extension [SatExam] {
    /// The evidence that plans are made from, in the order in which the exams were taken.
    public var evidence: [PlanEvidence.Exam] {
        let sorted = self.sorted { ($0.moment.seconds, $0.session) < ($1.moment.seconds, $1.session) }
        return sorted.enumerated().compactMap { place, exam in
            exam.kind.map {
                exam.evidence(
                    $0,
                    after: sorted[..<place].filter { $0.format == exam.format && $0.figures.part == exam.figures.part })
            }
        }
    }

    /// The same exams as entries of what the learner has done.
    public var deeds: [Deed] {
        flatMap { exam in
            exam.kind.map { [Deed](of: exam.evidence($0, after: []), at: exam.moment, minutes: exam.minutes) } ?? []
        }
    }
}

extension SatExam {
    fileprivate func evidence(_ kind: PlanFormat, after earlier: [SatExam]) -> PlanEvidence.Exam {
        // Don't compare an exam that says too little.
        let readings =
            figures.delivery.gates.isEmpty
            ? PlanEvidence.Measure.allCases.compactMap { measure -> PlanEvidence.Reading? in
                guard let followed = ProgressMeasure(rawValue: measure.rawValue),
                    let value = followed.value(figures.delivery)
                else { return nil }
                let before = earlier.filter(\.figures.delivery.gates.isEmpty).compactMap {
                    followed.value($0.figures.delivery)
                }
                return .init(measure, value, median: PlanEvidence.median(before))
            } : []
        return PlanEvidence.Exam(
            session: session, day: moment.day, format: kind, parts: figures.parts, readings: readings,
            marks: PlanEvidence.Skill.allCases.compactMap { skill in
                Criterion(rawValue: skill.rawValue).map { .init(skill, figures.marks[$0]) }
            },
            mistakes: figures.mistakes.sorted { $0.key < $1.key }.map { .init($0.key, count: $0.value) },
            topics: figures.topics)
    }
}
