import Learning
import Study

/// The text of a drill, for lines and for a screen alike.
enum DrillText {
    /// The width of the text in columns.
    static var width: Int { terminalColumns - 4 }

    static func question(_ question: AskedQuestion, _ place: String) -> [String] {
        var lines = [place] + question.prompt.wrapped(to: width)
        for (label, text) in question.choices { lines += hanging("  \(label)  ", text) }
        return lines
    }

    static func explanation(_ verdict: Verdict, _ question: PracticeQuestion) -> [String] {
        var lines = [verdict.word]
        if !verdict.isRight { lines += hanging("", "It is: \(question.rightAnswer)") }
        return lines + question.explanation.wrapped(to: width)
    }

    /// The learner sees a question that keeps being forgotten before it is asked.
    static func shown(_ question: PracticeQuestion) -> [String] {
        ["You often forget this one. Read it before it is asked:"] + question.prompt.wrapped(to: width)
            + hanging("", "It is: \(question.rightAnswer)") + question.explanation.wrapped(to: width)
    }

    static func place(_ drill: DrillState, of catalogue: PracticeCatalogue) -> String {
        let pack = drill.exercise.flatMap { catalogue.pack($0.pack)?.title } ?? ""
        let role = drill.exercise.map { exercise -> String in
            switch exercise.role {
            case .new: "new"
            case .due: "due"
            case .extra: "extra practice"
            }
        }
        return "\(drill.done) of \(drill.count) done · \(pack) · \(role ?? "")"
    }

    static func finished(_ drill: DrillState, _ day: PracticeDay) -> [String] {
        let again = drill.repeated == 0 ? "" : ", \(drill.repeated.of("repetition"))"
        return ["Done: \(drill.right) of \(drill.count) right at once\(again)."] + today(day)
    }

    /// The streak and today's practice.
    static func today(_ day: PracticeDay) -> [String] {
        let streak = day.streak
        let days = streak.days == 0 ? "No streak yet" : "Streak: \(streak.days.of("day"))"
        let risk = streak.isAtRisk && !streak.hasToday ? " (you missed yesterday; practise today to keep it)" : ""
        return ["\(days)\(risk). Today: \(day.minutes.oneDecimal) of \(day.history.minutesADay) minutes."]
    }

    /// The answers to give again today, each with its command.
    static func again(_ due: [DueAgain]) -> [String] {
        guard !due.isEmpty else { return [] }
        return ["Say again, and better:"]
            + due.flatMap { one in
                hanging("- ", one.question.map { "\(one.name): \($0)" } ?? one.name)
                    + ["  oracy again \(one.answer.session) \(one.answer.answer)"]
            }
    }

    static func hanging(_ label: String, _ text: String) -> [String] {
        text.wrapped(to: max(20, width - label.count)).enumerated().map {
            ($0 == 0 ? label : String(repeating: " ", count: label.count)) + $1
        }
    }
}

extension Double {
    /// The number with one decimal at most: `7.5`, `10`.
    var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
