import Learning
import Study

/// The text of a drill, for lines and for a screen alike.
enum DrillText {
    /// The width of the text in columns.
    static var width: Int { terminalColumns - 4 }

    static func question(_ question: AskedQuestion, _ place: String) -> [String] {
        var lines = [place] + question.prompt.wrapped(to: width)
        if case .multipleChoice(let options) = question.form {
            for (place, option) in options.enumerated() {
                lines += hanging("  \(AskedQuestion.letter(place))  ", option)
            }
        }
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

    static func finished(_ drill: DrillState, _ history: PracticeHistory, at now: StudyMoment) -> [String] {
        let again = drill.repeated == 0 ? "" : ", \(drill.repeated.of("repetition"))"
        return ["Done: \(drill.right) of \(drill.count) right at once\(again)."] + today(history, at: now)
    }

    /// The streak and today's practice.
    static func today(_ history: PracticeHistory, at now: StudyMoment) -> [String] {
        let streak = Streak(history, today: now.day)
        let minutes = (history.days[now.day]?.seconds ?? 0) / 60
        let days = streak.days == 0 ? "No streak yet" : "Streak: \(streak.days.of("day"))"
        let risk = streak.isAtRisk && !streak.hasToday ? " (you missed yesterday; practise today to keep it)" : ""
        return ["\(days)\(risk). Today: \(minutes.oneDecimal) of \(history.minutesADay) minutes."]
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
