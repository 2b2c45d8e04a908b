import ExamCore

@testable import Learning

/// A learner with known evidence, and random learners.
enum SamplePlans {
    /// A Monday.
    static let week = StudyDay(year: 2026, month: 11, day: 23)
    static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

    static func profile(
        hours: Double = 1, _ days: [Weekday] = workdays, _ constraints: [String]? = nil, test: StudyDay? = nil,
        format: PlanFormat? = nil, goal: Double? = nil
    ) -> LearnerProfile {
        LearnerProfile(
            name: "Mei", stage: "graduate", targetRole: "nurse in Leeds", timeBudgetHoursPerDay: hours,
            availableDays: days, constraints: constraints, goalBand: goal, testDate: test, format: format)
    }

    static let catalogue = PracticeCatalogue(packs: QuestionPack.builtIn, lessons: LessonCategory.builtIn)

    /// Everything that can be practised, not yet begun.
    static let fresh = PlanEvidence(
        practice: .init(
            catalogue, PracticeHistory(), lessons: LessonCategory.builtIn, at: StudyMoment(seconds: 0, offset: 0)))

    /// Two exams, of which the second was slow, and a drill that is due.
    static let known: PlanEvidence = {
        var evidence = fresh
        evidence.examTopics = ["food", "travel", "music"]
        evidence.exams = [
            .init(
                session: "2026-11-10-0912-ielts-style", day: week.advanced(by: -13), parts: [1, 2, 3],
                readings: [.init(.speechRate, 3.1, median: nil)],
                mistakes: [.init("agreement", count: 3), .init("tense", count: 1)], topics: ["food"]),
            .init(
                session: "2026-11-20-0912-ielts-style", day: week.advanced(by: -3), parts: [1, 2, 3],
                readings: [
                    .init(.speechRate, 2.4, median: 3.1), .init(.longestPause, 1.0, median: 1.2),
                    .init(.phonationTimeRatio, 70, median: 75),
                ], marks: [.init(.fluency, 6), .init(.vocabulary, 5), .init(.grammar, 6), .init(.pronunciation, nil)],
                mistakes: [.init("agreement", count: 2)], topics: ["travel"]),
        ]
        evidence.practice.hasBegun = true
        evidence.practice.packs[0].due = 12
        evidence.practice.packs[0].progress = 0.5
        evidence.practice.packs[0].lastDay = week.advanced(by: -1)
        return evidence
    }()

    static let constraints = [
        "not on Wednesday", "not before 18:00", "not after 21:00", "not Monday 18:00-19:00",
        "at most 20 minutes at once",
        "no speaking on Monday", "no exam on Friday", "not on weekends", "not 12:00-13:30",
        "at most 15 minutes a day on Friday",
        "no drills", "no lessons or tests on Tuesday and Thursday", "not before 23:30", "at most 3 minutes at once",
        "I like mornings", "not between 5:00 and 22:00 on weekdays", "no tests", "not after 09:00",
    ]

    /// Returns a random learner.
    ///
    /// - Parameter chance: the same generator state gives the same learner.
    static func random(_ chance: inout SplitMix64) -> (LearnerProfile, PlanEvidence, version: Int) {
        func pick<Element>(_ elements: [Element]) -> Element { elements[chance.below(elements.count)] }
        var days = Weekday.allCases.filter { _ in chance.below(3) > 0 }
        if days.isEmpty { days = [pick(Weekday.allCases)] }
        let test = chance.below(3) == 0 ? week.advanced(by: chance.below(40) - 5) : nil
        let profile = profile(
            hours: pick([0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 6, 16]), days,
            (0..<chance.below(4)).map { _ in pick(constraints) }, test: test, format: pick([nil, .exam, .interview]),
            goal: pick([nil, 6.5]))
        var evidence = pick([PlanEvidence(), fresh, known])
        if chance.below(4) == 0 {
            let clock = ClockTime(minutes: chance.below(1440)).text
            evidence.asOf = StudyMoment(
                week.advanced(by: chance.below(7)), clock, offset: (chance.below(25) - 12) * 3600)
        }
        if evidence == known {
            for _ in 0..<chance.below(4) {
                let place = chance.below(evidence.practice.packs.count)
                evidence.practice.packs[place].due = chance.below(20)
                evidence.practice.packs[place].isRead = chance.below(2) == 0
            }
            if chance.below(2) == 0 { evidence.exams.removeFirst() }
            evidence.reviewed = chance.below(2) == 0 ? [] : ["2026-11-20-0912-ielts-style"]
        }
        return (profile, evidence, 1 + chance.below(6))
    }
}

extension StudyMoment {
    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - day: the calendar day. Before four in the morning, the moment belongs to the study day before.
    ///   - clock: a time on the learner's clock, such as `22:45`.
    ///   - offset: seconds east of UTC.
    init(_ day: StudyDay, _ clock: String, offset: Int = 0) {
        self.init(seconds: day.number * 86_400 + (ClockTime(clock)?.minutes ?? 0) * 60 - offset, offset: offset)
    }

    /// Returns whether a block of a day is still to come on the learner's clock.
    func isBefore(_ block: TimeBlock, on day: StudyDay) -> Bool {
        seconds + offset <= day.number * 86_400 + block.begin.minutes * 60
    }
}

extension StudyPlan {
    var links: [String] { tasks.map(\.task.link.text) }

    func tasks(by rule: (PlanTask) -> Bool) -> [PlanTask] { tasks.map(\.task).filter(rule) }
}
