import ExamCore
import TestSupport
import Testing

@testable import Learning

/// Tests of plans made by rules: what holds for every learner, and what follows from the evidence.
@Suite struct PlanMakingTests {
    private static let week = SamplePlans.week

    private func plan(_ profile: LearnerProfile, _ evidence: PlanEvidence = SamplePlans.known, version: Int = 1)
        -> StudyPlan
    {
        StudyPlan(for: profile, evidence, week: Self.week, version: version)
    }

    /// Makes plans for ten thousand learners. The checker, which does not know how days are filled, finds no fault. Its
    /// own assumptions are checked here once more.
    @Test func anyLearnersWeekKeepsTheRules() throws {
        var chance = SplitMix64(seed: 24)
        var (tasks, empty, impossible) = (0, 0, 0)
        let learners = Thoroughness.count(1_000, check: 10_000)
        for number in 0..<learners {
            let (profile, evidence, version) = SamplePlans.random(&chance)
            let plan = StudyPlan(for: profile, evidence, week: Self.week, version: version)
            let findings = plan.findings(for: profile, evidence)
            try #require(findings.isEmpty, "\(number): \(profile) \(findings.map(\.text))")
            for day in Weekday.allCases {
                let today = plan.dailyTasks[day] ?? []
                let blocks = plan.timeBlocks[day] ?? []
                try #require(today.isEmpty || profile.availableDays.contains(day))
                try #require(today.reduce(0) { $0 + $1.minutes } <= profile.minutesADay)
                try #require(blocks.reduce(0) { $0 + $1.range.count } <= profile.minutesADay)
                try #require(zip(blocks, blocks.dropFirst()).allSatisfy { $0.end <= $1.begin })
                try #require(blocks.flatMap(\.tasks) == today.map(\.id))
                tasks += today.count
                if let now = evidence.asOf {
                    try #require(blocks.allSatisfy { now.isBefore($0, on: plan.day(day)) }, "\(number): \(now.text)")
                }
                if today.isEmpty, profile.availableDays.contains(day) {
                    try #require(plan.notes.contains { $0.day == day && $0.about == .empty })
                    empty += 1
                }
            }
            impossible += plan.notes.count { $0.about == .impossible }
            if let now = evidence.asOf { try #require(plan.milestones.allSatisfy { $0.date >= now.day }) }
        }
        #expect(
            tasks > 5 * learners && empty > learners / 10 && impossible > learners / 20,
            "\(tasks) \(empty) \(impossible)")
    }

    @Test func theSameRequestGivesTheSamePlanAndAnotherVersionADifferentOne() {
        var chance = SplitMix64(seed: 7)
        for _ in 0..<50 {
            let (profile, evidence, version) = SamplePlans.random(&chance)
            let first = StudyPlan(for: profile, evidence, week: Self.week, version: version)
            let again = StudyPlan(for: profile, evidence, week: Self.week.advanced(by: 4), version: version)
            #expect(first.json == again.json)
        }
        let profile = SamplePlans.profile()
        #expect(plan(profile, version: 2).links != plan(profile).links)
    }

    @Test func planIsReadFromItsFileUnchanged() throws {
        let made = plan(SamplePlans.profile(test: Self.week.advanced(by: 20), goal: 7))
        #expect(try StudyPlan.read(from: made.json, name: "plan.json") == made)
        #expect(String(decoding: made.json, as: UTF8.self).contains("\"weekOf\" : \"2026-11-23\""))
    }

    @Test func everyTaskSaysWhy() {
        let made = plan(SamplePlans.profile(hours: 2))
        func reason(_ link: String) -> String { made.tasks.first { $0.task.link.text == link }?.task.reason ?? "" }
        #expect(reason("speak:4-3-2").contains("speech rate was 2.4 syllables a second; your median is 3.1"))
        #expect(reason("drill:spoken-english") == "12 items are due for review.")
        #expect(reason("review:2026-11-20-0912-ielts-style").contains("have not reviewed it"))
        let reasons = made.tasks.map(\.task.reason)
        #expect(reasons.contains { $0.contains("Vocabulary has the lowest mark of your exam of 2026-11-20, 5.0") })
        #expect(reasons.contains { $0 == "5 mistakes of one kind in your last 2 exams: agreement." })
        #expect(reasons.contains { $0 == "None of your 2 exams was about music." })
        #expect(!reasons.contains { $0.contains("longest pause") }, "the learner's pauses are better than the median")
        #expect(!reasons.contains { $0.contains("about food") || $0.contains("about travel") })
    }

    @Test func lessonIsReadBeforeItIsAsked() {
        let made = plan(SamplePlans.profile(), SamplePlans.fresh)
        let order = made.links
        let lessons = order.filter { $0.hasPrefix("lesson:") }.map { $0.dropFirst(7) }
        #expect(lessons.count > 1)
        for lesson in lessons {
            guard let drill = order.firstIndex(of: "drill:\(lesson)") else { continue }
            #expect(order.firstIndex(of: "lesson:\(lesson)") ?? .max < drill)
        }
        #expect(made.tasks { $0.reason.contains("You read its lesson earlier this week") }.count > 1)
    }

