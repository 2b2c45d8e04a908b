import ExamCore
import Testing

@testable import Learning

/// Tests of the daily load: it is measured in minutes, adds nothing new to a backlog, and begins with the items that
/// are most nearly forgotten. Extra practice does not move due dates.
@Suite struct DayLoadTests {
    private let now = StudyMoment(seconds: SampleDrills.monday.seconds + 100 * 86_400, offset: 0)

    /// Returns a history in which each item was learned at two moments on Monday and asked once more, with twelve
    /// seconds for each answer.
    private func history(learned count: Int, at day: Double = 0) -> PracticeHistory {
        var history = PracticeHistory()
        for number in 1...max(1, count) where count > 0 {
            for moment in [day, day + 0.1] {
                history.add(
                    SampleDrills.line(
                        moment + Double(number) / 1e4, SampleDrills.answered("p/q\(number)", seconds: 12)))
            }
        }
        return history
    }

    private func load(
        _ wish: PracticeWish = .init(), of count: Int, _ history: PracticeHistory, at now: StudyMoment? = nil
    ) -> DayLoad {
        DayLoad(wish, of: SampleDrills.catalogue(count), history, at: now ?? self.now)
    }

    @Test func theFirstDayIsFilledWithNewQuestionsOnly() {
        // Ten minutes are fifty answers of twelve seconds, and a new item takes three answers.
        let load = load(of: 200, .init())
        #expect(load.exercises.count == 16 && load.exercises.allSatisfy { $0.role == .new })
        #expect(load.minutesLeft == 10 && load.dueCount == 0)
        #expect(load.exercises.map(\.memory).prefix(2) == ["p/q1", "p/q2"])
    }

    @Test func aBacklogFillsTheDayWithoutNewQuestions() {
        let load = load(of: 300, history(learned: 200))
        #expect(load.dueCount == 200 && load.exercises.count == 50)
        #expect(load.exercises.allSatisfy { $0.role == .due })
        // A learner who asks for more gets more, but still nothing new.
        let more = self.load(.init(count: 250), of: 300, history(learned: 200))
        #expect(more.exercises.count == 200 && more.exercises.allSatisfy { $0.role == .due })
    }

    @Test func theMostForgottenQuestionComesFirst() {
        var history = history(learned: 5)
        history.add(SampleDrills.line(90, SampleDrills.answered("p/q1")))
        history.add(SampleDrills.line(30, SampleDrills.answered("p/q3", .wrong)))
        let load = load(.init(onlyDue: true), of: 5, history)
        let likely = load.exercises.compactMap { exercise in
            history.memories[exercise.memory].map { history.retrievability(of: $0, at: now) }
        }
        #expect(likely == likely.sorted() && load.exercises.first?.memory == "p/q3")
    }

    @Test func todaysPracticeCountsAgainstTheDay() {
        var history = history(learned: 200)
        for number in 1...40 { history.add(PracticeLine(now, SampleDrills.answered("p/q\(number)", seconds: 12))) }
        let load = load(of: 200, history)
        #expect(abs(load.minutesLeft - 2) < 0.01 && load.exercises.count == 10)
        for number in 41...60 { history.add(PracticeLine(now, SampleDrills.answered("p/q\(number)", seconds: 12))) }
        #expect(self.load(of: 200, history).exercises.isEmpty)
    }

    @Test func theLearnersMinutesLimitTheLoad() {
        var history = history(learned: 200)
        history.add(PracticeLine(now, .minutes(2)))
        #expect(load(of: 200, history).exercises.count == 10)
    }

    @Test func extraPracticeMovesNoDueDate() throws {
        var history = history(learned: 3, at: 99)
        let load = load(.init(extra: true), of: 3, history)
        #expect(load.exercises.map(\.role) == [.extra, .extra, .extra])
        let before = history.memories.mapValues(\.memory)
        for exercise in load.exercises {
            history.add(
                PracticeLine(now, .answered(.init(drill: 1, exercise: exercise, verdict: .wrong, seconds: 9))))
        }
        #expect(history.memories.mapValues(\.memory) == before)
        #expect(history.memories.values.allSatisfy { $0.lapses == 0 && $0.answers == 3 })
        #expect(history.days[now.day]?.answers == 3)
    }

