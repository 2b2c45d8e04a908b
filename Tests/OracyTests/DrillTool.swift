import ExamCore
import Foundation
import Glibc
import Learning
import Synchronization
import TestSupport
import Testing
import VirtualDevices
import Waiting

/// `oracy practice`, `oracy tasks`: questions, log and statistics from the user's point of view.
@Suite struct DrillTool {
    private let home: Home
    private var log: String { home.path + "/.local/share/oracy/practice.log" }

    init() throws { home = try Home() }

    private func tool(_ arguments: String..., typing text: String? = nil) throws -> Tool.Result {
        // Ctrl-D ends the input, so that a program that asks for more ends too.
        try Tool.run(arguments, home: home.path, input: text.map { try PseudoTerminal(typing: $0 + "\u{04}") })
    }

    private func lines() throws -> [PracticeLine] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
            try #require(PracticeLine(String($0)))
        }
    }

    @Test func aDrillIsAnsweredLeftAndContinued() throws {
        let first = try tool("practice", "--pack", "spoken-english", "--questions", "4", typing: "a\n\nzz\nq\n")
        #expect(first.code == 75 && first.output.contains("Type a letter, a to e. q leaves."), "\(first)")
        let question = try #require(
            first.output.split(separator: "\n").last { $0.hasSuffix("done · Spoken English · new") })
        let second = try tool("practice", typing: String(repeating: "a\n\n", count: 40))
        #expect(
            second.code == 0 && second.output.contains("Continuing the drill that you left at question"), "\(second)")
        #expect(second.output.contains(question))
        #expect(second.output.contains(" of 4 right at once") && second.output.contains("Streak: 1 day"))
        let events = try lines().map(\.event)
        #expect(events.contains(.finished(drill: 1)))
        let asked = events.compactMap { if case .answered(let answered) = $0 { answered } else { nil } }
        #expect(Set(asked.map(\.exercise.memory)).count == 4 && asked.allSatisfy { $0.drill == 1 })
        #expect(try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int == 0o600)
        // The log contains no word of a question or an answer.
        #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("?"))
    }

    @Test func wishesThatCannotBeMetAreNamed() throws {
        let pack = try tool("practice", "--pack", "chess")
        #expect(pack.code == 66 && pack.errors.hasPrefix("oracy: chess: there is no such pack or lesson"), "\(pack)")
        #expect(
            try tool("practice", "--topic", "chess").errors.contains(
                "chess: there are no questions on that; topics are "))
        #expect(try tool("practice", "--questions", "0").code == 64)
        #expect(try tool("practice", "--due", "--extra").code == 64)
        let nothing = try tool("practice", "--due")
        #expect(nothing.code == 0 && nothing.output.hasSuffix("Nothing is due.\n"))
        #expect(
            try tool("practice", "speak", "singing").errors.contains(
                "singing is not a drill. Use one of shadowing, repeat"))
    }

    /// All twenty gaps of a lesson are right if the words are typed as in the lesson.
    @Test func aLessonIsReadAndPractised() throws {
        let read = try tool("practice", "lesson", "vocabulary-food")
        #expect(read.code == 0 && read.output.hasPrefix("Vocabulary: Food and cooking\n"))
        let closed = try tool("practice", "--pack", "vocabulary-home", "--questions", "3")
        #expect(closed.code == 0 && closed.output.contains("Done for today"))
        #expect(try tool("practice", "lesson", "vocabulary-home", "--open").code == 0)
        let open = try tool("practice", "--pack", "vocabulary-home", "--questions", "3", typing: "a\n\nq\n")
        #expect(open.code == 75 && open.output.contains("Vocabulary: Home"), "\(open)")
        let list = try tool("practice", "lessons", "--topic", "home").output
        #expect(list.contains("vocabulary-home") && !list.contains("vocabulary-food"))
        #expect(list.contains("Vocabulary: ") && list.contains(" lessons complete") && list.contains("the last on "))
        #expect(try tool("practice", "lesson", "none").code == 66)
        let some = try tool("practice", "lesson", "vocabulary-food", "--level", "c1").output
        #expect(some.contains(", C1, ") && !some.contains(", B1, ") && read.output.contains(", B1, "))
        let topics = try tool("practice", "lessons", "--subtopic", "university").output
        #expect(topics.contains("vocabulary-study") && !topics.contains("vocabulary-food"), "\(topics)")
        #expect(try tool("practice", "lessons", "--level", "x7").errors.contains("there is no such level"))
    }

    @Test func tasksAreListedMarkedAndTakenOff() throws {
        _ = try tool("practice", "--pack", "spoken-english", "--questions", "1", typing: "a\n\n")
        let task = "spoken-english/food-1"
        #expect(try tool("tasks").output.contains(task))
        #expect(try tool("tasks", "show", task).output.contains("It is: "))
        #expect(try tool("tasks", "mark", task, "--incomplete").code == 0)
        #expect(try tool("tasks", "list", "--incomplete").output.contains(task))
        let again = try tool("practice", "--due", typing: "a\n\n")
        #expect(again.code == 0 && again.output.contains("· due"), "\(again)")
        #expect(try tool("tasks", "delete", task).code == 0)
        #expect(try !tool("tasks").output.contains(task) && tool("tasks", "show", task).code == 66)
        let json = try tool("tasks", "list", "--json").output
        #expect(json.contains("\"isComplete\"") && json.contains("\"dueDate\"") && json.contains("drill-1"))
    }

    @Test func aTestIsTakenLeftChangedAndHandedIn() throws {
        _ = try tool("practice", "new", "--questions", "3", "--seed", "4", "--topic", "food")
        #expect(try tool("practice", "tests").output.contains("is ready, with 3 questions"))
        let left = try tool("practice", "take", typing: "a\nb\nq\n")
        #expect(left.code == 75 && left.output.contains("2 of 3 answered."), "\(left)")
        #expect(try tool("practice", "tests").output.contains("is in progress, 2 of 3 answered"))
        // Not confirmed at first, then changed, then confirmed.
        let done = try tool("practice", "take", typing: "s\nno\np\np\nc\nn\nd\ns\nyes\n")
        #expect(done.code == 0, "\(done)")
        #expect(done.output.contains("You cannot change your answers afterwards. 1 question has no answer. Type yes"))
        #expect(done.output.contains(" of 3  ") && done.output.contains("By topic: food"))
        #expect(try tool("practice", "take").code == 66)
        #expect(try tool("practice", "tests").output.contains("HANDED IN"))
        let events = try lines().map(\.event)
        #expect(events.contains { if case .tested(_, _, 3, _) = $0 { true } else { false } })
        #expect(try tool("practice", "statistics").output.contains("Tests: 1, "))
        let coming = try tool(
            "practice", "new", "--questions", "2", "--on", "2999-01-01", "--course", "English at work")
        let list = try tool("practice", "tests").output
        #expect(coming.code == 0 && list.contains("TO COME") && list.contains("English at work: "), "\(list)")
        #expect(try tool("practice", "new", "--course", " ").errors.contains("--course needs a name."))
    }

    @Test func aDaySettingHoldsAndABadOneIsRefused() throws {
        #expect(try tool("practice", "day", "--minutes", "25", "--rest", "sat,Sun").output.contains("of 25 minutes"))
        #expect(try tool("practice", "statistics").output.contains("not practised yet"))
        #expect(try tool("practice", "day", "--rest", "someday").code == 64)
        #expect(try tool("practice", "day", "--pause-until", "2026-02-30").code == 64)
        #expect(try tool("practice", "day", "--pause-until", "2001-01-01").errors.contains("2001-01-01 is in the past"))
        #expect(try lines().map(\.event).contains(.restDays([6, 7])))
    }

    @Test func anInvalidLogIsNamedByItsLine() throws {
        _ = try tool("practice", "day", "--minutes", "5")
        let whole = try String(contentsOfFile: log, encoding: .utf8)
        try (whole + "2026-11-25T13:15:24+00:00 flew away\n").write(toFile: log, atomically: true, encoding: .utf8)
        let refused = try tool("practice", "day")
        #expect(refused.code == 65 && refused.errors.contains("practice.log:4: unknown line"), "\(refused)")
        // A last line that a kill left unfinished does no harm.
        try (whole + "2026-11-25T13:15:24+00:00 minu").write(toFile: log, atomically: true, encoding: .utf8)
        #expect(try tool("practice", "day", "--minutes", "6").output.contains("of 6 minutes"))
        #expect(try lines().last?.event == .minutes(6))
    }

    @Test func practiceIsCopiedAndErased() throws {
        _ = try tool("practice", "--pack", "spoken-english", "--questions", "1", typing: "a\n\n")
        _ = try tool("practice", "new", "--questions", "2")
        let copy = home.path + "/copy"
        #expect(try tool("practice", "copy", copy).output == "2 files in \(copy)\n")
        #expect(try Data(contentsOf: URL(filePath: copy + "/practice.log")) == Data(contentsOf: URL(filePath: log)))
        #expect(try tool("practice", "copy", copy).code == 73)
        #expect(try tool("practice", "erase").code == 64)
        let erased = try tool("practice", "erase", "--yes")
        #expect(erased.code == 0 && erased.output.hasPrefix("erased  practice.log  "), "\(erased)")
        #expect(!FileManager.default.fileExists(atPath: log))
        #expect(try tool("practice", "statistics").output.contains("not practised yet"))
        #expect(try tool("practice", "tests").output.contains("no tests yet"))
    }

    @Test func twoDrillsAtOnceAreRefused() throws {
        let held = try DrillProcess(["practice"], home: home.path)
        defer { held.kill() }
        #expect(held.await("> "))
        let second = try tool("practice")
        #expect(
            second.code == 73 && second.errors == "oracy: you are practising in another window; finish there first\n")
        #expect(try tool("practice", "statistics").code == 0)
    }

    /// No accepted answer is lost, and the drill continues at the same question.
    @Test func killedAfterAnyAnswerNothingIsLost() throws {
        var answers = 0
        for turn in 0..<25 {
            let drill = try DrillProcess(["practice", "--plain"], home: home.path)
            #expect(drill.await("> "))
            let count = turn % 3
            for _ in 0..<count where drill.isAsking {
                drill.type("a\n")
                guard drill.await("Enter continues") else { break }
                answers += 1
                drill.type("\n")
                guard drill.await("> ") else { break }
            }
            drill.kill()
            let kept = try lines().count { if case .answered = $0.event { true } else { false } }
            #expect(kept == answers)
        }
        #expect(answers > 10)
    }

    /// A week of practice: the clock is set, and streak, due items and statistics follow.
    @Test(.needs(FalseTime.obstacle)) func aWeekOfPractice() throws {
        let library = try FalseTime.build(in: home.path)
        let offset = home.path + "/offset"
        func on(_ day: Int, _ arguments: String..., typing text: String = "") throws -> Tool.Result {
            // Starts at noon of a Monday, and continues a day later each time, independently of the real time.
            let noon = 1_795_435_200 + day * 86_400
            try "\(noon - Int(Date().timeIntervalSince1970))\n".write(toFile: offset, atomically: true, encoding: .utf8)
            return try Tool.run(
                arguments, home: home.path, input: PseudoTerminal(typing: text + "\u{04}"),
                environment: ["LD_PRELOAD": library, "FALSE_TIME": offset, "TZ": "UTC"])
        }
        // An item that was answered wrong comes again until the answer is right. Letters in a fixed turn could meet
        // the same items again and again with the same letters.
        var chance = SplitMix64(seed: 8)
        let everything = (0..<300).map { _ in "\("abcde".randomElement(using: &chance)!)\n\n" }.joined()
        _ = try on(0, "practice", "day", "--rest", "sun")
        for day in [0, 1, 3, 4, 5] {
            let drill = try on(day, "practice", "--questions", "12", typing: everything)
            #expect(drill.code == 0, "day \(day): \(drill)")
        }
        #expect(try on(5, "practice", "day").output.hasPrefix("Streak: 5 days. "), "Wednesday was missed")
        #expect(try on(6, "practice", "day").output.contains("Today is a rest day."))
        let later = try on(9, "practice", "day").output
        #expect(later.hasPrefix("No streak yet") || later.hasPrefix("Streak: 0"), "\(later)")
        let monday = try on(7, "practice", "day").output
        #expect(monday.hasPrefix("Streak: 5 days. ") && !monday.contains("Due: 0."), "\(monday)")
        let statistics = try on(7, "practice", "statistics").output
        #expect(statistics.contains("Since 2026-11-23") && statistics.contains("2026-11-17 to 2026-11-30"))
        let due = try on(7, "practice", "--due", typing: "a\n\nq\n")
        #expect(due.output.contains("· due"))
    }
}

