/// A plan from outside, usually from a model. Mistakes are mended if that is safe. Otherwise the plan is refused.
/// `repairs` lists every change.
public struct PlanDraft: Equatable, Sendable {
    public let outcome: Outcome
    /// The repairs, in the order in which they were made.
    public let repairs: [Repair]

    public enum Outcome: Equatable, Sendable {
        /// The plan keeps every `PlanRule`.
        case plan(StudyPlan)
        /// One sentence without a full stop that says why, for the next request.
        case refused(String)
    }

    public struct Repair: Equatable, Sendable {
        /// The field: `dailyTasks.Monday[2].link`.
        public let place: String
        public let what: Kind
        /// One sentence without a full stop.
        public let sentence: String

        public enum Kind: String, CaseIterable, Sendable {
            /// Text around the JSON was removed.
            case unwrapped
            /// A task, milestone or resource was removed.
            case dropped
            /// A task was moved to another day.
            case moved
            /// The value of a field was changed.
            case changed
            /// The blocks were laid out again.
            case laidOut
        }
    }

    public var plan: StudyPlan? { if case .plan(let plan) = outcome { plan } else { nil } }

    /// Reads and mends a model's plan.
    ///
    /// - Parameters:
    ///   - text: the model's answer.
    ///   - week: any day of the requested week.
    ///   - version: the version of the requested plan.
    public init(
        _ text: String, for profile: LearnerProfile, _ evidence: PlanEvidence = .init(), week: StudyDay,
        version: Int = 1
    ) {
        var mending = PlanMending(profile, evidence, week: week, version: version)
        outcome = mending.outcome(text)
        repairs = mending.repairs
    }
}

/// The readable parts of a model's plan. A field of the wrong type counts as missing.
struct LoosePlan: Decodable {
    var weekOf: String?
    var version: Int?
    var dailyTasks: [String: [Entry]]?
    var timeBlocks: [String: [TimeBlock]]?
    var milestones: [Milestone]
    var resources: [Entry]

    struct Entry: Decodable {
        var title, link, command, reason: String?
        var id: String?
        var minutes: Double?

        private enum Key: CodingKey { case id, title, link, command, minutes, reason }

        init(from decoder: any Decoder) throws {
            guard let fields = try? decoder.container(keyedBy: Key.self) else { return }
            func text(_ key: Key) -> String? { try? fields.decode(String.self, forKey: key) }
            (id, title, link, command, reason) = (text(.id), text(.title), text(.link), text(.command), text(.reason))
            minutes = try? fields.decode(Double.self, forKey: .minutes)
        }
    }

    struct Milestone: Decodable {
        var date, title: String?

        private enum Key: CodingKey { case date, title }

        init(from decoder: any Decoder) throws {
            guard let fields = try? decoder.container(keyedBy: Key.self) else { return }
            date = try? fields.decode(String.self, forKey: .date)
            title = try? fields.decode(String.self, forKey: .title)
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: StudyPlan.Field.self)
        weekOf = try? fields.decode(String.self, forKey: .weekOf)
        version = try? fields.decode(Int.self, forKey: .version)
        dailyTasks = try? fields.decode([String: [Entry]].self, forKey: .dailyTasks)
        timeBlocks = try? fields.decode([String: [TimeBlock]].self, forKey: .timeBlocks)
        milestones = (try? fields.decode([Milestone].self, forKey: .milestones)) ?? []
        resources = (try? fields.decode([Entry].self, forKey: .resources)) ?? []
    }
}
