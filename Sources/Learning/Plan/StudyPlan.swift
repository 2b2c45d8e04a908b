public import ExamCore

/// The plan for one week. Every task can be run and states its reason.
public struct StudyPlan: Codable, Equatable, Sendable {
    /// A Monday.
    public var weekOf: StudyDay
    /// The time blocks of each day, in order and without overlap. Every available day has a list, which may be empty.
    public var timeBlocks: [Weekday: [TimeBlock]]
    /// The tasks of each day, in the order in which to do them.
    public var dailyTasks: [Weekday: [PlanTask]]
    public var milestones: [PlanMilestone]
    public var resources: [PlanResource]
    /// The version from 1. Each change of a week's plan adds one.
    public var version: Int
    /// Remarks on empty days, and on constraints that were not understood or could not be kept.
    public var notes: [PlanNote]

    public init(
        weekOf: StudyDay, timeBlocks: [Weekday: [TimeBlock]] = [:], dailyTasks: [Weekday: [PlanTask]] = [:],
        milestones: [PlanMilestone] = [], resources: [PlanResource] = [], version: Int = 1, notes: [PlanNote] = []
    ) {
        self.weekOf = weekOf
        self.timeBlocks = timeBlocks
        self.dailyTasks = dailyTasks
        self.milestones = milestones
        self.resources = resources
        self.version = version
        self.notes = notes
    }

    public func day(_ weekday: Weekday) -> StudyDay { weekOf.advanced(by: weekday.number - 1) }

    /// All tasks with their days, in the order of the week.
    public var tasks: [(day: Weekday, task: PlanTask)] {
        Weekday.allCases.flatMap { day in (dailyTasks[day] ?? []).map { (day, $0) } }
    }

    /// Returns the time of a task. The tasks of a block follow one another. Nil if no block contains the task.
    public func time(of task: PlanTask, on day: Weekday) -> (begin: ClockTime, end: ClockTime)? {
        let minutes = Dictionary((dailyTasks[day] ?? []).map { ($0.id, $0.minutes) }) { first, _ in first }
        for block in timeBlocks[day] ?? [] {
            guard let place = block.tasks.firstIndex(of: task.id) else { continue }
            let begin = block.tasks[..<place].reduce(block.begin.minutes) { $0 + (minutes[$1] ?? 0) }
            return (ClockTime(minutes: begin), ClockTime(minutes: begin + task.minutes))
        }
        return nil
    }

    enum Field: String, CodingKey, CaseIterable {
        case weekOf, timeBlocks, dailyTasks, milestones, resources, version, notes
    }

    /// Decodes a plan. Days are the fields of an object. `notes` may be absent, as in plans from other programs.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        func byDay<Value: Decodable>(_ field: Field, of type: Value.Type) throws -> [Weekday: [Value]] {
            var days: [Weekday: [Value]] = [:]
            for (name, values) in try fields.decode([String: [Value]].self, forKey: field) {
                guard let day = Weekday(rawValue: name) else {
                    throw DecodingError.dataCorrupted(
                        .init(
                            codingPath: fields.codingPath + [field],
                            debugDescription:
                                "a day is \(Weekday.allCases.map(\.rawValue).orWords), not \"\(name)\""))
                }
                days[day] = values
            }
            return days
        }
        self.init(
            weekOf: try fields.decode(StudyDay.self, forKey: .weekOf),
            timeBlocks: try byDay(.timeBlocks, of: TimeBlock.self),
            dailyTasks: try byDay(.dailyTasks, of: PlanTask.self),
            milestones: try fields.decode([PlanMilestone].self, forKey: .milestones),
            resources: try fields.decode([PlanResource].self, forKey: .resources),
            version: try fields.decode(Int.self, forKey: .version),
            notes: try fields.decodeIfPresent([PlanNote].self, forKey: .notes) ?? [])
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(weekOf, forKey: .weekOf)
        try fields.encode(timeBlocks.byName, forKey: .timeBlocks)
        try fields.encode(dailyTasks.byName, forKey: .dailyTasks)
        try fields.encode(milestones, forKey: .milestones)
        try fields.encode(resources, forKey: .resources)
        try fields.encode(version, forKey: .version)
        try fields.encode(notes, forKey: .notes)
    }
}

