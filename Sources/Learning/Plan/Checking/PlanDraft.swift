/// A plan that somebody else wrote, a model most of all: mended where that is safe, refused where it is not. What is mended is said.
public struct PlanDraft: Equatable, Sendable {
    public let outcome: Outcome
    /// What was mended or thrown away, in the order in which it was found.
    public let repairs: [Repair]

    public enum Outcome: Equatable, Sendable {
        /// It keeps every `PlanRule`.
        case plan(StudyPlan)
        /// One sentence without a full stop, for whoever asks again.
        case refused(String)
    }

    public struct Repair: Equatable, Sendable {
        /// The field: `dailyTasks.Monday[2].link`.
        public let place: String
        public let what: Kind
        /// One sentence without a full stop.
        public let sentence: String

        public enum Kind: String, CaseIterable, Sendable {
            /// Words around the JSON were left out.
            case unwrapped
            /// A task, milestone or resource was left out.
            case dropped
            /// A task stands on another day.
            case moved
            /// A field has another value.
            case changed
            /// Blocks were laid out anew.
            case laidOut
        }
    }

    public var plan: StudyPlan? { if case .plan(let plan) = outcome { plan } else { nil } }

    /// - Parameters:
    ///   - text: what the model answered.
    ///   - week: any day of the week that was asked for.
    ///   - version: that of the plan that was asked for.
    public init(
        _ text: String, for profile: LearnerProfile, _ evidence: PlanEvidence = .init(), week: StudyDay,
        version: Int = 1
    ) {
        var mending = PlanMending(profile, evidence, week: week, version: version)
        outcome = mending.outcome(text)
        repairs = mending.repairs
    }
}

/// What a model's plan says, as far as it can be read: a field that is of another kind is as one that is not there.
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
