import Assessment
import Glibc
import Papers

/// How writing goes, for people.
enum WritingText {
    /// A line that is written over, where a person looks.
    static func progress(_ generation: ItemGeneration, _ attempt: ItemGeneration.Attempt) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let (done, all) = (generation.outcomes.count { $0 != nil }, generation.wishes.count)
        let filled = done * 20 / max(1, all)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
        var line = "[\(bar)] \(done) of \(all), attempt \(attempt.number)"
        let rules = Set(attempt.faults.map(\.rule)).sorted()
        if !rules.isEmpty { line += ", to mend: \(rules.prefix(3).joined(separator: ", "))" }
        writeAll(Array("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
    }

    static func clear() {
        if isatty(STDERR_FILENO) == 1 { writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    }

    static func line(_ outcome: ItemGeneration.Outcome, number: Int, of all: Int, attempts: Int) -> String {
        let what =
            switch outcome {
            case .written(let item): "\(item.id): \"\(item.about.title)\", written in \(attempts.of("attempt"))"
            case .fallback(let item, let why): "\(item) of the bank stands in: \(why)"
            case .failed(let why): "failed: \(why)"
            }
        return "\(number) of \(all)  \(what)".cleaned
    }

    static func lines(_ all: ItemGeneration.Statistics) -> [String] {
        var lines = [
            "\(all.wishes.of("item")) wanted: \(all.written) written, \(all.fallbacks) from the bank, \(all.failed) failed",
            "\(all.attempts.of("attempt")), \(all.repairs.of("repair")), \((Double(all.milliseconds) / 1_000).figure(1)) s",
        ]
        if !all.byRule.isEmpty {
            let rules = all.byRule.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
            lines.append("answers that broke a rule: \(rules.joined(separator: ", "))")
        }
        return lines
    }
}