    @Test func unknownLearnersGetAStarterWeek() {
        let made = plan(SamplePlans.profile(), SamplePlans.fresh)
        #expect(made.notes.contains { $0.about == .starter })
        #expect(made.tasks { $0.reason.contains("You have no results yet") }.count >= 2)
        #expect(!made.links.contains { $0.hasPrefix("review:2") })
        // The evidence does not even list what can be practised.
        let bare = plan(SamplePlans.profile(), PlanEvidence())
        #expect(!bare.tasks.isEmpty && !bare.links.contains { $0.hasPrefix("lesson:") || $0.hasPrefix("drill:") })
    }

    @Test func oneWholeExamAWeekOrItsParts() {
        let made = plan(SamplePlans.profile())
        #expect(made.links.count { $0 == "sit:full" } == 1)
        // A day is left for the review.
        #expect(made.dailyTasks[.thursday]?.contains { $0.link.text == "sit:full" } == true)
        #expect(made.dailyTasks[.friday]?.contains { $0.link.text == "review:last" } == true)
        let short = plan(SamplePlans.profile(hours: 0.25))
        #expect(!short.links.contains("sit:full") && short.links.contains { $0.hasPrefix("sit:part") })
        #expect(short.tasks { $0.link.text == "sit:part1" }.allSatisfy { $0.reason.contains("you sit it in parts") })
        let pieces = plan(SamplePlans.profile(hours: 2, SamplePlans.workdays, ["at most 15 minutes at once"]))
        #expect(!pieces.links.contains("sit:full") && pieces.links.contains("sit:part1"))
        // The exam was sat on Monday.
        var evidence = SamplePlans.known
        evidence.exams[1].day = Self.week
        #expect(!plan(SamplePlans.profile(), evidence).links.contains("sit:full"))
        #expect(plan(SamplePlans.profile(format: .interview)).links.contains("sit:interview"))
    }

