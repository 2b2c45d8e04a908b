/// The days of a week and the room that each has before tasks are placed. It follows from the profile's days, hours and
/// constraints, and from the test's date. Imports nothing.
struct WeekFrame: Equatable {
    struct Day: Equatable {
        var weekday: Weekday
        var day: StudyDay
        /// The minutes available for tasks.
        var budget: Int
        /// The most minutes in one piece.
        var atOnce: Int
        /// The free spans in minutes after midnight, in order and without overlap.
        var free: [Range<Int>]
        var barred: Set<PlanLink.Kind> = []
        /// The days to the test. Nil without a coming test.
        var daysToTest: Int?
        /// The reason why the day stays empty. Nil if it can have tasks.
        var closed: String?

        var isTaper: Bool { daysToTest.map { $0 <= PlanPacing.taperDays } ?? false }

        /// Whether something can be done on the day.
        var isUsable: Bool { closed == nil && hasRoom }

        /// Whether budget and constraints leave room, even if the day is over. A contradiction in the profile applies
        /// to any day of the week.
        var hasRoom: Bool {
            budget >= PlanPacing.leastMinutes && atOnce >= PlanPacing.leastMinutes
                && free.contains { $0.count >= PlanPacing.leastMinutes }
                && barred.count < PlanLink.Kind.allCases.count
        }

        /// The minutes that can be planned: the budget, or the free time if that is less.
        var room: Int { min(budget, free.reduce(0) { $0 + $1.count }) }

        /// Returns whether a link may be on the day at all, regardless of other tasks.
        func takes(_ link: PlanLink) -> Bool {
            guard !barred.contains(link.kind), closed == nil else { return false }
            // If speaking is excluded, so are shadowing and exams.
            if barred.contains(.speaking), link.isAloud { return false }
            if case .sit(let sitting) = link, sitting.isWhole, let daysToTest {
                return daysToTest > PlanPacing.restBeforeTest
            }
            return true
        }
    }

    /// The available days, in the order of the week.
    var days: [Day]
    /// The constraints that are kept.
    var kept: [PlanConstraint] = []
    var notes: [PlanNote] = []

    /// Creates the frame of a week.
    ///
    /// - Parameters:
    ///   - week: any day of the week.
    ///   - asOf: the moment from which time is available. Nil for the whole week.
    init(_ profile: LearnerProfile, week: StudyDay, asOf: StudyMoment? = nil) {
        let monday = week.monday
        days = Weekday.allCases.filter(profile.availableDays.contains).map { weekday in
            let day = monday.advanced(by: weekday.number - 1)
            var frame = Day(
                weekday: weekday, day: day, budget: profile.minutesADay, atOnce: PlanPacing.atOnce,
                free: [PlanPacing.dayHours])
            if let asOf, day < asOf.day {
                frame.closed = "This day was over when the plan was made."
            } else if let test = profile.testDate, test >= monday {
                frame.daysToTest = day.distance(to: test)
                if day == test { frame.closed = "The test is today." }
                if day > test { frame.closed = "The test is over. Set a new date for a new plan." }
            }
            return frame
        }
        constrain(by: profile.constraints ?? [])
        taper(profile)
        if let asOf { cut(before: asOf) }
    }

    /// Removes the hours of the present day that have passed. This comes after the constraints, because the time of day
    /// must not decide whether they leave any room.
    private mutating func cut(before now: StudyMoment) {
        guard let place = days.firstIndex(where: { $0.day == now.day && $0.closed == nil }), days[place].hasRoom else {
            return
        }
        let step = PlanPacing.startsEvery * 60
        let first = (now.secondsOfDay + step - 1) / step * PlanPacing.startsEvery
        days[place].free = days[place].free.without(0..<first)
        if !days[place].hasRoom { days[place].closed = "Too little of this day was left when the plan was made." }
    }

    private mutating func constrain(by texts: [String]) {
        for constraint in texts.map(PlanConstraint.init) {
            guard let rule = constraint.rule else {
                notes.append(
                    PlanNote(
                        .notUnderstood,
                        "Not understood and ignored: \"\(constraint.text)\". \(PlanConstraint.examples)"))
                continue
            }
            var changed = days
            for place in changed.indices { changed[place].apply(rule) }
            if days.contains(where: \.hasRoom), !changed.contains(where: \.hasRoom) {
                let others = kept.isEmpty ? "" : ", together with your other constraints"
                notes.append(
                    PlanNote(
                        .impossible,
                        "Impossible and ignored: \"\(constraint.text)\" leaves no time on any day\(others)."))
                continue
            }
            days = changed
            kept.append(constraint)
        }
    }

    private mutating func taper(_ profile: LearnerProfile) {
        for place in days.indices where days[place].isTaper && days[place].closed == nil {
            days[place].budget = max(days[place].budget / 2, min(days[place].budget, PlanPacing.leastMinutes))
            if days[place].daysToTest == 1 {
                days[place].budget = min(days[place].budget, PlanPacing.lastDayMinutes)
            }
        }
        if let test = profile.testDate, let monday = days.first?.day.monday, test < monday {
            notes.append(
                PlanNote(
                    .testOver, "The test of \(test.text) is over. To plan for another one, set its date."))
        }
        if let test = profile.testDate, days.contains(where: { $0.isTaper && $0.closed == nil }) {
            notes.append(
                PlanNote(
                    .taper,
                    "The test is on \(test.text): days are shorter, nothing new begins, and the last two days have no whole exam."
                ))
        }
    }

    /// Returns the reason why a day has no tasks.
    func reason(forEmpty day: Day) -> String {
        if let closed = day.closed { return closed }
        if day.budget < PlanPacing.leastMinutes {
            return "Only \(day.budget) minutes are left, and a task takes at least \(PlanPacing.leastMinutes)."
        }
        if day.atOnce < PlanPacing.leastMinutes || !day.free.contains(where: { $0.count >= PlanPacing.leastMinutes }) {
            return "Your constraints leave no time on this day."
        }
        return "No task fits this day's time, your constraints and the tasks of the day before."
    }
}

extension WeekFrame.Day {
    mutating func apply(_ rule: PlanConstraint.Rule) {
        switch rule {
        case .notOn(let days):
            if days.contains(weekday) { free = [] }
        case .notDuring(let span, let days):
            if days.contains(weekday) { free = free.without(span) }
        case .atOnce(let minutes): atOnce = min(atOnce, minutes)
        case .aDay(let minutes, let days):
            if days.contains(weekday) { budget = min(budget, minutes) }
        case .without(let kinds, let days):
            if days.contains(weekday) { barred.formUnion(kinds) }
        }
    }
}

extension [Range<Int>] {
    func without(_ span: Range<Int>) -> [Range<Int>] {
        flatMap { range in
            [
                range.lowerBound..<Swift.max(range.lowerBound, Swift.min(range.upperBound, span.lowerBound)),
                Swift.min(range.upperBound, Swift.max(range.lowerBound, span.upperBound))..<range.upperBound,
            ]
        }.filter { !$0.isEmpty }
    }
}
