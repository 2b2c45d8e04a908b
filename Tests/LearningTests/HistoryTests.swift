import ExamCore
import SystemSupport
import Testing

@testable import Learning

@Suite struct HistoryTests {
    /// One line of each kind, as written in the log.
    private static let lines = [
        "2026-11-23T12:00:00+00:00 weights fsrs-6.3", "2026-11-23T12:00:00+00:00 data 1",
        "2026-11-23T12:00:00+00:00 began 3 new p/q1 q1 due p/q2 q2",
        "2026-11-23T12:00:10+00:00 answered 3 new p/q1 q1 right 5.3",
        "2026-11-23T12:00:20+00:00 answered 3 due p/q2 q2 nearMiss 70.0", "2026-11-23T12:00:20+00:00 finished 3",
        "2026-11-23T12:01:00+00:00 began 4 extra p/q1 q1",
        "2026-11-23T12:02:00+00:00 spoke shadowing vocabulary-food/savoury 12.5 reached",
        "2026-11-23T12:03:00+00:00 spoke pause-less part2-1 31.0 short",
        "2026-11-23T12:04:00+00:00 tested 2026-11-23-1200-3f0a 7 10 300.0",
        "2026-11-23T12:05:00+00:00 read vocabulary-food", "2026-11-23T12:05:00+00:00 opened vocabulary-home",
        "2026-11-23T12:06:00+00:00 minutes 15", "2026-11-23T12:06:00+00:00 rest-days 6 7",
        "2026-11-23T12:06:00+00:00 rest-days", "2026-11-23T12:06:00+00:00 rest 2026-12-01 2026-12-05",
        "2026-11-23T12:06:30+00:00 retold 2026-11-21-0912-ielts-style part1_q5",
        "2026-11-23T12:07:00+00:00 task p/q2 incomplete", "2026-11-23T12:08:00+00:00 renamed p/q1 p/honey",
    ]

    private func read(_ text: String) throws(Problem) -> (history: PracticeHistory, whole: Int) {
        var history = PracticeHistory()
        let whole = try history.add(log: Array(text.utf8), name: "practice.log")
        return (history, whole)
    }

    @Test func everyKindOfLineIsReadAndWrittenUnchanged() throws {
        for line in Self.lines { #expect(PracticeLine(line)?.text == line) }
    }

    @Test func theHistoryOfALogHasAllItsEvents() throws {
        let (history, whole) = try read(Self.lines.map { $0 + "\n" }.joined() + "2026-11-23T12:09:00+00:00 answ")
        let text = Self.lines.map { $0 + "\n" }.joined()
        #expect(whole == text.utf8.count)
        let monday = StudyDay(year: 2026, month: 11, day: 23)
        // An answer that took longer than a minute counts as one minute, because the learner may have been away.
        #expect(history.days[monday]?.answers == 2 && history.days[monday]?.seconds == 65.3 + 12.5 + 31 + 300)
        #expect(history.memories.keys.sorted() == ["p/honey", "p/q2"])
        #expect(history.memories["p/honey"]?.right == 1 && history.memories["p/q2"]?.right == 0)
        #expect(history.finishedDrills.map(\.right) == [1] && history.finishedDrills[0].packs == ["p"])
        #expect(history.finishedDrills[0].repeated == 0)
        #expect(history.openDrill?.number == 4 && history.lastDrill == 4)
        #expect(history.spoken["shadowing"]?.reached == 1 && history.spoken["pause-less"]?.reached == 0)
        #expect(history.tests["2026-11-23-1200-3f0a"]?.right == 7 && history.minutesADay == 15)
        #expect(history.rest.contains(StudyDay(year: 2026, month: 12, day: 5)) && !history.rest.contains(monday))
        #expect(history.weights == FSRS.weightsVersion && history.dataVersion == 1)
        #expect(history.readLessons == ["vocabulary-food"] && history.openedLessons == ["vocabulary-home"])
    }

    @Test func anInvalidLineIsNamed() throws {
        for wrong in [
            "", "2026-11-23T12:00:00+00:00", "2026-11-23T12:00:00+00:00 flew 3", "2026-11-23T12:00:00+00:00 minutes 0",
            "2026-11-23T12:00:00+00:00 rest-days 8", "2026-11-23T12:00:00+00:00 answered 3 new p/q1 q1 fine 5",
            "2026-11-23T12:00:00+00:00 answered 3 new p/q1 q1 right -5",
            "2026-11-23T12:00:00+00:00 answered 3 new p/q1 q1 right nan",
            "2026-11-23T12:00:00+00:00 rest 2026-12-05 2026-12-01", "2026-11-23T12:00:00+00:00 minutes  9",
        ] {
            let failure = #expect(throws: Problem.self) { try read("\(Self.lines[0])\n\(wrong)\n") }
            #expect(failure?.sentence.hasPrefix("practice.log:2: unknown line") == true, "\(wrong)")
        }
    }

    @Test func anyBytesAreALogOrAProblem() {
        var generator = SplitMix64(seed: 4)
        let whole = Array(Self.lines.map { $0 + "\n" }.joined().utf8)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<3 {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    bytes[place] = .random(in: 0...255, using: &generator)
                } else {
                    bytes.remove(at: place)
                }
            }
            var history = PracticeHistory()
            do throws(Problem) {
                let count = try history.add(log: bytes, name: "x")
                #expect(count <= bytes.count)
            } catch { #expect(error.kind == .malformed) }
        }
    }