    @Test func onlyDueTasksRepeatOnTwoDaysRunning() {
        let made = plan(SamplePlans.profile(hours: 3, Weekday.allCases))
        let days = Weekday.allCases.map { Set((made.dailyTasks[$0] ?? []).map(\.link)) }
        let twice = zip(days, days.dropFirst()).reduce(Set<PlanLink>()) { $0.union($1.0.intersection($1.1)) }
        #expect(
            twice == [.drill(pack: "spoken-english", topic: nil)], "only a drill that is due comes on two days in a row"
        )
        // A pack that was drilled on Sunday rests on Monday.
        var evidence = SamplePlans.known
        evidence.practice.packs[0].due = 0
        let rested = plan(SamplePlans.profile(hours: 3, Weekday.allCases), evidence)
        #expect(rested.dailyTasks[.monday]?.contains { $0.link.text == "drill:spoken-english" } == false)
    }

    @Test func beforeTheTestDaysAreShorterAndNothingIsNew() {
        // Saturday.
        let test = Self.week.advanced(by: 5)
        let made = plan(SamplePlans.profile(hours: 2, Weekday.allCases, test: test))
        func minutes(_ day: Weekday) -> Int { (made.dailyTasks[day] ?? []).reduce(0) { $0 + $1.minutes } }
        #expect(Weekday.allCases.allSatisfy { minutes($0) <= 60 } && minutes(.friday) <= 20 && minutes(.friday) > 0)
        #expect(minutes(.saturday) == 0 && minutes(.sunday) == 0)
        #expect(made.notes.contains { $0.day == .saturday && $0.text == "The test is today." })
        #expect(made.links.contains("sit:full"), "four days before the test there is a whole exam")
        for day in [Weekday.thursday, .friday] {
            #expect(made.dailyTasks[day]?.contains { $0.link.text == "sit:full" } == false)
        }
        #expect(!made.links.contains { $0.hasPrefix("lesson:") || $0.hasPrefix("sit:part2/") })
        #expect(made.milestones.last == PlanMilestone(date: test, title: "The test."))
    }

    @Test func milestonesLeadToTheDate() {
        let made = plan(SamplePlans.profile(test: Self.week.advanced(by: 60), goal: 7))
        #expect(made.milestones.map(\.date) == made.milestones.map(\.date).sorted())
        #expect(made.milestones.last?.title == "The test, goal 7.0.")
        #expect(made.milestones.contains { $0.date == Self.week.advanced(by: 53) && $0.title.contains("nothing new") })
        #expect(
            made.milestones.contains {
                $0.date == Self.week.advanced(by: 57) && $0.title.contains("last day for a full exam")
            })
    }

    @Test func aPastDateIsReported() {
        let made = plan(SamplePlans.profile(test: Self.week.advanced(by: -1)))
        #expect(made.notes.contains { $0.about == .testOver } && made.links.contains("sit:full"))
        #expect(SamplePlans.profile().restDays == [6, 7])
    }

    @Test func daysThatAreOverStayEmpty() {
        var evidence = SamplePlans.known
        evidence.asOf = StudyMoment(Self.week.advanced(by: 2), "09:00")
        let made = plan(SamplePlans.profile(), evidence)
        #expect(made.dailyTasks[.monday] == [] && made.dailyTasks[.tuesday] == [] && made.dailyTasks[.wednesday] != [])
        #expect(made.notes.contains { $0.day == .monday && $0.text.contains("was over") })
    }

    @Test func timeBlocksAreInTheEveningUnlessTheLearnerForbidsIt() {
        #expect(plan(SamplePlans.profile()).timeBlocks[.monday]?[0].begin.text == "18:00")
        #expect(plan(SamplePlans.profile(hours: 2)).timeBlocks[.monday]?.allSatisfy { $0.range.count <= 45 } == true)
        let early = plan(SamplePlans.profile(hours: 1, SamplePlans.workdays, ["not after 9:00", "not before 7:00"]))
        #expect(early.timeBlocks[.tuesday]?.first.map { $0.begin.minutes >= 420 && $0.end.minutes <= 540 } == true)
        let late = plan(SamplePlans.profile(hours: 1, SamplePlans.workdays, ["not before 22:30"]))
        #expect(late.timeBlocks[.tuesday]?.first.map { $0.begin.minutes >= 22 * 60 + 30 } == true)
    }

    @Test func missedTasksComeFirstTwoADayAndOldOnesExpire() {
        let profile = SamplePlans.profile()
        func missed(_ link: String, _ days: Int) throws -> MissedTask {
            let link = try #require(PlanLink(link))
            return MissedTask(
                PlanTask(id: "friday-1", title: link.text, link: link, minutes: 10, reason: "It was planned."),
                missedOn: Self.week.advanced(by: -days))
        }
        let tasks = try? [
            missed("speak:repeat", 3), missed("lesson:idioms-time", 4), missed("speak:pause-less", 5),
            missed("lesson:vocabulary-food", 9),
        ]
        let made = StudyPlan(for: profile, SamplePlans.known, week: Self.week, carrying: tasks ?? [])
        let carried = made.tasks.filter { $0.task.carriedFrom != nil }
        #expect(carried.map(\.task.link.text) == ["speak:repeat", "lesson:idioms-time", "speak:pause-less"])
        #expect(carried.map(\.day) == [.monday, .monday, .tuesday])
        #expect(carried.map(\.task.carriedFrom?.text) == ["2026-11-20", "2026-11-19", "2026-11-18"])
        #expect(
            made.notes.filter { $0.about == .expired }.map(\.text) == [
                "You missed lesson:vocabulary-food of 2026-11-14. It was dropped from the plan."
            ])
        #expect(made.findings(for: profile, SamplePlans.known).isEmpty)
    }

    /// Nothing is guessed: facts that the log does not contain are absent.
    @Test func evidenceOfPracticeComesOnlyFromTheLog() throws {
        let item = try #require(SamplePlans.catalogue.pack("spoken-english")?.items.first)
        let log = """
            2026-11-20T12:00:10+01:00 answered 0 new \(item.id) \(item.questions[0].id) wrong 5.0
            2026-11-21T12:00:00+01:00 spoke 4-3-2 card-1 180.0 reached
            2026-11-21T12:10:00+01:00 read idioms-time
            """
        let lines = try log.split(separator: "\n").map { try #require(PracticeLine(String($0))) }
        let practice = PlanEvidence.Practice(
            SamplePlans.catalogue, PracticeHistory(lines), lessons: LessonCategory.builtIn, at: lines[2].moment)
        let bank = try #require(practice.pack("spoken-english"))
        #expect(
            bank.due == 1 && bank.lastDay?.text == "2026-11-20" && bank.progress == 0 && !bank.isLesson && bank.isOpen)
        #expect(bank.topics.contains("food") && practice.hasBegun)
        #expect(practice.spoken == [.fourThreeTwo: 1])
        let read = try #require(practice.pack("idioms-time"))
        #expect(read.isRead && read.isLesson && !read.isOpen && read.lastDay == nil && read.due == 0)
        #expect(practice.packs.count { $0.isRead } == 1 && practice.packs.count { $0.due > 0 } == 1)
        #expect(
            !PlanEvidence.Practice(SamplePlans.catalogue, .init(), lessons: [] as Set, at: lines[2].moment).hasBegun)
        // The median of an even number of values is the lower of the middle two.
        #expect(PlanEvidence.median([3, 1, .nan, 2, 9]) == 2 && PlanEvidence.median([]) == nil)
    }
}
