import Papers
import Testing

@testable import Learning

@Suite struct DrillTests {
    private func drill(_ count: Int, goesOnAfter: Double? = nil, history: PracticeHistory = .init()) -> Drill {
        let exercises = (1...count).map {
            PracticeEvent.Exercise(memory: "p/q\($0)", question: "q\($0)", role: .new)
        }
        return Drill(7, exercises, of: SampleDrills.catalogue(count), history, goesOnAfter: goesOnAfter)
    }

    private func answer(_ drill: Drill, right: Bool) throws -> PracticeAnswer {
        let question = try #require(drill.question)
        guard case .multipleChoice(let key) = question.key else { throw IllegalEvent(sentence: "no choice") }
        return .multipleChoice(selectedOption: right ? key.correct : (key.correct + 1) % key.options.count)
    }

    /// Returns the drill's events and commands in the form of an exam's log.
    private func transcript(_ drill: inout Drill, _ marks: String) throws -> [String] {
        var lines = drill.opening.map(\.text)
        for mark in marks {
            let commands =
                switch mark {
                case "r", "w": try drill.handle(.answer(try answer(drill, right: mark == "r"), seconds: 4))
                case "n": try drill.handle(.next)
                case "l": try drill.handle(.leave)
                default: try drill.handle(.resume)
                }
            lines.append("\(mark) → \(commands.map(\.text).joined(separator: ", "))")
        }
        return lines
    }

