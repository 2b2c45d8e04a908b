public import ExamCore
public import Learning

/// A learner's own plan with its progress, as an Oracy server reports it.
public struct ToldPlan: Codable, Equatable, Sendable {
    /// Today by the learner's clock.
    public var day: StudyDay
    public var weekday: Weekday?
    /// nil, like `plan`, if the learner has no profile yet.
    public var profile: LearnerProfile?
    public var plan: StudyPlan?
    /// The progress by the tasks' ids.
    public var ticks: [String: Tick]
    /// The ids of today's tasks, in order.
    public var today: [String]
    /// The share of the planned work that is done, 0 … 1. Recent work counts more.
    public var score: Double?
    public var streak: Streak?
    public var daysToTest: Int?
    /// The first day with a task, if it is still to come; nil once the plan has begun.
    public var begins: StudyDay?
    /// The advice of the last exam, at most three sentences.
    public var points: [String]
    /// Whether a new week or missed tasks call for another plan: see `PlanClient.preview`.
    public var canPreview: Bool
    public var progress: Progress

    /// The progress of a task.
    public struct Tick: Codable, Equatable, Sendable {
        public var state: State
        /// The completed share of a partly done task, more than 0 and less than 1.
        public var share: Double?
        public var doneOn: StudyDay?

        public enum State: String, Choice { case open, partly, done }
    }

    /// A run of days on which the learner did something.
    public struct Streak: Codable, Equatable, Sendable {
        public var days, longest: Int
        /// Whether today counts already.
        public var hasToday: Bool
        /// Whether it ends today unless the learner does something.
        public var isAtRisk: Bool
    }

    /// The learner's exams, the newest last.
    public struct Progress: Codable, Equatable, Sendable {
        public var exams: [Exam]
    }

    /// A completed exam with its measurements.
    public struct Exam: Codable, Equatable, Sendable {
        /// Its session's id.
        public var session: String
        public var day: StudyDay
        public var format: String
        public var title: String?
        /// A word for how it sounded.
        public var word: String?
        public var measures: [String: Double]
    }

    /// Today's tasks with their progress, in order. Ids that the plan doesn't have are left out.
    public var todaysTasks: [(task: PlanTask, tick: Tick?)] {
        let tasks = plan?.tasks.map(\.task) ?? []
        return today.compactMap { id in tasks.first { $0.id == id }.map { ($0, ticks[id]) } }
    }

    /// Reads a plan. Most fields are absent if the learner has no profile.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        day = try fields.decode(StudyDay.self, forKey: .day)
        weekday = try fields.decodeIfPresent(Weekday.self, forKey: .weekday)
        profile = try fields.decodeIfPresent(LearnerProfile.self, forKey: .profile)
        plan = try fields.decodeIfPresent(StudyPlan.self, forKey: .plan)
        ticks = try fields.decodeIfPresent([String: Tick].self, forKey: .ticks) ?? [:]
        today = try fields.decodeIfPresent([String].self, forKey: .today) ?? []
        score = try fields.decodeIfPresent(Double.self, forKey: .score)
        streak = try fields.decodeIfPresent(Streak.self, forKey: .streak)
        daysToTest = try fields.decodeIfPresent(Int.self, forKey: .daysToTest)
        begins = try fields.decodeIfPresent(StudyDay.self, forKey: .begins)
        points = try fields.decodeIfPresent([String].self, forKey: .points) ?? []
        canPreview = try fields.decodeIfPresent(Bool.self, forKey: .canPreview) ?? false
        progress = try fields.decodeIfPresent(Progress.self, forKey: .progress) ?? Progress(exams: [])
    }
}

/// A plan that could replace the learner's own, and the changes that it would make.
public struct OfferedPlan: Codable, Equatable, Sendable {
    public var plan: StudyPlan
    public var added, removed, moved, kept: [Item]

    public struct Item: Codable, Equatable, Sendable {
        /// The day on the new plan; for a removed task, on the old one.
        public var day: Weekday
        public var title: String
        public var link: PlanLink
        /// The previous day of a moved task.
        public var from: Weekday?
    }
}

/// Everything that a server keeps of a learner's plans, for the learner to take along.
public struct ExportedPlans: Codable, Equatable, Sendable {
    public var profile: LearnerProfile?
    public var history: PlanHistory?
}
