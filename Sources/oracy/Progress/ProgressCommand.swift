import ArgumentParser
import Assessment
import Reports
import SessionFolders
import Study
import StudyFolders
import SystemSupport

struct ProgressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "progress",
        abstract: "Show how your delivery changed from exam to exam.",
        discussion:
            "Shows speed and pauses, each with its error, and the estimate. Compares exams of one format, the newest "
            + "\(LearnerProgress.most)."
    )

    @Option(help: "The format's id. Default: that of the newest exam.")
    var format: String?

    @Option(help: ArgumentHelp("Also draw the measures into this file.", valueName: "svg"))
    var svg: String?

    @Flag(help: "Print the measures as JSON.")
    var json = false

    func run() async throws {
        try await failing {
            let sessions = SessionShelf()
            for problem in SessionAssessing.measureAll(on: sessions) { complain(problem.sentence) }
            let rules = try RulesArguments.own()
            guard let progress = try await LearnerProgress(of: format, on: FolderShelf(sessions), by: rules) else {
                throw Problem(.missing, "there is no measured exam in \(sessions.path)")
            }
            if let svg {
                try OutputFile.replace(svg, with: progress.chart.svg, mode: 0o600)
            }
            if json {
                print(JSONText.of(Report(progress)), whole: true)
            } else {
                let text = ProgressText(
                    exams: progress.exams, title: progress.format, goal: progress.goal, glyphs: .ofLocale)
                print(text.lines.joined(separator: "\n"))
            }
        }
    }

    private struct Report: Encodable {
        var format: String
        var exams: [Exam]
        /// The newest exam compared with those before, as sentences.
        var changes: [String]
        /// The band that the learner wants.
        var wanted: Double?
        /// The distance of the estimates from the wanted band, as sentences.
        var goal: String?

        init(_ progress: LearnerProgress) {
            (format, changes) = (progress.format, progress.sentences)
            (wanted, goal) = (progress.goal?.wanted, progress.goal?.sentence)
            exams = progress.exams.map(Exam.init)
        }

        struct Exam: Encodable {
            var session: String
            var startedAt: String
            var delivery: DeliveryReport
            /// The known errors by the names of their measures, in the measures' units.
            var errors: [String: Double]
            var estimates: [AspectEstimate]

            init(_ exam: ProgressExam) {
                (session, startedAt, delivery) = (exam.session, exam.startedAt, DeliveryReport(exam.delivery))
                (errors, estimates) = (exam.errors, exam.estimates)
            }
        }
    }
}
