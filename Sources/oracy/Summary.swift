import Assessment
import ExamCore
import ExamKit
import FoundationEssentials
import Reports
import SessionFolders

/// An exam on one screen: each answer with its length and the way it ended.
struct Summary {
    let text: String

    init(_ scenario: Scenario, _ session: SessionResult) {
        text = "\(scenario.name): \(scenario.about)\n\n" + Summary(session).text
    }

    init(_ session: SessionResult) {
        var lines = session.takes.isEmpty ? [] : Self.table(session.takes) + [""]
        let speech = session.takes.reduce(Duration.zero) { $0 + $1.speech.duration }
        let outcome = session.outcome?.words ?? "not finished"
        lines += [
            "\(outcome), \(session.manifest.duration.duration.clock) long; "
                + "\(session.takes.count.of("answer")) with \(speech.clock) of speech",
            "session  \(session.folder.path)",
        ]
        text = lines.joined(separator: "\n")
    }

    static func table(_ takes: [StoredTake]) -> [String] {
        // The part is in the file's name.
        var rows = [["question", "began", "length", "speech", "ended by", "file"]]
        for take in takes {
            rows.append([
                take.record.questionWords, take.openedAt.duration.clock, take.duration.duration.seconds,
                take.speech.duration.seconds, take.record.endWords ?? "", String(take.file.trimmingPrefix("takes/")),
            ])
        }
        return rows.columns(right: 1...3, shrinking: 0)
    }
}

extension AnswerRecord {
    /// The question's id. Ids of a template mean nothing to a person, so its place replaces them.
    var questionWords: String {
        UUID(uuidString: question) == nil ? question : "part \(part), question \(order)"
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
