/// The week that a new plan is for.
enum PlanStart {
    /// Returns the week of `now` if something can still be done on one of its days. Otherwise returns the next week: a
    /// plan for Monday to Friday that is made on a Saturday begins on Monday.
    ///
    /// Does not skip the week of the learner's test, because there is nothing to prepare for after it. Does not skip
    /// this week either if the next is no better, for example because constraints leave no time on any day. The plan's
    /// notes then say why it is empty.
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
    /// Returns the Monday of the first week in which a learner with this profile can still do something: this week or
    /// the next.
    public func week(for profile: LearnerProfile) -> StudyDay { PlanStart.week(for: profile, at: now) }
}

extension StudyPlan {
    /// The first day with a task. Nil if the plan has no tasks.
    public var firstDay: StudyDay? { tasks.first.map { day($0.day) } }
}
