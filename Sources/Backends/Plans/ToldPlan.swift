public import ExamCore
public import Learning

/// A learner's own plan as an Oracy server tells of it, with what is done of it.
public struct ToldPlan: Codable, Equatable, Sendable {
    /// Today, by the learner's clock.
    public var day: StudyDay
    public var weekday: Weekday?
    /// nil, as `plan` is, where the learner said nothing yet.
    public var profile: LearnerProfile?
    public var plan: StudyPlan?
    /// By the tasks' ids.
    public var ticks: [String: Tick]
    /// Ids of today's tasks, in order.
    public var today: [String]
    /// 0 … 1: how much of what was planned is done, lately more than long ago.
    public var score: Double?
    public var streak: Streak?
    public var daysToTest: Int?
    /// The first day with a task, while that is still to come; nil once the plan has begun.
    public var begins: StudyDay?
    /// Three sentences at most, of what the last exam said to do next.
    public var points: [String]
    /// A new week, or missed tasks, ask for another plan: see `PlanClient.preview`.
    public var canPreview: Bool
    public var progress: Progress

    /// What became of a task.
    public struct Tick: Codable, Equatable, Sendable {
        public var state: State
        /// Of what it takes, where it is done in part: more than 0 and less than 1.
        public var share: Double?
        public var doneOn: StudyDay?

        public enum State: String, Choice { case open, partly, done }
    }

    /// Days in a row on which something was done.
    public struct Streak: Codable, Equatable, Sendable {
        public var days, longest: Int
        /// Whether today counts already.
        public var hasToday: Bool
        /// It ends with today where nothing is done.
        public var isAtRisk: Bool
    }

    /// The learner's exams, the newest last.
    public struct Progress: Codable, Equatable, Sendable {
        public var exams: [Exam]
    }

    /// An exam that was sat, with what was measured in it.
    public struct Exam: Codable, Equatable, Sendable {
        /// Its session's id.
        public var session: String
        public var day: StudyDay
        public var format: String
        public var title: String?
        /// How it sounded, in a word.
        public var word: String?
        public var measures: [String: Double]
    }

    /// A task of today, and what became of it, in order; what the plan does not have is left out.
    public var todaysTasks: [(task: PlanTask, tick: Tick?)] {
        let tasks = plan?.tasks.map(\.task) ?? []
        return today.compactMap { id in tasks.first { $0.id == id }.map { ($0, ticks[id]) } }
    }

    /// Where there is no profile most of it is absent.
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

/// A plan that would take the place of the learner's own, and what it would change.
public struct OfferedPlan: Codable, Equatable, Sendable {
    public var plan: StudyPlan
    public var added, removed, moved, kept: [Item]

    public struct Item: Codable, Equatable, Sendable {
        /// On the new plan's day; of what goes, on the old one's.
        public var day: Weekday
        public var title: String
        public var link: PlanLink
        /// The day on which it was before, of what moves.
        public var from: Weekday?
    }
}

/// All that a server keeps of a learner's plans, as the learner may take it along.
public struct ExportedPlans: Codable, Equatable, Sendable {
    public var profile: LearnerProfile?
    public var history: PlanHistory?
}
