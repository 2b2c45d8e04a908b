public import Assessment
import ExamCore
public import Learning

/// A completed, measured exam, as a study plan sees it.
public struct SatExam: Sendable {
    /// The session's id.
    public var session: String
    /// The format's id.
    public var format: String
    /// The number of the only part that was held. Nil for a whole exam.
    public var part: Int?
    /// The moment at which the exam began.
    public var moment: StudyMoment
    /// The measurements of its answers.
    public var assessment: ExamAssessment
    /// The result of the marks; nil if the exam wasn't marked.
    public var marks: ExamResult?
    /// The typed or recognised transcripts of its answers, if any.
    public var transcripts: [AnswerTranscript]
    /// The topics of the exam: words that `--topic` takes.
    public var topics: [String]
    /// The estimates, the overall band first.
    public var estimates: [AspectEstimate]

    public init(
        session: String, format: String, part: Int? = nil, moment: StudyMoment, assessment: ExamAssessment,
        marks: ExamResult? = nil,
        transcripts: [AnswerTranscript] = [], topics: [String] = [], estimates: [AspectEstimate] = []
    ) {
        self.session = session
        self.format = format
        self.part = part
        self.moment = moment
        self.assessment = assessment
        self.marks = marks
        self.transcripts = transcripts
        self.topics = topics
        self.estimates = estimates
    }

    /// The kind of exam as plans name it. Nil if plans never ask for this format.
    fileprivate var kind: PlanFormat? { PlanFormat.allCases.first { $0.examFormat == format } }

    /// The minutes of speech.
    fileprivate var minutes: Double { assessment.delivery.measures.speech / 60 }

    /// The parts with an answer that counts.
    fileprivate var parts: [Int] { Set(assessment.answers.counted.map(\.record.part)).sorted() }
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
                exam.evidence($0, after: sorted[..<place].filter { $0.format == exam.format && $0.part == exam.part })
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
            assessment.delivery.gates.isEmpty
            ? PlanEvidence.Measure.allCases.compactMap { measure -> PlanEvidence.Reading? in
                guard let followed = ProgressMeasure(rawValue: measure.rawValue),
                    let value = followed.value(assessment.delivery)
                else { return nil }
                let before = earlier.filter(\.assessment.delivery.gates.isEmpty).compactMap {
                    followed.value($0.assessment.delivery)
                }
                return .init(measure, value, median: PlanEvidence.median(before))
            } : []
        let counts = transcripts.flatMap(\.checks).flatMap(\.mistakes).compactMap(\.category)
            .reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return PlanEvidence.Exam(
            session: session, day: moment.day, format: kind, parts: parts, readings: readings,
            marks: PlanEvidence.Skill.allCases.compactMap { skill in
                Criterion(rawValue: skill.rawValue).map { .init(skill, marks?.criteria[$0]?.outcome.mark) }
            },
            mistakes: counts.sorted { $0.key < $1.key }.map { .init($0.key, count: $0.value) }, topics: topics)
    }
}