    @Test func tasksListFinishedPractice() throws {
        var history = try read(Self.lines.dropLast(1).map { $0 + "\n" }.joined()).history
        let catalogue = SampleDrills.catalogue(2)
        #expect(
            history.tasks(of: catalogue).map { "\($0.id) \($0.isComplete)" } == [
                "test-2026-11-23-1200-3f0a true", "spoken-2 true", "spoken-1 true", "drill-3 true", "p/q2 false",
                "p/q1 true",
            ])
        #expect(history.tasks(of: catalogue)[1].title == "Spoken drill: pause-less, 31 s of speech")
        #expect(history.tasks(of: catalogue)[3].title == "Drill: Pack p, 1 of 2 right at once")
        #expect(history.tasks(of: catalogue)[5].title == "Which one is q1?")
        history.add(SampleDrills.line(1, .task(id: "p/q1", .deleted)))
        history.add(SampleDrills.line(1, .task(id: "p/q2", .complete)))
        #expect(
            history.tasks(of: catalogue).map(\.id) == [
                "test-2026-11-23-1200-3f0a", "spoken-2", "spoken-1", "drill-3", "p/q2",
            ])
        #expect(history.tasks(of: catalogue)[4].isComplete)
        // A deleted task is listed again after the learner answers its question again.
        history.add(SampleDrills.line(2, SampleDrills.answered("p/q1")))
        #expect(history.tasks(of: catalogue).first?.id == "p/q1")
    }

    @Test func statisticsCountDrillsTestsAndSpokenPractice() throws {
        let history = try read(Self.lines.map { $0 + "\n" }.joined()).history
        let figures = PracticeStatistics(history, today: StudyDay(year: 2026, month: 11, day: 29))
        #expect(figures.answers == 2 && figures.accuracy == 0.5 && figures.mastery == [0, 2, 0, 0, 0, 0])
        #expect(figures.recentDays.count == 14 && figures.recentDays[7].answers == 2)
        #expect(abs(figures.minutesThisWeek - 408.8 / 60) < 1e-9 && figures.minutesThisWeek == figures.minutes)
        #expect(figures.testCount == 1 && figures.averageTestScore == 0.7 && figures.drillCount == 1)
        let later = PracticeStatistics(history, today: StudyDay(year: 2026, month: 11, day: 30))
        #expect(later.minutesThisWeek == 0 && later.since?.text == "2026-11-23")
    }

    /// A corrected question keeps its history, and a removed question is not asked.
    @Test func correctedQuestionsKeepTheirMemory() {
        var history = PracticeHistory()
        history.add(SampleDrills.line(0, SampleDrills.answered("p/q1")))
        var mended = SampleDrills.pack(1)
        mended.questions[0].prompt = "Which of these is it?"
        let load = DayLoad(
            of: PracticeCatalogue(packs: [mended]), history, at: SampleDrills.line(5, .data(version: 1)).moment)
        #expect(load.dueCount == 1)
        let other = PracticeCatalogue(packs: [SampleDrills.pack(1, id: "other")])
        #expect(DayLoad(of: other, history, at: SampleDrills.line(5, .data(version: 1)).moment).dueCount == 0)
    }
}

