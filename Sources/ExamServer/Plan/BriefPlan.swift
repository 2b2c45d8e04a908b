import ExamCore
import Learning
import SystemSupport

/// A plan in texts, for clients that only show it. Days have short names.
struct BriefPlan: Encodable, Sendable {
    var weekOf: StudyDay
    var timeBlocks: [String: [Block]]
    var dailyTasks: [String: [String]]
    var milestones: [String]
    var resources: [PlanResource]
    var version: Int

    struct Block: Encodable, Sendable {
        var begin, end: ClockTime
        /// The block's tasks by their places in the day's list: `Tasks 1 and 2`. They stay true if the tasks are
        /// replaced, unless the learner has done so much in between that a day gets another number of tasks.
        var title: String
    }

    init(_ plan: StudyPlan) {
        weekOf = plan.weekOf
        timeBlocks = plan.timeBlocks.byShortName { day, blocks in
            let places = (plan.dailyTasks[day] ?? []).map(\.id)
            return blocks.map { block in
                let numbers = block.tasks.compactMap { places.firstIndex(of: $0) }.map { $0 + 1 }.sorted()
                return Block(begin: block.begin, end: block.end, title: Self.title(numbers))
            }
        }
        dailyTasks = plan.dailyTasks.byShortName { _, tasks in tasks.map(\.brief) }
        milestones = plan.milestones.map { "\($0.date.text): \($0.title)" }
        resources = plan.resources
        version = plan.version
    }

    private static func title(_ numbers: [Int]) -> String {
        let list = numbers.map(String.init)
        return switch list.count {
        case 0: "Free"
        case 1: "Task \(list[0])"
        default: "Tasks " + list.dropLast().joined(separator: ", ") + " and " + list[list.count - 1]
        }
    }
}

/// A prep pack in texts, for clients that only show it.
struct BriefPrep: Encodable, Sendable {
    var prepOutline: [Section]
    var weeklyDrillPlan: [Day]
    var starterQuestions: [String]
    var resources: [PlanResource]

    /// A step of the exam or interview.
    struct Section: Encodable, Sendable {
        var title: String
        var points: [String]
    }

    struct Day: Encodable, Sendable {
        var day: String
        var drills: [String]
    }

    init(_ pack: PrepPack, for profile: LearnerProfile) {
        prepOutline = PrepPack.steps(for: profile).map { Section(title: $0.title, points: $0.points) }
        weeklyDrillPlan = pack.weeklyDrillPlan.map { Day(day: $0.day.short, drills: $0.drills.map(\.brief)) }
        starterQuestions = pack.starterQuestions
        resources = pack.resources
    }
}

/// A client's brief plan with one section made anew. All other fields stay as the client sent them, even unknown ones.
struct BriefReroll: Decodable {
    var section: StudyPlan.Section
    private var profile: LearnerProfile
    private var currentPlan: CanonicalJSON
    private var known: Known

    /// The fields that this server needs.
    private struct Known: Decodable {
        var weekOf: StudyDay
        var version: Int
    }

    private enum Field: CodingKey { case section, profile, currentPlan }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        section = try fields.decode(StudyPlan.Section.self, forKey: .section)
        profile = try fields.decode(LearnerProfile.self, forKey: .profile)
        currentPlan = try fields.decode(CanonicalJSON.self, forKey: .currentPlan)
        known = try fields.decode(Known.self, forKey: .currentPlan)
    }

    /// The invalid field and the reason, without a full stop. Nil if the request is valid.
    var fault: String? {
        profile.fault.map { "profile.\($0)" }
            ?? StudyPlan(weekOf: known.weekOf, version: known.version).fault.map { "currentPlan.\($0)" }
    }

    /// Returns the client's plan with the next version and another section: the first one, of a row that depends only on
    /// the request and the evidence, that differs from the client's.
    ///
    /// - Throws: `EncodingError` never in practice: plans have no infinite numbers.
    func rerolled(_ knowledge: PlanKnowledge) throws -> CanonicalJSON {
        let profile = PlanVersion.brief.completed(profile)
        var plan = StudyPlan(for: profile, knowledge.evidence, week: known.weekOf)
        plan.version = known.version
        let done = PlanTicks(plan, knowledge.deeds).done
        var fields = currentPlan.fields
        let before = fields[section.rawValue]
        for _ in 0..<Self.tries {
            plan = plan.rerolled(section, for: profile, knowledge.evidence, done: done)
            let next = try CanonicalJSON(of: BriefPlan(plan)).fields[section.rawValue]
            fields[section.rawValue] = next
            if next != before { break }
        }
        fields["version"] = .number(Double(known.version + 1))
        return .object(fields)
    }

    /// More than the choices for most tasks. After that the section stays as it is.
    private static let tries = 6
}

extension PlanTask {
    /// `Drill: food and eating out, 10 min`.
    fileprivate var brief: String { "\(title), \(minutes) min" }
}

extension Dictionary where Key == Weekday {
    /// Returns the dictionary with short names, and other values.
    fileprivate func byShortName<Brief>(_ brief: (Weekday, Value) -> Brief) -> [String: Brief] {
        .init(uniqueKeysWithValues: map { ($0.short, brief($0, $1)) })
    }
}
