import Assessment
import ExamCore
import Learning
import Papers

/// A test, for people.
enum TestText {
    static func made(_ test: PracticeTest) {
        print("\(test.id): \(test.questions.count.of("question")), ready. oracy practice show \(test.id)")
        for shortfall in test.shortfalls { complain("note: \(shortfall)") }
    }

    static func lines(_ test: PracticeTest, withKey: Bool) -> [String] {
        guard !test.questions.isEmpty else {
            let done = test.generation?.outcomes.count { $0 != nil } ?? 0
            return ["\(test.id): \(test.status.word), \(done) of \(test.blueprint.slots.count) questions are there"]
        }
        return test.questions.enumerated().flatMap { number, question -> [String] in
            var lines = ["\(number + 1). \(question.prompt)".wrapped(to: 76).joined(separator: "\n   ")]
            if case .multipleChoice(let key) = question.key {
                for (place, option) in key.options.enumerated() {
                    let mark = withKey && place == key.correct ? "*" : " "
                    lines.append("  \(mark) \(Character(Unicode.Scalar(UInt8(97 + place))))  \(option)")
                }
            }
            if withKey {
                lines += "\(question.topic), \(question.difficulty.rawValue): \(question.explanation)".wrapped(to: 70)
                    .map {
                        "     \($0)"
                    }
            }
            return lines + [""]
        }
    }
}

extension PracticeTest.Status {
    /// For lists.
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
