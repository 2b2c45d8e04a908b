public import ExamCore
public import SystemSupport

/// All plans of a learner, in order. Plans are never removed. Undoing a change appends the earlier plan as a new
/// version, so that calendars see a change, and records which version it restores.
public struct PlanHistory: Codable, Equatable, Sendable {
    public private(set) var entries: [Entry] = []

    public struct Entry: Codable, Equatable, Sendable {
        public var change: Change
        /// The section that was re-rolled, for a re-roll.
        public var section: StudyPlan.Section?
        /// The version that was restored, for an undo.
        public var restored: Int?
        public var plan: StudyPlan
    }

    public enum Change: String, Choice {
        /// The first plan of a week, or a plan that replaces another.
        case made
        case rerolled
        /// Missed tasks were moved.
        case carried
        case undone
    }

    /// An undo that was done.
    public struct Undone: Equatable, Sendable {
        /// The plan at the end of the history now.
        public let plan: StudyPlan
        /// The version that was undone, and the one that was restored.
        public let from, to: Int

        public var sentence: String {
            "Version \(from) is undone: version \(plan.version) is the same as version \(to)."
        }
    }

    public init() {}

    public var current: StudyPlan? { entries.last?.plan }

    /// Returns the newest plan of a week.
    public func plan(of week: StudyDay) -> StudyPlan? { entries.last { $0.plan.weekOf == week.monday }?.plan }

    /// Adds a plan at the end.
    ///
    /// - Parameter section: the section that was re-rolled, for a re-roll.
    /// - Throws: `Problem.differs` if the version is not one more than the week's latest, or if the week is before the
    ///   latest one: the plan was changed elsewhere meanwhile. The history does not change then.
    public mutating func add(_ plan: StudyPlan, as change: Change, of section: StudyPlan.Section? = nil) throws(Problem)
    {
        try add(Entry(change: change, section: section, restored: nil, plan: plan))
    }

    private mutating func add(_ entry: Entry) throws(Problem) {
        if let fault = fault(of: entry) { throw Problem(.differs, fault) }
        entries.append(entry)
    }

    private func fault(of entry: Entry) -> String? {
        guard let last = current else { return nil }
        let plan = entry.plan
        if plan.weekOf < last.weekOf { return "the week of \(plan.weekOf.text) is before that of \(last.weekOf.text)" }
        if plan.weekOf == last.weekOf, plan.version != last.version + 1 {
            return "version \(plan.version) does not follow version \(last.version)"
        }
        return nil
    }

    /// Goes back to the previous version of the week. Another call goes back to the version before that.
    ///
    /// - Returns: nil if the week has no earlier version.
    public mutating func undo() -> Undone? {
        guard let last = entries.last else { return nil }
        let version = last.restored ?? last.plan.version
        guard
            let place = entries.lastIndex(where: { $0.plan.weekOf == last.plan.weekOf && $0.plan.version == version }),
            place > 0, entries[place - 1].plan.weekOf == last.plan.weekOf
        else { return nil }
        let before = entries[place - 1]
        let restored = before.restored ?? before.plan.version
        var plan = before.plan
        plan.version = last.plan.version + 1
        entries.append(Entry(change: .undone, section: nil, restored: restored, plan: plan))
        return Undone(plan: plan, from: version, to: restored)
    }

    private enum Field: String, CodingKey { case entries }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        for (place, entry) in try fields.decode([Entry].self, forKey: .entries).enumerated() {
            if let fault = fault(of: entry) {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: fields.codingPath + [Field.entries],
                        debugDescription: "entry \(place + 1) is wrong: \(fault)"))
            }
            entries.append(entry)
        }
    }
}

extension PlanHistory {
    /// Reads a history from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with the line and column or the field. Versions that do not rise are malformed,
    ///   too.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> PlanHistory {
        let history = try JSONFile.decode(
            PlanHistory.self, "history of plans", version: nil, from: bytes, name: name)
        for (place, entry) in history.entries.enumerated() {
            if let fault = entry.plan.fault { throw Problem(.malformed, "\(name): entries[\(place)].plan.\(fault)") }
        }
        return history
    }

    public var json: [UInt8] { JSONFile.encode(self) }
}
