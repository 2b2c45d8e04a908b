import ExamCore
import Foundation
import Learning
import StoreTrials
import Study
import StudyFolders
import SystemSupport
import TestSupport
import Testing

@testable import ExamServer

/// A folder and a database have the same log after the same steps of a learner. The steps and their order are random.
@Suite(.bothStores) struct PracticeContract {
    /// Two programs of one learner on one shelf. They take turns, so that each is often behind the other.
    private struct Programs {
        let shelf: any LearnerShelf
        let both: [Practising]

        init(on shelf: some LearnerShelf) {
            self.shelf = shelf
            both = [Practising(on: shelf), Practising(on: shelf)]
        }

        func lines() async throws -> [PracticeLine] {
            var (lines, place) = ([PracticeLine](), PracticePlace())
            while let stretch = try await shelf.practice(after: place) {
                lines += stretch.lines
                place = stretch.end
                if stretch.isWhole { break }
            }
            return lines
        }
    }

    private typealias Step = @Sendable (inout PracticeStep) throws -> String

    private func told(_ practising: Practising, _ moment: StudyMoment, _ step: @escaping Step) async throws -> String {
        do {
            return try await practising.take(at: moment, step)
        } catch let refusal as PracticeRefusal {
            return "refused: \(refusal)"
        }
    }

    private static func words(_ drill: DrillState?) -> String {
        guard let drill else { return "no drill" }
        let question = drill.question?.id ?? "none"
        return
            "drill \(drill.number) \(drill.phase) \(drill.done)/\(drill.count) \(drill.right) \(drill.repeated) \(question)"
    }

    /// Returns an answer: right, wrong, of another kind, or to another question.
    private static func answer(_ drill: DrillState, _ random: inout SplitMix64) -> Step {
        let isRight = Int.random(in: 0..<3, using: &random) > 0
        let isOdd = Int.random(in: 0..<12, using: &random) == 0
        let number = drill.number + (Int.random(in: 0..<15, using: &random) == 0 ? 1 : 0)
        let id = drill.question?.id ?? "gone"
        let seconds = Double(Int.random(in: 0...900, using: &random)) / 10
        return { step in
            let told = try step.answer(number, id, seconds: seconds) { question in
                if isOdd { return nil }
                return isRight ? question.solution : wrong(question)
            }
            return "\(told.verdict) \(told.question.id) \(words(told.drill))"
        }
    }

    private static func wrong(_ question: PracticeQuestion) -> PracticeAnswer {
        switch question.key {
        case .multipleChoice(let key): .multipleChoice(selectedOption: (key.correct + 1) % key.options.count)
        case .calculation: .calculation(numericAnswer: "-987654")
        case .multipleResponse, .ordering, .matching: question.solution
        case .fillInTheBlank, .spoken: .fillInTheBlank(textAnswer: "quite another word")
        }
    }

