import Glibc
import Learning
import Study
import StudyFolders
import SystemSupport

/// A test that a learner takes: one of the user's own, or one of a backend. Use it from one task.
protocol TestSheet: AnyObject {
    var questions: [AskedQuestion] { get }
    /// The answers by question.
    var answers: [String: PracticeAnswer] { get }

    /// Stores an answer. It is on disk when this returns.
    ///
    /// - Throws: `TakingRefusal.notAnAnswer` if the question takes another kind of answer.
    func keep(_ answer: PracticeAnswer, to question: String, seconds: Double) async throws
    func handIn() async throws
}

/// A test that a learner takes: the question on the screen, and the time since it was shown. Each answer is on disk
/// before the next question is shown, so that the learner can leave the test at any time. Use it from one task.
final class TestAtHand {
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

    /// - Returns: False if the question takes another kind of answer.
    func answer(_ answer: PracticeAnswer) async throws -> Bool {
        let seconds = SteadyClock.now - lookedSince
        do {
            try await sheet.keep(answer, to: question.id, seconds: Double(seconds / .milliseconds(1)) / 1000)
        } catch TakingRefusal.notAnAnswer {
            return false
        }
        lookedSince = SteadyClock.now
        return true
    }

    /// Moves to another question, and stays on the last one at the end.
    func go(by step: Int) {
        place = min(max(place + step, 0), sheet.questions.count - 1)
        lookedSince = SteadyClock.now
    }

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
    private let shelf: FolderShelf
    private var taking: TestTaking { TestTaking(on: shelf) }

    /// - Throws: `Problem.malformed` if the test is neither ready nor in progress.
    init(_ id: PracticeTest.ID, on shelf: FolderShelf) async throws {
        self.shelf = shelf
        do {
            test = try await TestTaking(on: shelf).start(id)
        } catch TakingRefusal.notReady(let status) {
            throw Problem(.malformed, "\(id): cannot be taken, because it is \(status.word)")
        }
    }

    var questions: [AskedQuestion] { test.questions.map(\.asked) }
    var answers: [String: PracticeAnswer] { test.answers.mapValues(\.answer) }

    func keep(_ answer: PracticeAnswer, to question: String, seconds: Double) async throws {
        test = try await taking.answer(question, of: test.id, in: .look(seconds)) { _ in answer }
    }

    func handIn() async throws {
        test = try await taking.handIn(test.id, at: .now)
        guard let event = test.event else { return }
        try await Practising(on: shelf).take(at: .now) { $0.keep(event) }
    }
}

/// A test that is printed line by line, for screen readers, pipes and small windows.
struct TestLines {
    let taking: TestAtHand

    func hold() async throws {
        show()
        while true {
            print("> ", terminator: "")
            fflush(nil)
            guard let line = readLine() else {
                print("")
                return
            }
            switch line.lowercased().filter({ !$0.isWhitespace }) {
            case "q", "quit": return
            case "n", "next", "": taking.go(by: 1)
            case "p", "previous": taking.go(by: -1)
            case "s", "submit":
                print("\(taking.warning) Type yes to hand it in: ", terminator: "")
                fflush(nil)
                if readLine()?.lowercased() == "yes" { return try await taking.submit() }
            default:
                guard let answer = taking.question.answer(typed: line), try await taking.answer(answer) else {
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
