import Backends
import ExamCore
import Learning
import Papers
import SystemSupport

/// A test as text for people.
enum TestText {
    static func made(_ test: PracticeTest) {
        print("\(test.id): \(test.questions.count.of("question")), ready. To take it: oracy practice take \(test.id)")
        for shortfall in test.shortfalls { complain("note: \(shortfall)") }
    }

    static func lines(_ test: PracticeTest, withKey: Bool) -> [String] {
        guard !test.questions.isEmpty else {
            let done = test.generation?.outcomes.count { $0 != nil } ?? 0
            return ["\(test.id): \(test.status.word), with \(done) of \(test.blueprint.slots.count) questions"]
        }
        return test.questions.enumerated().flatMap { number, question in
            lines(question, number, mark: { withKey && $0 ? "*" : " " }, withKey: withKey)
        }
    }

    /// - Parameter mark: Returns the mark before an option, by its correctness and its index.
    private static func lines(
        _ question: PracticeQuestion, _ number: Int, mark: (_ isRight: Bool) -> Character, withKey: Bool
    ) -> [String] {
        var lines = numbered(number, question.prompt)
        if case .multipleChoice(let key) = question.key {
            for (place, option) in key.options.enumerated() {
                lines.append("  \(mark(place == key.correct))  \(AskedQuestion.letter(place))  \(option)")
            }
        } else {
            lines += question.asked.choiceLines
        }
        if withKey, !question.asked.isAnsweredByOneKey {
            lines.append("  It is: \(question.rightAnswer)")
        }
        if withKey {
            lines += "\(question.topic), \(question.difficulty.rawValue): \(question.explanation)".wrapped(
                to: terminalColumns - 10
            )
            .map { "     \($0)" }
        }
        return lines + [""]
    }

    // MARK: - Handed in

    /// Returns the score with its word, the advice, and each question with all its options, marks and the reason.
    static func lines(_ result: TestResult, of test: PracticeTest) -> [String] {
        var lines = [
            "\(result.percentage) %  \(result.right) of \(result.count)  \(result.grade.word) (\(result.grade.rawValue))"
        ]
        lines += result.grade.advice.wrapped(to: terminalColumns - 4)
        let time = "\(Int(result.seconds / 60)):\(String(Int(result.seconds) % 60 + 100).dropFirst())"
        let day = test.submittedAt.map { WallTime(secondsSince1970: Int($0)).local } ?? ""
        lines += ["", "Handed in \(day), after \(time) of work."]
        if let course = test.request.courseName { lines.append("Course: \(course)") }
        lines.append("")
        for (name, parts) in [
            ("topic", result.byTopic), ("difficulty", result.byDifficulty), ("kind of thinking", result.byBloom),
        ] where !parts.isEmpty {
            lines.append("By \(name): " + parts.map { "\($0.name) \($0.right) of \($0.count)" }.joined(separator: ", "))
        }
        lines.append("")
        for (number, question) in test.questions.enumerated() {
            lines += self.lines(question, number, of: test)
        }
        return lines
    }

    private static func lines(_ question: PracticeQuestion, _ number: Int, of test: PracticeTest) -> [String] {
        let answer = test.answers[question.id]?.answer
        let isPartly = test.credit(for: question) > 0
        let word =
            test.isRight(question) ? "Right" : answer == nil ? "Not answered" : isPartly ? "Partly right" : "Not right"
        var lines = numbered(number, "\(word): \(question.prompt)")
        switch question.key {
        case .multipleChoice(let key):
            for (place, option) in key.options.enumerated() {
                let isYours = answer == .multipleChoice(selectedOption: place)
                lines.append(self.option(place, option, isRight: place == key.correct, isYours: isYours))
            }
        default:
            lines += question.asked.choiceLines
            if let answer { lines.append("  yours: \(answer.typed)") }
            lines.append("  right: \(question.rightAnswer)")
        }
        let bloom = question.bloom.map { ", \($0.rawValue)" } ?? ""
        lines += "\(question.topic), \(question.difficulty.rawValue)\(bloom): \(question.explanation)".wrapped(
            to: terminalColumns - 10
        )
        .map { "     \($0)" }
        return lines + [""]
    }

    static func numbered(_ number: Int, _ text: String) -> [String] {
        DrillText.hanging("\(number + 1). ", text)
    }

