import Assessment
import ExamCore
import ExamKit
import Learning
import Study
import SystemSupport

/// A plan in the form for its learner.
struct ToldPlan: Encodable, Sendable {
    var day: StudyDay
    var weekday: Weekday
    /// The profile. It and the plan are absent before the learner has entered one.
    var profile: LearnerProfile?
    var plan: StudyPlan?
    /// The ticks by the tasks' ids.
    var ticks: [String: Tick]?
    /// The ids of today's tasks, in order.
    var today: [String]?
    /// The strength of the habit, 0 to 1.
    var score: Double?
    var streak: ToldDay.ToldStreak
    var daysToTest: Int?
    /// The first day with a task, if it is in the future.
    var begins: StudyDay?
    /// The suggestions from the last exam.
    var points: [String]
    /// The wanted band beside the estimates, as sentences. Absent if the profile names none.
    var goal: String?
    /// Whether a new plan is due because of a new week or missed tasks.
    var canPreview: Bool
    var progress: Progress

    struct Tick: Encodable, Sendable {
        var state: String
        /// The part that is done, 0 to 1.
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
        /// The format's title. Absent for a format that is not built in.
        var title: String?
        /// The fluency of its sound in a word. Absent if there is too little speech.
        var word: String?
        /// The measures by name, for those with enough speech.
        var measures: [String: Double]

        init(_ exam: SatExam) {
            let delivery = exam.figures.delivery
            (session, day, format) = (exam.session, exam.moment.day, exam.format)
            title = (try? ExamFormat.builtIn(exam.format))?.title
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

    init(_ book: PlanBook?, _ facts: PlanFacts, _ points: [String]) {
        let knowledge = facts.knowledge
        day = knowledge.today
        weekday = Weekday(of: knowledge.today)
        streak = ToldDay.ToldStreak(Streak(facts.historyWithExams, today: knowledge.today))
        (self.points, progress) = (points, Progress(exams: facts.exams.map(Exam.init)))
        canPreview = book.map { $0.proposal(knowledge) != nil } ?? false
        guard let book else { return }
        let shown = PlanDay(book, knowledge)
        profile = book.profile
        goal = facts.goal(of: book.profile)?.sentence
        plan = shown.plan
        ticks = shown.ticks?.states.mapValues(Tick.init)
        today = shown.tasks.map(\.task.id)
        score = shown.score.map { ($0 * 100).rounded() / 100 }
        daysToTest = shown.daysToTest
        begins = shown.begins
    }
}

/// The changes in a proposed plan.
struct ToldPreview: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        var day: Weekday
        var title, link: String
        /// The day on which it was before.
        var from: Weekday?

        init(_ item: PlanPreview.Item) {
            (day, title, link, from) = (item.day, item.title, item.link.text, item.from)
        }
    }

    var plan: StudyPlan?
    var added, removed, moved, kept: [Item]?

    /// Creates the preview.
    ///
    /// - Parameter proposal: nil if the plan stays unchanged.
    init(_ proposal: PlanBook.Proposal?) {
        guard let proposal else { return }
        let preview = proposal.preview
        plan = proposal.plan
        (added, removed) = (preview.added.map(Item.init), preview.removed.map(Item.init))
        (moved, kept) = (preview.moved.map(Item.init), preview.kept.map(Item.init))
    }
}
