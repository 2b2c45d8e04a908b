import Glibc
import Learning
import Study
import StudyFolders
import SystemSupport

/// A test that a learner takes: one of the user's own, or one of a backend. Use it from one thread.
protocol TestSheet: AnyObject {
    var questions: [AskedQuestion] { get }
    /// The answers by question.
    var answers: [String: PracticeAnswer] { get }

    /// Stores an answer. It is on disk when this returns.
    func keep(_ answer: PracticeAnswer, to question: String, seconds: Double) throws
    func leave() throws
    func handIn() async throws
}

/// A test in progress. Each answer is on disk before the next question is shown. Use it from one thread.
final class TestTaking {
    let goesOnAfter: Double?
    private let sheet: any TestSheet
    /// The question before the learner, from 0.
    private var place: Int
    private var lookedSince = SteadyClock.now

    init(_ sheet: any TestSheet, goesOnAfter: Double?) {
        (self.sheet, self.goesOnAfter) = (sheet, goesOnAfter)
        place = sheet.questions.firstIndex { sheet.answers[$0.id] == nil } ?? 0
    }

    var question: AskedQuestion { sheet.questions[place] }
    var given: PracticeAnswer? { sheet.answers[question.id] }
    var unanswered: Int { sheet.questions.count - sheet.answers.count }
    var progress: String { "\(sheet.answers.count) of \(sheet.questions.count) answered" }

    func answer(_ answer: PracticeAnswer) throws {
        let seconds = SteadyClock.now - lookedSince
        try sheet.keep(answer, to: question.id, seconds: Double(seconds / .milliseconds(1)) / 1000)
        lookedSince = SteadyClock.now
    }

    /// Moves to another question, and stays on the last one at the end.
    func go(by step: Int) {
        place = min(max(place + step, 0), sheet.questions.count - 1)
        lookedSince = SteadyClock.now
    }

    func leave() throws { try sheet.leave() }
    func submit() async throws { try await sheet.handIn() }

    /// The warning before handing in.
    var warning: String {
        let open = unanswered == 0 ? "" : " \(unanswered.of("question")) \(unanswered == 1 ? "has" : "have") no answer."
        return "You cannot change your answers afterwards.\(open)"
    }

    var heading: String {
        "\(place + 1) of \(sheet.questions.count) · \(sheet.answers.count) answered"
            + (given.map { " · yours: \($0.typed)" } ?? "")
    }
}

/// One of the user's own tests, in progress.
final class OwnTestSheet: TestSheet {
    private(set) var test: PracticeTest
    private let shelf: OwnTests

    /// - Throws: `Problem.malformed` if the test is neither ready nor in progress.
    init(_ test: PracticeTest, on shelf: OwnTests) throws {
        guard [.ready, .inProgress].contains(test.status) else {
            throw Problem(.malformed, "\(test.id): cannot be taken, because it is \(test.status.word)")
        }
        (self.test, self.shelf) = (test, shelf)
        if test.status == .ready {
            try self.test.handle(.start)
            try shelf.write(self.test)
        }
    }

    var questions: [AskedQuestion] { test.questions.map(\.asked) }
    var answers: [String: PracticeAnswer] { test.answers.mapValues(\.answer) }

    func keep(_ answer: PracticeAnswer, to question: String, seconds: Double) throws {
        try test.handle(.answer(question: question, answer, seconds: seconds))
        try shelf.write(test)
    }

    func leave() throws {
        try test.handle(.leave)
        try shelf.write(test)
    }

    func handIn() async throws {
        try test.handle(.submit(at: Double(WallTime.now.secondsSince1970)))
        try shelf.write(test)
        guard let result = TestResult(test) else { return }
        try await Practising.own.keep([
            .tested(test: test.id, right: result.right, of: result.count, seconds: result.seconds)
        ])
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
                if readLine()?.lowercased() == "yes" { return try await taking.submit() }
            default:
                guard let answer = taking.question.answer(typed: line), (try? taking.answer(answer)) != nil else {
                    print(taking.question.howToAnswer + Self.keys)
                    continue
                }
                if let seconds = taking.goesOnAfter { try await Task.sleep(for: .seconds(seconds)) }
                if taking.unanswered == 0 { print("All questions are answered. Type s to hand in.") }
                taking.go(by: 1)
            }
            show()
        }
    }

    private static let keys = " n: next, p: previous, s: hand in, q: leave."

    private func show() {
        print("")
        for line in DrillText.question(taking.question, taking.heading) { print(line.cleaned) }
    }
}
