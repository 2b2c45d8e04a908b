public import Assessment
import ExamCore
public import Learning

/// An exam that was sat and measured, as a plan looks at it.
public struct SatExam: Sendable {
    /// The session's id.
    public var session: String
    /// The format's id.
    public var format: String
    /// When it began.
    public var moment: StudyMoment
    /// What was measured in its answers.
    public var assessment: ExamAssessment
    /// nil where nobody marked.
    public var marks: ExamResult?
    /// What was typed or recognised of its answers; empty where nothing was.
    public var transcripts: [AnswerTranscript]
    /// What it was about: words that `--topic` takes.
    public var topics: [String]

    public init(
        session: String, format: String, moment: StudyMoment, assessment: ExamAssessment, marks: ExamResult? = nil,
        transcripts: [AnswerTranscript] = [], topics: [String] = []
    ) {
        self.session = session
        self.format = format
        self.moment = moment
        self.assessment = assessment
        self.marks = marks
        self.transcripts = transcripts
        self.topics = topics
    }

    /// Of which kind of exam plans speak; nil where they ask for none like it.
    fileprivate var kind: PlanFormat? {
        switch format {
        case "ielts-style": .exam
        case "interview": .interview
        default: nil
        }
    }

    /// Of speech.
    fileprivate var minutes: Double { assessment.delivery.measures.speech / 60 }

    /// Parts that have an answer which counts.
    fileprivate var parts: [Int] { Set(assessment.answers.map(\.record).filter(\.counts).map(\.part)).sorted() }
}

extension [SatExam] {
    /// What plans are made from; in the order in which they were sat.
    public var evidence: [PlanEvidence.Exam] {
        let sorted = self.sorted { ($0.moment.seconds, $0.session) < ($1.moment.seconds, $1.session) }
        return sorted.enumerated().compactMap { place, exam in
            exam.kind.map { exam.evidence($0, after: sorted[..<place].filter { $0.format == exam.format }) }
        }
    }

    /// The same as things that were done.
    public var deeds: [Deed] {
        flatMap { exam in
            exam.kind.map { [Deed](of: exam.evidence($0, after: []), at: exam.moment, minutes: exam.minutes) } ?? []
        }
    }
}

extension SatExam {
    fileprivate func evidence(_ kind: PlanFormat, after earlier: [SatExam]) -> PlanEvidence.Exam {
        // What says too little compares with nothing.
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