/// The tool with a person at its keys who reads before typing.
final class DrillProcess: Sendable {
    private let process: Process
    private let keys: FileHandle
    private let output = Mutex("")
    /// The length of the output that has been waited for.
    private let read = Mutex(0)

    init(_ arguments: [String], home: String) throws {
        process = Process()
        process.executableURL = URL(filePath: Tool.debug)
        process.arguments = arguments
        process.environment = ["HOME": home, "PATH": "/usr/bin:/bin"]
        let (typed, shown) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (typed, shown)
        keys = typed.fileHandleForWriting
        shown.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            if text.isEmpty { handle.readabilityHandler = nil }
            self?.output.withLock { $0 += text }
        }
        try process.run()
    }

    /// - Returns: Whether the words came in time; false as well if the program has ended.
    func await(_ words: String) -> Bool {
        Patience.poll { () -> Bool? in
            // Checked before the text, so that the program's last output is read too.
            let hasEnded = !process.isRunning
            let place = output.withLock { text in text.dropFirst(read.withLock { $0 }).range(of: words)?.upperBound }
            if let place {
                output.withLock { text in read.withLock { $0 = text.distance(from: text.startIndex, to: place) } }
                return true
            }
            return hasEnded ? false : nil
        } ?? false
    }

    var isAsking: Bool { process.isRunning }

    func type(_ text: String) { try? keys.write(contentsOf: Data(text.utf8)) }

    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
