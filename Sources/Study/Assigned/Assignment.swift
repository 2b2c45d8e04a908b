public import Learning

/// Work that a teacher assigned to a learner, by a day.
///
/// Only the assignment is stored. Its state is found from what the learner did.
public struct Assignment: Equatable, Identifiable, Sendable {
    public var id: String
    /// The work to do.
    public var work: AssignedWork
    /// The last day on which it is in time, by the learner's clock.
    public var due: StudyDay
    /// The seconds since 1970 at which it was assigned.
    public var madeAt: Int

    public init(id: String, work: AssignedWork, due: StudyDay, madeAt: Int) {
        (self.id, self.work, self.due, self.madeAt) = (id, work, due, madeAt)
    }

    /// The state of an assignment for one learner.
    public enum State: Equatable, Sendable {
        /// Not done, and the day is not over.
        case open
        /// Not done, and the day is over.
        case missing
        /// Done on the day or before.
        case done(WorkDone)
        /// Done after the day.
        case late(WorkDone)

        /// The state's name for programs.
        public var name: String {
            switch self {
            case .open: "open"
            case .missing: "missing"
            case .done: "done"
            case .late: "late"
            }
        }

        /// The deed that did the work. Nil if it is not done.
        public var deed: WorkDone? {
            switch self {
            case .open, .missing: nil
            case .done(let deed), .late(let deed): deed
            }
        }
    }

    fileprivate func rank(of deed: WorkDone) -> (Int, Int, StudyDay, Int, String)? {
        guard deed.moment.seconds >= madeAt || work.countsEarlier, let rank = work.rank(of: deed.what) else {
            return nil
        }
        return (deed.day <= due ? 0 : 1, rank, due, madeAt, id)
    }
}

extension [Assignment] {
    /// Returns the states of one learner's assignments by their ids. The order of assignments and deeds does not
    /// matter.
    ///
    /// A deed counts for at most one assignment, which must have been made before the deed. If several match, an
    /// assignment that is still in time comes first, then the one that the deed fits best, then the one that is due
    /// earliest. Work that is assigned twice must therefore be done twice. Only a lesson that was read counts for all
    /// assignments of that lesson, also for those made later.
    public func states(after done: [WorkDone], on today: StudyDay) -> [Assignment.ID: Assignment.State] {
        var states = [Assignment.ID: Assignment.State](
            map { ($0.id, $0.due < today ? .missing : .open) }, uniquingKeysWith: { first, _ in first })
        var open = self
        for deed in done.sorted(by: WorkDone.isEarlier) {
            let fitting = open.compactMap { one in one.rank(of: deed).map { (one, rank: $0) } }
            guard let best = fitting.min(by: { $0.rank < $1.rank })?.0 else { continue }
            for (one, _) in fitting where one.id == best.id || one.work.countsEarlier {
                states[one.id] = deed.day <= one.due ? .done(deed) : .late(deed)
                open.removeAll { $0.id == one.id }
            }
        }
        return states
    }
}
