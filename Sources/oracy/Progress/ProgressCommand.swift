import ArgumentParser
import Assessment
import Reports
import SessionFolders
import StudyFolders
import SystemSupport

struct ProgressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "progress",
        abstract: "Show how your delivery changed from exam to exam.",
        discussion: "Shows speed and pauses, measured from the sound alone, and no band. Compares exams of one format."
    )

    @Option(help: "The format's id. Default: that of the newest exam.")
    var format: String?

    @Option(help: ArgumentHelp("Also draw the measures into this file.", valueName: "svg"))
    var svg: String?

    @Flag(help: "Print the measures as JSON.")
    var json = false

    func run() async throws {
        try await failing {
            let shelf = SessionShelf()
            for problem in SessionAssessing.measureAll(on: shelf) { complain(problem.sentence) }
            let format = try format ?? newestFormat(on: shelf)
            let exams = shelf.assessed(format: format).compactMap(EarlierExam.init)
            if let svg {
                try OutputFile.replace(svg, with: ProgressChart(exams, title: format).svg, mode: 0o600)
            }
            if json {
                print(JSONText.of(Report(format: format, exams: exams.map(Report.Exam.init))), whole: true)
            } else {
                let text = ProgressText(exams: exams, title: format, glyphs: .ofLocale)
                print(text.lines.joined(separator: "\n"))
            }
        }
    }

    private func newestFormat(on shelf: SessionShelf) throws(Problem) -> String {
        guard let newest = shelf.assessed().last?.summary.format else {
            throw Problem(.missing, "there is no measured exam in \(shelf.path)")
        }
        return newest
    }

    private struct Report: Encodable {
        var format: String
        var exams: [Exam]

        struct Exam: Encodable {
            var session: String
            var startedAt: String
            var delivery: DeliveryReport

            init(_ exam: EarlierExam) {
                (session, startedAt, delivery) = (exam.session, exam.startedAt, DeliveryReport(exam.delivery))
            }
        }
    }
}

extension EarlierExam {
    /// Creates an earlier exam from a session. Nil if the session doesn't record when it began.
    fileprivate init?(_ session: AssessedSession) {
        guard let startedAt = session.summary.startedAt else { return nil }
        self.init(
            session: session.summary.id, startedAt: startedAt.utc, delivery: session.assessment.delivery,
            parts: session.assessment.parts)
    }
}
