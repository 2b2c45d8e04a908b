import ExamCore
import ExamKit

/// An exam on one screen: each answer with its length, and how it ended.
struct Summary {
    let text: String

    init(_ scenario: Scenario, _ session: SessionResult) {
        text = "\(scenario.name): \(scenario.about)\n\n" + Summary(session).text
    }

    init(_ session: SessionResult) {
        var lines = session.takes.isEmpty ? [] : Self.table(session.takes) + [""]
        let speech = session.takes.reduce(Duration.zero) { $0 + $1.speech.duration }
        let outcome = session.outcome?.words ?? "not held to its end"
        lines += [
            "\(outcome), \(session.manifest.duration.duration.clock) long; "
                + "\(session.takes.count.of("answer")) with \(speech.clock) of speech",
            "session  \(session.folder.path)",
        ]
        text = lines.joined(separator: "\n")
    }

    static func table(_ takes: [StoredTake]) -> [String] {
        var rows = [["part", "question", "began", "length", "speech", "ended by", "file"]]
        for take in takes {
            rows.append([
                String(take.part), take.question, take.openedAt.duration.clock, take.duration.duration.seconds,
                take.speech.duration.seconds, take.endWords, String(take.file.trimmingPrefix("takes/")),
            ])
        }
        return rows.columns(right: 2...4)
    }
}

extension StoredTake {
    /// `end` in words.
    fileprivate var endWords: String {
        switch end {
        case "finished": "silence after speech"
        case "noAnswer": "no answer"
        case "timeUp.answer": "time of the answer"
        case "timeUp.part": "time of the part"
        case "timeUp.exam": "time of the exam"
        case "declared": "the candidate's word"
        case "withdrawn": "withdrawal"
        case "deviceLost": "broken off"  // By a device, by leaving, by the end of the program.
        default: end
        }
    }
}

extension Exam.Outcome {
    var words: String {
        switch self {
        case .completed: "completed"
        case .withdrawn: "withdrawn by the candidate"
        case .outOfTime: "out of time"
        }
    }
}

extension Duration {
    /// Minutes and seconds: `3:07`.
    var clock: String {
        let seconds = (milliseconds + 500) / 1000
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    /// Seconds with one decimal: `42.1 s`.
    var seconds: String { "\((milliseconds + 50) / 1000).\((milliseconds + 50) / 100 % 10) s" }
}
