import ArgumentParser
import Assessment
import ExamCore
import Reports
import SessionFolders
import Study
import StudyFolders
import SystemSupport

struct ExamResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        abstract: "Show an exam's results: delivery, transcripts, marks, and what to do next.",
        discussion: """
            The results are computed on this machine, and nothing is sent. For results from a backend: `oracy uploads \
            results`.
            """
    )

    @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
    var session: String = "last"

    @OptionGroup var marking: RulesArguments

    @Flag(help: "Print the results as JSON.")
    var json = false

    func run() async throws {
        try await failing {
            let shelf = SessionShelf()
            let told = try await ToldDossier(try shelf.find(session), on: shelf, by: marking.read())
            print(
                json
                    ? JSONText.of(ExamResultsReport(told))
                    : DossierText(told).lines.joined(separator: "\n"),
                whole: json)
            // Another window that practises has the log open. Viewing results must not fail because of that.
            let seen = told.session.id
            try? await Practising.own.take(at: .now) { $0.review(seen) }
        }
    }
}

/// The output of `oracy results --json`.
struct ExamResultsReport: Encodable {
    var session: String
    var startedAt: String?
    var delivery: DeliveryReport
    var parts: [Part]
    var answers: [Answer]
    /// The answers whose recordings were erased by hand.
    var withoutRecording: [String]
    var transcripts: [AnswerTranscript]
    /// The words of the transcripts with their times and marks.
    var words: [AnswerWords]
    /// The assessors' findings.
    var said: [AssessorFinding]
    /// The statistics on the words of the transcripts.
    var text: TextReport
    /// Absent if there are no marks.
    var marks: ExamResult?
    var compared: [ToldDossier.Compared]
    var notAssessed: [ToldDossier.NotAssessed]
    /// The estimates, the overall band first.
    var estimate: [AspectEstimate]
    /// A strength that the exam shows. Absent if none is known.
    var strength: Strength?
    var next: [StepReport]

    struct Part: Encodable {
        var part: Int
        var delivery: DeliveryReport
    }

    struct Answer: Encodable {
        var answer: String
        /// SHA-256.
        var recording: String
        var delivery: DeliveryReport
    }

    init(_ told: ToldDossier) {
        let dossier = told.dossier
        session = told.session.id
        startedAt = told.session.startedAt?.utc
        delivery = DeliveryReport(dossier.assessment.delivery)
        parts = dossier.assessment.parts.map { Part(part: $0.part, delivery: DeliveryReport($0.delivery)) }
        answers = dossier.assessment.answers.map {
            Answer(answer: $0.record.name, recording: $0.recording, delivery: DeliveryReport($0.delivery))
        }
        withoutRecording = dossier.evidence.withoutRecording.map(\.name)
        transcripts = dossier.transcripts
        words = dossier.transcripts.words(in: dossier.assessment)
        said = dossier.evidence.said
        text = TextReport(dossier.text)
        marks = dossier.result
        compared = told.compared
        notAssessed = told.notAssessed
        estimate = dossier.estimates
        strength = dossier.strength
        next = told.steps
    }
}
