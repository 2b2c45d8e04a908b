import Assessment
import ExamCore
import ExamKit
import ExamNode
import Hummingbird
import Learning
import Reports
import Study
import SystemSupport

/// The route for the development of a learner's exams.
struct ProgressRoutes: Sendable {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/progress", use: progress)
    }

    @Sendable private func progress(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let moment = try request.moment(services)
        let format = request.uri.queryParameters["format"].map(String.init)
        let progress = try await LearnerProgress(
            of: format, on: StoreShelf(services, owned), by: services.panel.rules, offset: moment.offset)
        return Answer(ProgressBody(progress))
    }
}

/// The development of a learner's exams of one format.
private struct ProgressBody: Encodable, Sendable {
    /// The format. Absent before the first exam was measured.
    var format: Format?
    /// All formats of which the learner has exams, the newest exam's first.
    var formats: [Format]
    /// The oldest first.
    var exams: [Exam]
    /// The newest exam's measures compared with those of the exams before it.
    var changes: [Change]
    /// The drawings: the estimate, then each measure.
    var panels: [Panel]
    /// A sentence that explains the drawings' marks.
    var key: String
    /// The band that the learner wants. Absent if the profile names none.
    var wanted: Double?
    /// The distance of the estimates from the wanted band, as sentences. Absent with it.
    var goal: String?

    struct Format: Encodable, Sendable {
        var id: String
        /// The format's title. Absent for a format that is not built in.
        var title: String?

        init(_ id: String) { (self.id, title) = (id, (try? ExamFormat.builtIn(id))?.title) }
    }

    struct Exam: Encodable, Sendable {
        var session: String
        var day: String
        /// The fluency of its sound in a word. Absent if there is too little speech.
        var word: String?
        /// The known measures by name, with their errors.
        var measures: [String: Value]
        /// The estimates, the overall band first.
        var estimate: [AspectEstimate]

        init(_ exam: ProgressExam) {
            (session, day, word) = (exam.session, exam.day, exam.delivery.word?.rawValue)
            estimate = exam.estimates
            let errors = exam.errors
            measures = exam.figures.reduce(into: [:]) { measures, figure in
                measures[figure.key] = Value(value: figure.value, error: errors[figure.key])
            }
        }
    }

    struct Value: Encodable, Sendable {
        var value: Double
        /// Absent if the exam has too few answers to tell.
        var error: Double?
    }

    struct Change: Encodable, Sendable {
        var measure: String
        var direction: ProgressChange.Direction
        var sentence: String
    }

    struct Panel: Encodable, Sendable {
        var id: String
        var title: String
        var words: String
        var svg: String
    }

    init(_ progress: LearnerProgress?) {
        format = (progress?.format).map(Format.init)
        formats = progress?.formats.map(Format.init) ?? []
        exams = progress?.exams.map(Exam.init) ?? []
        changes =
            progress?.exams.changes.map { change in
                Change(measure: change.measure.rawValue, direction: change.direction, sentence: change.sentence)
            } ?? []
        panels =
            progress.map { progress in
                progress.chart.panels.map { panel in
                    Panel(id: panel.id, title: panel.title, words: panel.words, svg: panel.svg)
                }
            } ?? []
        key = ProgressChart.key
        (wanted, goal) = (progress?.goal?.wanted, progress?.goal?.sentence)
    }
}
