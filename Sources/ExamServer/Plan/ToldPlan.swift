import Assessment
import ExamCore
import ExamKit
import ExamStore
import Learning
import SystemSupport

/// A plan as its learner is told of it.
struct ToldPlan: Encodable, Sendable {
    var day: StudyDay
    var weekday: Weekday
    /// Absent before the learner said who they are; then the plan is, too.
    var profile: LearnerProfile?
    var plan: StudyPlan?
    /// By the tasks' ids.
    var ticks: [String: Tick]?
    /// Ids of today's tasks, in order.
    var today: [String]?
    /// How firmly it is a habit, 0 to 1.
    var score: Double?
    var streak: ToldDay.ToldStreak
    var daysToTest: Int?
    /// The first day with a task, while that is still to come.
    var begins: StudyDay?
    /// What the last exam says to do next.
    var points: [String]
    /// A new week, or tasks that were missed, ask for another plan.
    var canPreview: Bool
    var progress: Progress

    struct Tick: Encodable, Sendable {
        var state: String
        /// Of what is done in part, 0 to 1.
        var share: Double?
        var doneOn: StudyDay?

        init(_ state: PlanTicks.State) {
            switch state {
            case .open: self.state = "open"
            case .partly(let share): (self.state, self.share) = ("partly", share.tenths)
            case .done(let day): (self.state, doneOn) = ("done", day)
            }
        }
    }

    struct Progress: Encodable, Sendable { var exams: [Exam] }

    /// An exam that was measured.
    struct Exam: Encodable, Sendable {
        var session: String
        var day: StudyDay
        var format: String
        /// The format's title; absent for a format that is not built in.
        var title: String?
        /// What its sound says of fluency, in a word; absent where it says too little.
        var word: String?
        /// By name, where there is enough speech.
        var measures: [String: Double]

        init(_ session: TestSession, on day: StudyDay, _ delivery: DeliveryProfile) {
            self.session = session.id.name
            (self.day, format) = (day, session.format)
            title = (try? ExamFormat.builtIn(session.format))?.title
            word = delivery.word?.rawValue
            guard delivery.gates.isEmpty else {
                measures = [:]
                return
            }
            measures = Dictionary(
                ProgressMeasure.allCases.compactMap { measure in
                    measure.value(delivery).map { (measure.rawValue, $0.tenths) }
                }
            ) { first, _ in first }
        }
    }

    init(_ book: PlanBook?, _ known: LearnerPlan.Known, _ points: [String]) {
        let knowledge = known.knowledge
        day = knowledge.today
        weekday = Weekday(of: knowledge.today)
        streak = ToldDay.ToldStreak(known.streak)
        (self.points, progress) = (points, Progress(exams: known.exams))
        canPreview = book.map { $0.proposal(knowledge) != nil } ?? false
        guard let book else { return }
        let shown = PlanDay(book, knowledge)
        profile = book.profile
        plan = shown.plan
        ticks = shown.ticks?.states.mapValues(Tick.init)
        today = shown.tasks.map(\.task.id)
        score = shown.score.map { ($0 * 100).rounded() / 100 }
        daysToTest = shown.daysToTest
        begins = shown.begins
    }
}

/// What another plan would change.
struct ToldPreview: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        var day: Weekday
        var title, link: String
        /// Where it was before.
        var from: Weekday?

        init(_ item: PlanPreview.Item) {
            (day, title, link, from) = (item.day, item.title, item.link.text, item.from)
        }
    }

    var plan: StudyPlan?
    var added, removed, moved, kept: [Item]?

    /// - Parameter proposal: nil where the plan holds.
    init(_ proposal: PlanBook.Proposal?) {
        guard let proposal else { return }
        let preview = proposal.preview
        plan = proposal.plan
        (added, removed) = (preview.added.map(Item.init), preview.removed.map(Item.init))
        (moved, kept) = (preview.moved.map(Item.init), preview.kept.map(Item.init))
    }
}
