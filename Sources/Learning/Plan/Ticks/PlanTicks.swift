/// The tasks of a plan that are done, found from the learner's deeds. Order, weekday and place of the deeds do not
/// matter.
public struct PlanTicks: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case open
        /// The share that was done, more than 0 and less than 1.
        case partly(Double)
        case done(on: StudyDay)
    }

    /// The states by the tasks' ids.
    public let states: [String: State]
    private let plan: StudyPlan

    /// Matches deeds with tasks.
    ///
    /// - Parameter deeds: in any order. Only those of the plan's week count. Each deed ticks one task: one of its own
    ///   day if possible, and otherwise the first. A whole exam ticks the week's whole exam, or else all of its parts.
    public init(_ plan: StudyPlan, _ deeds: some Sequence<Deed>) {
        self.plan = plan
        let week = plan.weekOf...plan.weekOf.advanced(by: 6)
        let tasks = plan.tasks
        var tallies = tasks.map { _ in Tally() }
        let sorted = deeds.filter { week.contains($0.day) }.sorted {
            ($0.moment.seconds, $0.link.text, $0.minutes) < ($1.moment.seconds, $1.link.text, $1.minutes)
        }
        for deed in sorted {
            let open = tasks.indices.compactMap { place -> (place: Int, match: Match)? in
                guard tallies[place].doneOn == nil else { return nil }
                return Match(deed, for: tasks[place].task.link).map { (place, $0) }
            }
            let best = open.min { a, b in
                func rank(_ one: (place: Int, match: Match)) -> (Int, Int, Int) {
                    (one.match.rank, plan.day(tasks[one.place].day) == deed.day ? 0 : 1, one.place)
                }
                return rank(a) < rank(b)
            }
            guard let best else { continue }
            // A whole exam contains all of its parts.
            let ticked = best.match == .wholeForPart ? open.filter { $0.match == .wholeForPart } : [best]
            for (place, match) in ticked { tallies[place].add(deed, match, to: tasks[place].task) }
        }
        var states: [String: State] = [:]
        for ((_, task), tally) in zip(tasks, tallies) {
            states[task.id] =
                tally.doneOn.map { .done(on: $0) } ?? (tally.share > 0 ? .partly(min(tally.share, 0.99)) : .open)
        }
        self.states = states
    }

    private struct Tally {
        var share = 0.0
        var parts: Set<Int> = []
        var doneOn: StudyDay?

        mutating func add(_ deed: Deed, _ match: Match, to task: PlanTask) {
            switch match {
            case .partForWhole(let part, let count):
                guard parts.insert(part).inserted else { return }
                share += 1 / Double(count)
            default: share += deed.isWhole ? 1 : deed.minutes / Double(max(1, task.minutes))
            }
            // Three thirds make a whole despite rounding.
            if share > 0.999 { doneOn = deed.day }
        }
    }

    /// The way in which a deed fulfils a task.
    private enum Match: Equatable {
        /// A part on the topic that the task asks for.
        case byTopic
        case exact
        /// A test for any test, the shadowing of a lesson for any shadowing, or a part on some topic for that part.
        case wider
        case wholeForPart
        case partForWhole(part: Int, of: Int)

        var rank: Int {
            switch self {
            case .byTopic: 0
            case .exact: 1
            case .wider: 2
            case .wholeForPart: 3
            case .partForWhole: 4
            }
        }

        init?(_ deed: Deed, for task: PlanLink) {
            switch (deed.link, task) {
            case _ where deed.link == task: self = .exact
            case (.test, .test(nil)), (.shadow, .speak(.shadowing)): self = .wider
            case (.review(let session), .review(let wanted)):
                guard wanted == "last" || session.hasPrefix(wanted) else { return nil }
                self = .wider
            case (.sit(let sat), .sit(let wanted)) where sat.format == wanted.format:
                if let topic = wanted.topic?.lowercased() {
                    guard sat.topic?.lowercased() == topic || deed.topics.contains(topic) else { return nil }
                }
                switch (sat.part, wanted.part) {
                case (let part?, let other?):
                    guard part == other else { return nil }
                    self = wanted.topic == nil ? .wider : .byTopic
                case (nil, _?): self = .wholeForPart
                case (let part?, nil): self = .partForWhole(part: part, of: PlanLink.Sitting.partCount(of: sat.format))
                case (nil, nil): self = .exact
                }
            default: return nil
            }
        }
    }

    /// The ids of the done tasks.
    public var done: Set<String> { Set(states.filter { if case .done = $0.value { true } else { false } }.keys) }

    /// Returns the number of a day's tasks, and how many of them are done.
    public func counts(on day: Weekday) -> (done: Int, of: Int) {
        let tasks = plan.dailyTasks[day] ?? []
        return (tasks.count { done.contains($0.id) }, tasks.count)
    }

    /// The share of each day's tasks that is done, 0 to 1. Days without tasks are not included.
    public var shares: [StudyDay: Double] {
        var shares: [StudyDay: Double] = [:]
        for (day, tasks) in plan.dailyTasks where !tasks.isEmpty {
            let sum = tasks.reduce(0.0) { sum, task in
                switch states[task.id] {
                case .done: sum + 1
                case .partly(let share): sum + share
                case .open, nil: sum
                }
            }
            shares[plan.day(day)] = sum / Double(tasks.count)
        }
        return shares
    }

    /// Returns the tasks of days before today that are not done, the oldest first. Of tasks that were done in part,
    /// returns the rest.
    public func missed(before today: StudyDay) -> [MissedTask] {
        plan.tasks.compactMap { day, task in
            guard plan.day(day) < today else { return nil }
            var task = task
            switch states[task.id] {
            case .done: return nil
            case .partly(let share): task.minutes = max(1, Int((Double(task.minutes) * (1 - share)).rounded(.up)))
            case .open, nil: break
            }
            return MissedTask(task, missedOn: plan.day(day))
        }
    }
}