    @Test func wishesSelectQuestions() {
        let catalogue = PracticeCatalogue(packs: [
            SampleDrills.pack(5), SampleDrills.pack(5, id: "r"),
            QuestionPack(
                id: "s", title: "S",
                questions: [
                    SampleDrills.question("travel-1").with { $0.topic = "Travel" }.with { $0.difficulty = .hard }
                ]),
        ])
        func memories(_ wish: PracticeWish) -> [String] {
            DayLoad(wish, of: catalogue, .init(), at: now).exercises.map(\.memory)
        }
        #expect(memories(.init(packs: ["r"], count: 2)) == ["r/q1", "r/q2"])
        #expect(memories(.init(topics: ["TRAVEL"])) == ["s/travel-1"])
        #expect(memories(.init(difficulty: .hard)) == ["s/travel-1"])
        #expect(memories(.init(onlyDue: true)).isEmpty && memories(.init(count: 20)).count == 11)
    }

    @Test func aTaskMarkedIncompleteIsDue() {
        var history = history(learned: 3, at: 99)
        #expect(load(.init(onlyDue: true), of: 3, history).exercises.isEmpty)
        history.add(PracticeLine(now, .task(id: "p/q2", .incomplete)))
        #expect(load(.init(onlyDue: true), of: 3, history).exercises.map(\.memory) == ["p/q2"])
        history.add(PracticeLine(now, SampleDrills.answered("p/q2")))
        #expect(load(.init(onlyDue: true), of: 3, history).exercises.isEmpty)
    }

    /// An item is asked in two ways, recognition first and recall later. A leech is never asked in the same way twice
    /// in a row.
    @Test func aMemoryIsAskedInMoreThanOneWay() {
        let questions = [SampleDrills.question("a-meaning", item: "a"), SampleDrills.question("a-gap", item: "a")]
        let catalogue = PracticeCatalogue(packs: [QuestionPack(id: "p", title: "P", questions: questions)])
        var history = PracticeHistory()
        func asked() -> String? {
            DayLoad(.init(extra: true), of: catalogue, history, at: now).exercises.first?.question
        }
        func answer(_ day: Double, _ question: String, _ verdict: Verdict) {
            history.add(
                SampleDrills.line(
                    day,
                    .answered(
                        .init(
                            drill: 0, exercise: .init(memory: "p/a", question: question, role: .due), verdict: verdict,
                            seconds: 5))))
        }
        #expect(asked() == "a-meaning")
        answer(0, "a-meaning", .right)
        #expect(asked() == "a-meaning")
        answer(0.1, "a-meaning", .right)
        answer(3, "a-meaning", .right)
        #expect(asked() == "a-gap")
        for lapse in 0..<8 {
            answer(20 + Double(lapse) * 9, "a-gap", .right)
            answer(24 + Double(lapse) * 9, "a-gap", .right)
            answer(28 + Double(lapse) * 9, "a-gap", .wrong)
        }
        #expect(history.memories["p/a"]?.isLeech == true && asked() == "a-meaning")
    }

    /// A memory with an interval of two days from Tuesday evening is due on Thursday from four in the morning, and not
    /// before.
    @Test func intervalsOfDaysEndAtTheDaysBeginning() throws {
        let history = history(learned: 1, at: 0.9)
        let memory = try #require(history.memories["p/q1"]?.memory)
        let day = StudyMoment(seconds: memory.dueAt, offset: 0).day
        let dawn = StudyMoment(seconds: day.number * 86_400 + StudyDay.beginsAt, offset: 0)
        #expect(memory.dueAt - memory.reviewedAt >= 86_400 && dawn.seconds < memory.dueAt)
        #expect(load(.init(onlyDue: true), of: 1, history, at: dawn).dueCount == 1)
        let night = StudyMoment(seconds: dawn.seconds - 1, offset: 0)
        #expect(load(.init(onlyDue: true), of: 1, history, at: night).dueCount == 0)
        // Steps of minutes do not count as days.
        var fresh = PracticeHistory()
        fresh.add(SampleDrills.line(0, SampleDrills.answered("p/q1", seconds: 12)))
        #expect(
            load(.init(onlyDue: true), of: 1, fresh, at: SampleDrills.line(0.0001, .data(version: 1)).moment).dueCount
                == 0)
    }
}
