import Assessment
import ExamCore
import SessionFolders
import SystemSupport

/// Everything that is known about one exam, from its folder and the shelf.
struct ExamFindings {
    var session: SessionSummary
    var assessment: ExamAssessment
    /// The candidate's own transcripts and those of recognisers, with the errors that checkers and assessors found.
    var transcripts: [AnswerTranscript]
    /// The assessors' findings, in the order of the exam.
    var said: [AssessorFinding]
    /// The sentences that the candidate had to repeat, by the questions' ids.
    private let sentences: [String: SentenceToSay]
    /// The result of people's marks; nil without marks.
    var marks: ExamResult?
    var markers: [String]
    var earlier: [EarlierExam]
    /// The answers whose recordings were erased by hand.
    var withoutRecording: [AnswerRecord]
    /// The name by which other commands find the session.
    var name: String
    /// The scale of the format's own tests, if it names one.
    private let scoring: ExamFormat.Scoring?

    /// Reads the findings. Recordings that have not been measured yet are measured first.
    ///
    /// - Throws: `Problem`: `missing` if the exam isn't over; `malformed`; as `ExamAssessment.assess`.
    init(_ folder: SessionFolder, on shelf: SessionShelf) throws(Problem) {
        session = SessionSummary(folder)
        name = session.name(on: shelf)
        switch session.state {
        case .over: break
        case .inUse: throw Problem(.occupied, "\(folder.path): the exam is still running, so it has no results yet")
        case .resumable:
            throw Problem(.missing, "\(folder.name): the exam is not over; to continue: oracy resume \(name)")
        case .broken(let sentence): throw Problem(.malformed, sentence)
        }
        assessment = try SessionAssessing.assessment(of: folder)
        said = try folder.readFindings()
        transcripts = try folder.transcriptsAndHeard()
        scoring = try folder.frozenExam().format.scoring
        sentences = transcripts.isEmpty ? [:] : try folder.sentences()
        markers = try folder.readMarks().map(\.marker)
        marks = try folder.markedResult()
        withoutRecording = try folder.answersWithoutRecording()
        earlier = shelf.earlierExams(than: session)
    }

    /// The statistics on the words of the candidate's own transcripts.
    var text: ExamText { ExamText(of: assessment, transcripts, sentences: sentences) }

    var steps: [StepReport] {
        NextStep.steps(for: assessment, transcripts: transcripts, earlier: earlier).map { StepReport($0, of: name) }
    }

    struct NotAssessed: Encodable {
        var what: String
        var why: String
        /// The command to type for it.
        var link: String?
    }

    /// The aspects that no person and no program has judged, each with the reason.
    var notAssessed: [NotAssessed] {
        var list = Criterion.allCases.compactMap { criterion -> NotAssessed? in
            guard marks?.criteria[criterion]?.outcome.mark == nil else { return nil }
            let why = marks?.criteria[criterion]?.outcome.reason ?? "it was not marked"
            return NotAssessed(what: criterion.title, why: why, link: "oracy mark \(name)")
        }
        if marks?.overall.mark == nil {
            list.append(NotAssessed(what: "overall", why: "needs a mark for all four criteria"))
        }
        if let own = scoring?.notGiven { list.append(NotAssessed(what: own.what, why: own.why)) }
        if transcripts.isEmpty {
            list.append(NotAssessed(what: "words", why: "no answer has a transcript", link: "oracy transcribe \(name)"))
        } else if transcripts.allSatisfy(\.checks.isEmpty) {
            list.append(NotAssessed(what: "grammar, by a checker", why: "no checker is set up (ORACY_GRAMMAR)"))
        }
        if transcripts.lackFillers {
            list.append(NotAssessed(what: "fillers", why: "the transcript may have left them out"))
        }
        return list
    }

    struct Compared: Encodable {
        var measure: String
        /// The value in `unit`.
        var value: Double
        var unit: String
        /// The share of the earlier exams that it exceeds, 0 … 100.
        var percentile: Double
        /// The number of earlier exams.
        var exams: Int
    }

    /// The comparison with the learner's own earlier exams of the format, if there are at least three.
    var compared: [Compared] {
        guard assessment.delivery.gates.isEmpty else { return [] }
        return ProgressMeasure.allCases.compactMap { measure in
            guard measure != .speech, let value = measure.value(assessment.delivery),
                let percentile = earlier.percentile(of: value, measure.value)
            else { return nil }
            return Compared(
                measure: measure.name, value: value, unit: measure.unit, percentile: percentile,
                exams: earlier.count { measure.value($0.delivery) != nil })
        }
    }
}