    /// Returns a step other than an answer.
    private static func step(_ drill: DrillState?, _ random: inout SplitMix64) -> Step {
        let packs = PracticeContent.builtIn.catalogue.packs
        let pack = packs[Int.random(in: 0..<packs.count, using: &random)]
        let count = Int.random(in: 1...6, using: &random)
        let (flag, number) = (Bool.random(using: &random), drill?.number ?? 1)
        let weekdays = (1...7).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: return { words($0.begin(PracticeWish(packs: [pack.id], count: count, extra: flag))) }
        case 3: return { words($0.begin(PracticeWish(onlyDue: flag))) }
        case 4: return { words(try $0.next(number)) }
        case 5:
            return { step in
                let lesson = step.content.lessons.keys.sorted()[count]
                if flag { step.open(lesson: lesson) } else { step.read(lesson: lesson) }
                return lesson
            }
        case 6:
            return { step in
                let task = step.tasks.dropFirst(count).first?.id ?? "no task"
                return "\(task) \(step.mark(task, as: flag ? .deleted : .incomplete))"
            }
        case 7:
            return { step in
                var days = Study.PracticeDays()
                (days.minutes, days.restDays) = (count * 10, weekdays)
                if flag { days.pauseUntil = step.moment.day.advanced(by: count) } else { days.endsPause = true }
                return "\(step.change(days))"
            }
        case 8:
            return { step in
                step.review(
                    "session-\(count)", flag ? .init(kind: "again", item: "x", speech: 9, isReached: true) : nil)
                return "reviewed"
            }
        case 9:
            return { step in
                step.keep(.tested(test: "test-\(count)", right: 1, of: 2, seconds: 3))
                return "tested"
            }
        default: return { words($0.openDrill) }
        }
    }

    @Test func theSameStepsGiveTheSameLog() async throws {
        let seeds = Thoroughness.count(5, check: 400)
        var (steps, lines, refused, finished, erased) = (0, 0, 0, 0, 0)
        for seed in 0..<seeds {
            var random = SplitMix64(seed: UInt64(seed))
            let shelves = try await FilledShelves()
            var (inFolder, inRows) = (Programs(on: shelves.folder), Programs(on: shelves.rows))
            var (moment, drill) = (StudyMoment(seconds: 1_795_435_200, offset: 3_600), DrillState?.none)
            for number in 0..<80 {
                // Mostly seconds pass, at times a night.
                let isNight = Int.random(in: 0..<20, using: &random) == 0
                moment = StudyMoment(seconds: moment.seconds + (isNight ? 86_400 : 20), offset: 3_600)
                if Int.random(in: 0..<60, using: &random) == 0 {
                    erased += 1
                    drill = nil
                    // The folder's programs end first, because they lock the log. The server's go on, and notice it.
                    inFolder = Programs(on: try shelves.eraseFolder())
                    try await shelves.eraseRows()
                    if Bool.random(using: &random) { inRows = Programs(on: shelves.rows) }
                }
                let answers = drill?.phase == .asking && Int.random(in: 0..<4, using: &random) > 0
                let step = answers ? Self.answer(drill!, &random) : Self.step(drill, &random)
                let program = Int.random(in: 0..<2, using: &random)
                let one = try await told(inFolder.both[program], moment, step)
                let other = try await told(inRows.both[program], moment, step)
                #expect(one == other, "seed \(seed), step \(number)")
                steps += 1
                refused += one.hasPrefix("refused") ? 1 : 0
                // The last answer, repeated by a client that did not get the verdict.
                if answers, !one.hasPrefix("refused"), Int.random(in: 0..<5, using: &random) == 0 {
                    let again = 1 - program
                    #expect(try await told(inFolder.both[again], moment, step) == one)
                    #expect(try await told(inRows.both[again], moment, step) == one)
                }
                drill = try await inFolder.both[program].take(at: moment) { $0.openDrill }
            }
            let (log, rows) = (try await inFolder.lines(), try await inRows.lines())
            #expect(log.map(\.text) == rows.map(\.text), "seed \(seed)")
            lines += log.count
            finished += PracticeHistory(log).finishedDrills.count
            let expected = PracticeHistory(log)
            for program in inFolder.both + inRows.both {
                let history = try await program.take(at: moment) { $0.history }
                #expect(log.isEmpty || history == expected, "seed \(seed)")
            }
            await shelves.close()
        }
        #expect(refused > 0 && finished > 0 && erased > 0)
        print(
            "practice agrees: \(seeds) orders, \(steps) steps, \(lines) lines, \(finished) drills finished, "
                + "\(refused) steps refused, \(erased) logs erased")
    }

    /// Mended sentences are kept once for each exam, and asked by a program that began before they were kept.
    @Test func mendedSentencesComeBackOnBothShelves() async throws {
        var random = SplitMix64(seed: 5)
        let shelves = try await FilledShelves()
        let exams = [try SampleExam(day: 1, &random), try SampleExam(day: 2, &random)]
        for exam in exams { try await shelves.put(exam, &random) }
        let moment = StudyMoment(seconds: 1_795_435_200, offset: 0)
        func question(_ id: String) -> PracticeQuestion {
            PracticeQuestion(
                id: id, topic: "your own sentences", difficulty: .medium, prompt: "I ___ home.",
                key: .fillInTheBlank(.init(accepted: ["went"])), explanation: "e")
        }
        for shelf in [shelves.folder, shelves.rows] as [any LearnerShelf] {
            let other = Practising(on: shelf)
            #expect(try await other.take(at: moment) { $0.content.catalogue.pack(MendedSentences.pack) } == nil)
            #expect(try await shelf.mendedSentences() == nil)
            let added = [
                try await shelf.keep(mended: [question("a"), question("b")], of: exams[0].id.name),
                try await shelf.keep(mended: [question("b"), question("c")], of: exams[0].id.name),
                try await shelf.keep(mended: [question("a")], of: exams[1].id.name),
                try await shelf.keep(mended: [question("a")], of: UUID().name),
                try await shelf.keep(mended: [], of: exams[0].id.name),
            ]
            #expect(added == [2, 1, 1, 0, 0])
            #expect(try await shelf.mendedSentences()?.questions.map(\.id).sorted() == ["a", "b", "c"])
            // The line in the log tells the other program to look.
            let retold = RetoldAnswer(session: exams[0].id.name, answer: exams[0].answers[1].record.name)
            try await other.take(at: moment) { $0.keep(.retold(retold)) }
            let asked = try await other.take(at: moment) { step in
                step.begin(PracticeWish(packs: [MendedSentences.pack], count: 5))?.count
            }
            #expect(asked == 3)
            let later = StudyMoment(seconds: moment.seconds + 3 * 86_400, offset: 0)
            let day = try await other.day(at: later)
            #expect(day.again.map(\.answer) == [retold] && day.again.first?.question != nil)
            #expect(day.streak.days == 0 && day.statistics.minutes > 0, "two exams, three weeks before")
        }
        await shelves.close()
    }

    /// Returns a random step of a test. The step returns the test as the learner then sees it.
    private static func test(
        _ id: String, _ test: PracticeTest, _ moment: StudyMoment, _ random: inout SplitMix64
    ) -> @Sendable (TestTaking) async throws -> PracticeTest {
        let question = test.questions[Int.random(in: 0..<test.questions.count, using: &random)].id
        let (seconds, kind) = (Double(Int.random(in: 0...90, using: &random)), Int.random(in: 0..<24, using: &random))
        let isTotal = Bool.random(using: &random)
        switch kind {
        case 0...5: return { try await $0.start(id) }
        case 6: return { try await $0.handIn(id, at: moment) }
        case 7: return { try await $0.start(UUID().name) }
        default:
            return { taking in
                try await taking.answer(
                    kind == 8 ? "gone" : question, of: id, in: isTotal ? .total(seconds) : .look(seconds)
                ) { asked in
                    kind == 9 ? nil : kind % 2 == 0 ? asked.solution : wrong(asked)
                }
            }
        }
    }

    @Test func theSameAnswersGiveTheSameTest() async throws {
        let seeds = Thoroughness.count(4, check: 300)
        var (steps, refused, handedIn) = (0, 0, 0)
        let bank = PracticeContent.builtIn.bank
        let shelves = try await FilledShelves()
        let (inFolder, inRows) = (TestTaking(on: shelves.folder), TestTaking(on: shelves.rows))
        for seed in 0..<seeds {
            var random = SplitMix64(seed: UInt64(seed))
            let request = PracticeTestRequest(topics: [], difficulty: nil, questionCount: 4, seed: UInt64(seed))
            var test = PracticeTest(id: UUID().name, request, bank: bank)
            try test.handle(.written(try #require(DrawnTest(request, from: bank)).questions))
            try await shelves.put(test)
            for number in 0..<24 {
                let moment = StudyMoment(seconds: 1_795_435_200 + number * 20, offset: 0)
                let step = Self.test(test.id, test, moment, &random)
                func told(_ taking: TestTaking) async throws -> Result<PracticeTest, TakingRefusal> {
                    do { return .success(try await step(taking)) } catch let refusal as TakingRefusal {
                        return .failure(refusal)
                    }
                }
                let (one, other) = (try await told(inFolder), try await told(inRows))
                #expect(one == other, "seed \(seed), step \(number)")
                steps += 1
                if case .success(let changed) = one { test = changed } else { refused += 1 }
            }
            #expect(try shelves.folder.tests.test(test.id) == test)
            handedIn += test.status == .submitted ? 1 : 0
        }
        #expect(try await Set(shelves.folder.openTests()) == Set(shelves.rows.openTests()))
        #expect(refused > 0 && handedIn > 0)
        print("tests agree: \(seeds) tests, \(steps) steps, \(refused) steps refused, \(handedIn) handed in")
        await shelves.close()
    }

    /// Programs that append at the same time lose no event, and store none twice.
    @Test func stepsAtTheSameTimeAreAllStored() async throws {
        let shelves = try await FilledShelves()
        for programs in [Programs(on: shelves.folder), Programs(on: shelves.rows)] {
            let moment = StudyMoment(seconds: 1_795_435_200, offset: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    let program = programs.both[number % 2]
                    group.addTask {
                        try await program.take(at: moment) { step in
                            step.read(lesson: "lesson-\(number / 2)")
                            step.keep(.tested(test: "test-\(number)", right: 1, of: 1, seconds: 1))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let history = PracticeHistory(try await programs.lines())
            #expect(history.tests.count == 40 && history.readLessons.count == 20)
            #expect(try await programs.lines().count == 62, "two lines at the beginning, and no lesson is read twice")
        }
        await shelves.close()
    }

    /// A log with room for three more lines takes no fourth.
    @Test func aFullLogTakesNoStep() async throws {
        let shelves = try await FilledShelves()
        let moment = StudyMoment(seconds: 1_795_435_200, offset: 0)
        for practising in [Practising(on: shelves.folder, most: 5), Practising(on: shelves.rows, most: 5)] {
            for number in 0..<3 { try await practising.take(at: moment) { $0.keep(.minutes(number + 1)) } }
            await #expect(throws: PracticeRefusal.full) {
                try await practising.take(at: moment) { $0.keep(.minutes(9)) }
            }
            #expect(try await practising.take(at: moment) { $0.history.minutesADay } == 3)
        }
        await shelves.close()
    }
}