    @Test func aDrillAsksAndExplainsItsTwoQuestions() throws {
        var drill = drill(2)
        #expect(
            try transcript(&drill, "rnwn") == [
                "keep began 7 new p/q1 q1 new p/q2 q2", "ask q1",
                "r → keep answered 7 new p/q1 q1 right 4.0, explain right q1", "n → ask q2",
                "w → keep answered 7 new p/q2 q2 wrong 4.0, explain wrong q2",
                "n → keep finished 7, finish 1 of 2",
            ])
        #expect(drill.phase == .finished && drill.question == nil)
    }

    /// A question that was answered wrong comes again after three others, until the answer is right.
    @Test func wrongAnswersComeAgain() throws {
        var drill = drill(5)
        let lines = try transcript(&drill, "wnrnrnrnwnrn")
        #expect(lines.filter { $0.hasPrefix("n → ask") }.map { $0.suffix(2) } == ["q2", "q3", "q4", "q1", "q5"])
        #expect(drill.phase == .finished && drill.summary == .init(right: 4, count: 5, repeated: 1))
    }

    /// If only one or two others are left, it comes once more after these.
    @Test func theLastWrongAnswersComeOnceMore() throws {
        var drill = drill(5)
        let lines = try transcript(&drill, "rnrnwnwnwn" + "wnrnwn")
        let asked = lines.filter { $0.hasPrefix("n → ask") }.map { $0.suffix(2) }
        #expect(asked == ["q2", "q3", "q4", "q5", "q3", "q4", "q5"])
        #expect(drill.phase == .finished && drill.summary == .init(right: 2, count: 5, repeated: 3))
    }

    /// A client that repeats its last answer could not be told from one that answers again.
    @Test(arguments: 1...9) func noQuestionIsAskedTwiceInARow(_ count: Int) throws {
        var drill = drill(count)
        _ = drill.opening
        for _ in 0..<40 where drill.phase != .finished {
            let before = drill.question?.id
            _ = try drill.handle(.answer(try answer(drill, right: false), seconds: 1))
            _ = try drill.handle(.next)
            #expect(drill.question?.id != before)
        }
        #expect((drill.phase == .finished) == (count <= Drill.apart))
    }

    /// An earlier version didn't ask the last wrong answers again. Its log continues at the next question, and the
    /// wrong answers come after it.
    @Test func aLogOfAnEarlierVersionContinues() throws {
        var history = PracticeHistory()
        var first = drill(3)
        for case .keep(let event) in first.opening { history.add(PracticeLine(SampleDrills.monday, event)) }
        for question in ["q1", "q2"] {
            let exercise = PracticeEvent.Exercise(memory: "p/\(question)", question: question, role: .new)
            history.add(
                PracticeLine(
                    SampleDrills.monday,
                    .answered(.init(drill: 7, exercise: exercise, verdict: .wrong, seconds: 1))))
        }
        let open = try #require(history.openDrill)
        var again = Drill(resuming: open, of: SampleDrills.catalogue(3), history)
        _ = try again.handle(.resume)
        #expect(again.question?.id == "q3" && again.done == 0)
        first = again
        let lines = try transcript(&first, "rnrnrn").filter { $0.hasPrefix("n →") }
        #expect(lines == ["n → ask q1", "n → ask q2", "n → keep finished 7, finish 1 of 3"])
    }

    @Test func aDrillThatWasLeftContinuesAtTheSameQuestion() throws {
        var left = drill(4)
        #expect(
            try transcript(&left, "lurnrlu").suffix(5)
                == [
                    "u → ask q1", "r → keep answered 7 new p/q1 q1 right 4.0, explain right q1", "n → ask q2",
                    "r → keep answered 7 new p/q2 q2 right 4.0, explain right q2", "l → ", "u → ask q3",
                ].suffix(5))
        #expect(left.phase == .asking && left.done == 2 && left.count == 4)
    }

    /// The log of a drill leads to the same question in another process, whenever the first was killed.
    @Test(arguments: 0..<200) func aKilledDrillContinuesFromItsLog(_ seed: Int) throws {
        // A linear congruential generator (Knuth's MMIX).
        var state = UInt64(seed)
        func below(_ sides: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % sides)
        }
        var drill = drill(1 + below(9))
        var history = PracticeHistory()
        func keep(_ commands: [Drill.Command]) {
            for case .keep(let event) in commands { history.add(PracticeLine(SampleDrills.monday, event)) }
        }
        keep(drill.opening)
        for _ in 0..<30 where drill.phase != .finished {
            keep(try drill.handle(.answer(try answer(drill, right: below(3) > 0), seconds: 1)))
            keep(try drill.handle(.next))
            guard let open = history.openDrill else { break }
            var again = Drill(resuming: open, of: SampleDrills.catalogue(drill.count), history)
            #expect(again.phase == .left)
            _ = try again.handle(.resume)
            #expect(again == drill)
        }
        #expect(drill.phase != .finished || history.openDrill == nil)
    }

    @Test func rightAnswersContinueByThemselvesIfWanted() throws {
        var drill = drill(2, goesOnAfter: Drill.autoAdvance)
        #expect(try drill.handle(.answer(try answer(drill, right: true), seconds: 1)).last == .goOn(after: 0.5))
        _ = try drill.handle(.next)
        let wrong = try drill.handle(.answer(try answer(drill, right: false), seconds: 1))
        #expect(!wrong.contains(.goOn(after: 0.5)))
    }

    @Test func impossibleEventsChangeNothing() throws {
        var drill = drill(1)
        func refused(_ event: Drill.Event) -> String? {
            let before = drill
            do throws(IllegalEvent) {
                _ = try drill.handle(event)
                return nil
            } catch { return before == drill ? error.sentence : "it changed" }
        }
        #expect(refused(.next) == "going on cannot happen while a question is asked")
        #expect(refused(.resume) == "coming back cannot happen while a question is asked")
        let kinds: [PracticeAnswer] = [
            .fillInTheBlank(textAnswer: "that"), .multipleChoice(selectedOption: 4),
            .multipleChoice(selectedOption: -1),
        ]
        for kind in kinds {
            #expect(refused(.answer(kind, seconds: 1)) == "this question needs another kind of answer")
        }
        _ = try drill.handle(.answer(try answer(drill, right: true), seconds: 1))
        #expect(refused(.answer(.multipleChoice(selectedOption: 0), seconds: 1)) != nil)
        _ = try drill.handle(.next)
        for event in [Drill.Event.next, .leave, .resume] {
            #expect(refused(event)?.hasSuffix("while the drill is finished") == true)
        }
    }

    /// An item that was forgotten eight times is shown first, and asked after others.
    @Test func aLeechIsShownBeforeItIsAsked() throws {
        var history = PracticeHistory()
        var day = 0.0
        for _ in 0..<8 {
            for verdict in [Verdict.right, .right, .right, .wrong] {
                history.add(SampleDrills.line(day, SampleDrills.answered("p/q1", verdict)))
                day += 3
            }
        }
        #expect(history.memories["p/q1"]?.isLeech == true)
        var drill = drill(5, history: history)
        let lines = try transcript(&drill, "nrnrnrnrnrn")
        #expect(lines[1] == "show q1" && lines[2] == "n → ask q2")
        #expect(lines.filter { $0.hasPrefix("n → ask") }.map { $0.suffix(2) } == ["q2", "q3", "q4", "q1", "q5"])
    }

    @Test func aDeletedQuestionIsSkipped() throws {
        let exercises = ["q1", "q9", "q2"].map { PracticeEvent.Exercise(memory: "p/\($0)", question: $0, role: .new) }
        let drill = Drill(1, exercises, of: SampleDrills.catalogue(2), .init())
        #expect(drill.count == 2)
        #expect(Drill(1, [], of: SampleDrills.catalogue(2), .init()).phase == .finished)
    }
}

extension Drill.Command {
    fileprivate var text: String {
        switch self {
        case .show(let question): "show \(question.id)"
        case .ask(let question): "ask \(question.id)"
        case .explain(let verdict, let question): "explain \(verdict.rawValue) \(question.id)"
        case .keep(let event): "keep \(PracticeLine(SampleDrills.monday, event).text.dropFirst(26))"
        case .goOn(let seconds): "go on after \(seconds)"
        case .finish(let summary): "finish \(summary.right) of \(summary.count)"
        }
    }
}