    static func option(_ place: Int, _ text: String, isRight: Bool, isYours: Bool) -> String {
        let mark = isRight ? "right" : isYours ? "wrong" : ""
        return "  \(mark.padded(to: 5))  \(AskedQuestion.letter(place))  \(text)\(isYours ? "  (yours)" : "")"
    }

    // MARK: - Lists

    /// - Parameter fetched: The tests of a backend.
    static func board(_ board: TestBoard, _ fetched: [FetchedTest]) -> [String] {
        var lines: [String] = []
        if let test = board.current {
            lines += card(test)
            if let course = test.request.courseName { lines.append("Course: \(course)") }
            lines.append("")
        }
        func table(_ title: String, _ tests: [PracticeTest], _ what: (PracticeTest) -> String) {
            guard !tests.isEmpty else { return }
            let rows = tests.map { test in
                [
                    test.id, what(test), "\(test.blueprint.slots.count)",
                    (test.request.courseName.map { "\($0): " } ?? "")
                        + test.blueprint.topicQuotas.keys.sorted().joined(separator: ", "),
                ]
            }
            lines += ([[title, "STATE", "QUESTIONS", "TOPICS"]] + rows).columns(shrinking: 3) + [""]
        }
        table("OPEN", board.others) { $0.status.word }
        table("TO COME", board.scheduled) { $0.scheduledFor ?? "" }
        table("HANDED IN", board.recent) { test in TestResult(test).map { "\($0.percentage) %" } ?? "" }
        if !fetched.isEmpty {
            let rows = fetched.map { [$0.id, $0.word, "\($0.test.count)", $0.test.topics.joined(separator: ", ")] }
            lines += ([["FROM THE BACKEND", "STATE", "QUESTIONS", "TOPICS"]] + rows).columns(shrinking: 3) + [""]
        }
        guard !lines.isEmpty else { return ["You have no tests yet. To make one: oracy practice new"] }
        if let score = board.averageScore {
            let count = board.recent.count
            lines.append(
                "\(count.of("test")), \(board.questionCount.of("question")), \(Int((score * 100).rounded())) % on average"
            )
        }
        return lines
    }

    /// Describes the current test according to its state.
    private static func card(_ test: PracticeTest) -> [String] {
        let (count, answered) = (test.blueprint.slots.count, test.answers.count)
        let bar = String(repeating: "#", count: 20 * answered / max(1, count))
        switch test.status {
        case .generating:
            return ["\(test.id) is being written. To continue: oracy practice new --resume \(test.id)"]
        case .ready: return ["\(test.id) is ready, with \(count.of("question")). To take it: oracy practice take"]
        case .inProgress:
            return [
                "\(test.id) is in progress, \(answered) of \(count) answered. To continue: oracy practice take",
                "[\(bar.padding(to: 20))]",
            ]
        case .failed:
            return ["\(test.id) failed: \(test.failure ?? ""). To retry: oracy practice new --resume \(test.id)"]
        case .submitted: return []
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: "-", count: max(0, width - count)) }
}

extension PracticeAnswer {
    /// The answer as the learner gave it.
    var typed: String {
        switch self {
        case .multipleChoice(let place): String(AskedQuestion.letter(place))
        case .multipleResponse(let places), .ordering(let places), .matching(let places): AskedQuestion.letters(places)
        case .fillInTheBlank(let text): text
        case .calculation(let text): text
        case .spoken(let speech): "\(Int(speech.rounded())) seconds of speech"
        }
    }
}

extension PracticeAnswer {
    /// Returns whether the option with this letter was chosen, alone or with others.
    func chooses(_ letter: String) -> Bool {
        switch self {
        case .multipleChoice(let place): String(AskedQuestion.letter(place)) == letter
        case .multipleResponse(let places): places.contains { String(AskedQuestion.letter($0)) == letter }
        case .ordering, .matching, .fillInTheBlank, .calculation, .spoken: false
        }
    }
}

extension PracticeTest.Status {
    /// The word for lists.
    var word: String {
        switch self {
        case .generating: "being written"
        case .ready: "ready"
        case .inProgress: "in progress"
        case .submitted: "handed in"
        case .failed: "failed"
        }
    }
}