/// A span of time on one day that is reserved for tasks.
public struct TimeBlock: Codable, Equatable, Sendable {
    public var begin: ClockTime
    /// After `begin`, at midnight at the latest.
    public var end: ClockTime
    /// The ids of the block's tasks, in order.
    public var tasks: [String]

    public init(begin: ClockTime, end: ClockTime, tasks: [String]) {
        self.begin = begin
        self.end = end
        self.tasks = tasks
    }

    /// The span in minutes after midnight.
    var range: Range<Int> { begin.minutes..<max(begin.minutes, end.minutes) }

    /// Returns whether the block lies within these hours.
    ///
    /// - Parameter hours: minutes after midnight.
    func isWithin(_ hours: Range<Int>) -> Bool {
        hours.lowerBound <= begin.minutes && end.minutes <= hours.upperBound
    }
}

public struct PlanTask: Codable, Equatable, Sendable, Identifiable {
    /// The place of the task: `monday-1`. It does not change when the task is moved or replaced, so that blocks and
    /// calendars still refer to it.
    public var id: String
    public var title: String
    public var link: PlanLink
    /// The command to type. It always matches `link`.
    public var command: String
    /// More than 0.
    public var minutes: Int
    /// The reason for the task in one sentence.
    public var reason: String
    /// The day for which a task that was missed had first been planned.
    public var carriedFrom: StudyDay?

    public init(id: String, title: String, link: PlanLink, minutes: Int, reason: String, carriedFrom: StudyDay? = nil) {
        self.id = id
        self.title = title
        self.link = link
        command = link.command
        self.minutes = minutes
        self.reason = reason
        self.carriedFrom = carriedFrom
    }
}

/// A goal to reach by a date.
public struct PlanMilestone: Codable, Equatable, Sendable {
    public var date: StudyDay
    public var title: String

    public init(date: StudyDay, title: String) {
        self.date = date
        self.title = title
    }
}

/// Something useful besides the tasks.
public struct PlanResource: Codable, Equatable, Sendable {
    public var title: String
    public var link: PlanLink
    /// Always matches `link`.
    public var command: String
    public var reason: String

    public init(title: String, link: PlanLink, reason: String) {
        self.title = title
        self.link = link
        command = link.command
        self.reason = reason
    }
}

/// A remark about a plan.
public struct PlanNote: Codable, Equatable, Sendable {
    public var about: Subject
    /// The day, if the note is about one day.
    public var day: Weekday?
    public var text: String

    public enum Subject: String, Choice {
        /// The day has no tasks.
        case empty
        /// The constraint contradicts the rest.
        case impossible
        /// The constraint is not understood.
        case notUnderstood
        /// Nothing is known about the learner yet.
        case starter
        /// The test is near.
        case taper
        /// The test's date is past.
        case testOver
        /// A missed task has no place any more.
        case expired
        /// A day has unused time.
        case free
        /// A plan from outside was mended.
        case mended
    }

    public init(_ about: Subject, day: Weekday? = nil, _ text: String) {
        self.about = about
        self.day = day
        self.text = text
    }
}

extension [Weekday: [TimeBlock]] {
    fileprivate var byName: [String: [TimeBlock]] { .init(uniqueKeysWithValues: map { ($0.rawValue, $1) }) }
}

extension [Weekday: [PlanTask]] {
    fileprivate var byName: [String: [PlanTask]] { .init(uniqueKeysWithValues: map { ($0.rawValue, $1) }) }
}

extension [String] {
    /// "a, b or c".
    var orWords: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}
