import ExamCore
import ExamKit

/// An exam on one screen: each answer with its length, and how it ended.
struct Summary {
    let text: String

    init(_ scenario: Scenario, _ session: SessionResult) {
        var lines = ["\(scenario.name): \(scenario.about)", ""]
        lines += Self.table(session.takes)
        let speech = session.takes.reduce(Duration.zero) { $0 + $1.speech.duration }
        let outcome = session.outcome?.words ?? "the room was closed before the end"
        lines += [
            "",
            "\(outcome), \(session.manifest.duration.duration.clock) long; "
                + "\(session.takes.count) answer\(session.takes.count == 1 ? "" : "s") with \(speech.clock) of speech",
            "session  \(session.folder.path)",
        ]
        text = lines.joined(separator: "\n")
    }

    private static func table(_ takes: [StoredTake]) -> [String] {
        let header = ["part", "question", "began", "length", "speech", "ended by", "file"]
        var rows = [header]
        for take in takes {
            rows.append([
                String(take.part), take.question, take.openedAt.duration.clock, take.duration.duration.seconds,
                take.speech.duration.seconds, take.endWords, take.file,
            ])
        }
        let widths = header.indices.map { column in rows.map { $0[column].count }.max()! }
        return rows.map { row in
            row.indices.map { column in
                let gap = String(repeating: " ", count: widths[column] - row[column].count)
                return (2...4).contains(column) ? gap + row[column] : row[column] + gap
            }.joined(separator: "  ").trimmingSuffix { $0 == " " }
        }
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
        case "deviceLost": "lost device"
        default: end
        }
    }
}

extension Exam.Outcome {
    fileprivate var words: String {
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

extension String {
    fileprivate func trimmingSuffix(while drop: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, drop(last) { text.removeLast() }
        return String(text)
    }
}
