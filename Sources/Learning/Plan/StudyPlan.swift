public import ExamCore

/// What to do in one week (V3). Every task is something that can be run, and says why it is there.
public struct StudyPlan: Codable, Equatable, Sendable {
    /// A Monday.
    public var weekOf: StudyDay
    /// When: by day, in order, without overlap. A day that is available has a list, if an empty one.
    public var timeBlocks: [Weekday: [TimeBlock]]
    /// What: by day, in the order in which they are done.
    public var dailyTasks: [Weekday: [PlanTask]]
    public var milestones: [PlanMilestone]
    public var resources: [PlanResource]
    /// From 1; each change of a week's plan is one more.
    public var version: Int
    /// Why a day is empty, what was not understood, what could not be honoured.
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

    /// When a task is done: the tasks of a block follow one another. Nil where it stands in none.
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

    /// Days are the fields of an object; `notes` may be absent, as in plans of others.
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

/// Time that is set aside on a day.
public struct TimeBlock: Codable, Equatable, Sendable {
    public var begin: ClockTime
    /// After `begin`, at midnight at the latest.
    public var end: ClockTime
    /// Ids of the day's tasks, in order.
    public var tasks: [String]

    public init(begin: ClockTime, end: ClockTime, tasks: [String]) {
        self.begin = begin
        self.end = end
        self.tasks = tasks
    }

    /// As minutes after midnight.
    var range: Range<Int> { begin.minutes..<max(begin.minutes, end.minutes) }

    /// - Parameter hours: minutes after midnight.
    func isWithin(_ hours: Range<Int>) -> Bool {
        hours.lowerBound <= begin.minutes && end.minutes <= hours.upperBound
    }
}

public struct PlanTask: Codable, Equatable, Sendable, Identifiable {
    /// Its place: `monday-1`. It stays when the task is moved or another comes into its place, so that blocks and calendars go on pointing at it.
    public var id: String
    public var title: String
    public var link: PlanLink
    /// What to type; always what `link` says.
    public var command: String
    /// More than 0.
    public var minutes: Int
    /// Why it is there, in one sentence.
    public var reason: String
    /// The day for which it was planned first, where it was missed then.
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

/// Something that is reached by a day.
public struct PlanMilestone: Codable, Equatable, Sendable {
    public var date: StudyDay
    public var title: String

    public init(date: StudyDay, title: String) {
        self.date = date
        self.title = title
    }
}

/// Something to look into beside the tasks.
public struct PlanResource: Codable, Equatable, Sendable {
    public var title: String
    public var link: PlanLink
    /// Always what `link` says.
    public var command: String
    public var reason: String

    public init(title: String, link: PlanLink, reason: String) {
        self.title = title
        self.link = link
        command = link.command
        self.reason = reason
    }
}

/// What has to be said about a plan.
public struct PlanNote: Codable, Equatable, Sendable {
    public var about: Subject
    /// Where it is about one day.
    public var day: Weekday?
    public var text: String

    public enum Subject: String, Choice {
        /// A day has nothing.
        case empty
        /// A constraint contradicts the rest.
        case impossible
        /// A constraint is none of those that are understood.
        case notUnderstood
        /// Nothing is known of the learner.
        case starter
        /// The test is near.
        case taper
        /// The test's date is past.
        case testOver
        /// Something that was missed has no place any more.
        case expired
        /// A day has time that is not filled.
        case free
        /// Something was mended in a plan that others wrote.
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
