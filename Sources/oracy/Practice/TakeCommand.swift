import ArgumentParser
import ExamKit
import Glibc
import Learning
import Papers

extension PracticeCommand {
    struct Take: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a test: answers can be changed until it is handed in.",
            discussion:
                "Each answer is kept at once. Leave it when you like; it goes on where you were. Ends with 75 where it was left."
        )

        @Argument(help: "A test's id. Default: the one at hand.")
        var id: String?

        @Flag(help: "Go on half a second after an answer.")
        var autoAdvance = false

        @Flag(help: "Lines in any case, for screen readers.")
        var plain = false

        func run() async throws {
            try await failing {
                let shelf = try TestShelf()
                let test =
                    try id.map { try shelf.test($0) } ?? TestBoard(shelf.tests(), today: StudyMoment.now.day).current
                guard let test else {
                    throw Problem(.missing, "there is no test at hand: oracy practice new makes one")
                }
                guard [.ready, .inProgress].contains(test.status) else {
                    throw Problem(.malformed, "\(test.id): is \(test.status.word), and cannot be taken")
                }
                let taking = try TestTaking(test, on: shelf, goesOnAfter: autoAdvance ? Drill.autoAdvance : nil)
                try await !plain && Terminal.isRoomy
                    ? TestScreen(taking: taking).hold() : TestLines(taking: taking).hold()
                guard let result = TestResult(taking.test) else {
                    print(
                        "\(taking.test.answers.count) of \(taking.test.questions.count) answered. oracy practice take goes on."
                    )
                    throw ExitCode(75)
                }
                for line in TestText.lines(result, of: taking.test) { print(line.cleaned) }
            }
        }
    }
}

/// A test that is being taken: each answer is on disk before the next question is shown. One thread.
final class TestTaking {
    private(set) var test: PracticeTest
    /// The question before the learner, from 0.
    private(set) var place: Int
    let goesOnAfter: Double?
    private let shelf: TestShelf
    private var lookedSince = SteadyClock.now

    init(_ test: PracticeTest, on shelf: TestShelf, goesOnAfter: Double?) throws {
        (self.test, self.shelf, self.goesOnAfter) = (test, shelf, goesOnAfter)
        place = test.questions.firstIndex { test.answers[$0.id] == nil } ?? 0
        if test.status == .ready {
            try self.test.handle(.start)
            try shelf.write(self.test)
        }
    }

    var question: PracticeQuestion { test.questions[place] }
    var given: PracticeAnswer? { test.answers[question.id]?.answer }
    var unanswered: Int { test.questions.count - test.answers.count }

    func answer(_ answer: PracticeAnswer) throws {
        let seconds = SteadyClock.now - lookedSince
        try test.handle(.answer(question: question.id, answer, seconds: Double(seconds / .milliseconds(1)) / 1000))
        try shelf.write(test)
        lookedSince = SteadyClock.now
    }

    /// To another question; the last one is followed by none.
    func go(by step: Int) {
        place = min(max(place + step, 0), test.questions.count - 1)
        lookedSince = SteadyClock.now
    }

    func leave() throws {
        try test.handle(.leave)
        try shelf.write(test)
    }

    func submit() throws {
        try test.handle(.submit(at: Double(WallTime.now.secondsSince1970)))
        try shelf.write(test)
        guard let result = TestResult(test) else { return }
        try PracticeLog(path: PracticeHome.logFile).append(
            [.tested(test: test.id, right: result.right, of: result.count, seconds: result.seconds)], at: .now)
    }

    /// What somebody is asked who wants to hand in.
    var warning: String {
        let open = unanswered == 0 ? "" : " \(unanswered.of("question")) \(unanswered == 1 ? "has" : "have") no answer."
        return "You cannot change your answers afterwards.\(open)"
    }

    var heading: String {
        "\(place + 1) of \(test.questions.count) · \(test.answers.count) answered"
            + (given.map { " · yours: \($0.typed)" } ?? "")
    }
}

/// A test as lines.
struct TestLines {
    let taking: TestTaking

    func hold() async throws {
        show()
        while true {
            print("> ", terminator: "")
            fflush(nil)
            guard let line = readLine() else {
                print("")
                return try taking.leave()
            }
            switch line.lowercased().filter({ !$0.isWhitespace }) {
            case "q", "quit": return try taking.leave()
            case "n", "next", "": taking.go(by: 1)
            case "p", "previous": taking.go(by: -1)
            case "s", "submit":
                print("\(taking.warning) Type yes to hand it in: ", terminator: "")
                fflush(nil)
                if readLine()?.lowercased() == "yes" { return try taking.submit() }
            default:
                guard let answer = taking.question.answer(typed: line), (try? taking.answer(answer)) != nil else {
                    print(taking.question.howToAnswer + Self.keys)
                    continue
                }
                if let seconds = taking.goesOnAfter { try await Task.sleep(for: .seconds(seconds)) }
                if taking.unanswered == 0 { print("All are answered: s hands it in.") }
                taking.go(by: 1)
            }
            show()
        }
    }

    private static let keys = " n is the next, p the one before, s hands in, q leaves."

    private func show() {
        print("")
        for line in DrillText.question(taking.question, taking.heading) { print(line.cleaned) }
    }
}