/// Tests of pauses that the learner ends, and of weeks, which begin on Monday.
@Suite struct PausesAndWeeks {
    private let monday = StudyDay(year: 2026, month: 11, day: 23)

    private func moment(_ day: StudyDay) -> StudyMoment {
        StudyMoment(seconds: day.number * 86_400 + 43_200, offset: 0)
    }

    @Test func aPauseThatEndsEarlyCoversOnlyTheDaysBefore() {
        var history = PracticeHistory()
        history.add(PracticeLine(moment(monday), .rest(from: monday, until: monday.advanced(by: 10))))
        #expect(history.rest.pause(on: monday.advanced(by: 4)) == monday.advanced(by: 10))
        history.add(PracticeLine(moment(monday.advanced(by: 4)), .resumed))
        #expect(history.rest.contains(monday.advanced(by: 3)) && !history.rest.contains(monday.advanced(by: 4)))
        #expect(history.rest.pause(on: monday.advanced(by: 4)) == nil)
        #expect(history.rest.pause(on: monday) == monday.advanced(by: 3))
        // A pause that begins and ends on the same day does not count.
        history.add(
            PracticeLine(
                moment(monday.advanced(by: 20)), .rest(from: monday.advanced(by: 20), until: monday.advanced(by: 30))))
        history.add(PracticeLine(moment(monday.advanced(by: 20)), .resumed))
        #expect(!history.rest.contains(monday.advanced(by: 20)))
        let line = PracticeLine(moment(monday), .resumed)
        #expect(PracticeLine(line.text) == line)
    }

    /// It comes back after days, not minutes, and later each time. Each answer has its own days.
    @Test func anAnswerThatWasGivenAgainComesBackAfterDays() throws {
        let (one, other) = (
            RetoldAnswer(session: "exam", answer: "part1_q5"), RetoldAnswer(session: "exam", answer: "part2_q1")
        )
        var history = PracticeHistory()
        func due(_ day: Int) -> [RetoldAnswer] { history.retoldDue(at: moment(monday.advanced(by: day))) }
        history.add(PracticeLine(moment(monday), .retold(one)))
        #expect(due(0).isEmpty && due(1).isEmpty && due(2) == [one])
        history.add(PracticeLine(moment(monday.advanced(by: 1)), .retold(other)))
        #expect(due(2) == [one] && due(3) == [one, other])
        history.add(PracticeLine(moment(monday.advanced(by: 3)), .retold(one)))
        let next = try #require((4...60).first { due($0).contains(one) })
        #expect(next >= 3 + 4, "the second interval is longer than the first: \(next)")
        #expect(due(next) == [other, one])
        // The answers of exams do not count as a drill.
        #expect(history.memories.isEmpty && history.days.isEmpty)
    }

    @Test func eachWeekHasTheSumOfItsMinutes() {
        var history = PracticeHistory()
        for (day, minutes) in [(-1, 5.0), (0, 10), (6, 20), (7, 30), (14, 30)] {
            history.add(
                PracticeLine(
                    moment(monday.advanced(by: day)), .tested(test: "t\(day)", right: 1, of: 1, seconds: minutes * 60)))
        }
        let weeks = PracticeStatistics.weeks(of: history)
        #expect(weeks.map(\.monday) == [14, 7, 0, -7].map { monday.advanced(by: $0) })
        #expect(weeks.map(\.minutes) == [30, 30, 30, 5])
        #expect(PracticeStatistics.minutes(of: history, to: monday.advanced(by: 7)) == 50)
    }
}
