/// The week that a new plan is for.
enum PlanStart {
    /// Returns the week of `now` if it still has a day on which something can be done, and otherwise the next week: a plan for Monday to Friday that is
    /// made on a Saturday begins on Monday.
    ///
    /// A week that the learner's test ends is not passed over: there is nothing to prepare for afterwards. Neither is one if the next is no better, as
    /// when constraints leave no time on any day; its notes say why it is empty.
    ///
    /// - Returns: a Monday.
    static func week(for profile: LearnerProfile, at now: StudyMoment) -> StudyDay {
        let (this, next) = (now.day.monday, now.day.monday.advanced(by: 7))
        func isUsable(_ week: StudyDay) -> Bool {
            WeekFrame(profile, week: week, asOf: now).days.contains(where: \.isUsable)
        }
        if isUsable(this) { return this }
        if let test = profile.testDate, test >= now.day, test < next { return this }
        return isUsable(next) ? next : this
    }
}

extension PlanKnowledge {
    /// The Monday of the first week in which a learner with this profile can still do something: this week's, or the next one's.
    public func week(for profile: LearnerProfile) -> StudyDay { PlanStart.week(for: profile, at: now) }
}

extension StudyPlan {
    /// The first day that has a task; nil if none has.
    public var firstDay: StudyDay? { tasks.first.map { day($0.day) } }
}
