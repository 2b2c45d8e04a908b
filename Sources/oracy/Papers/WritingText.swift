import Assessment
import Glibc
import Papers

/// The progress of writing, for people.
enum WritingText {
    /// Redraws the progress line if standard error is a terminal.
    static func progress<Wish>(_ generation: Generation<Wish>, _ attempt: Generation<Wish>.Attempt) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let (done, all) = (generation.outcomes.count { $0 != nil }, generation.wishes.count)
        let filled = done * 20 / max(1, all)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
        var line = "[\(bar)] \(done) of \(all), attempt \(attempt.number)"
        let rules = Set(attempt.faults.map(\.rule)).sorted()
        if !rules.isEmpty { line += ", to correct: \(rules.prefix(3).joined(separator: ", "))" }
        writeAll(Array("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
    }

    static func clear() {
        if isatty(STDERR_FILENO) == 1 { writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    }

    /// Prints the outcome of a wish, if it has one.
    ///
    /// - Parameter name: Returns the name of a written piece.
    static func ended<Wish>(
        _ attempt: Generation<Wish>.Attempt, _ generation: Generation<Wish>, name: (Wish.Piece) -> String
    ) {
        guard let outcome = generation.outcomes[attempt.wish] else { return }
        clear()
        print(
            line(outcome, number: attempt.wish + 1, of: generation.wishes.count, attempts: attempt.number, name: name))
    }

    private static func line<Wish>(
        _ outcome: Generation<Wish>.Outcome, number: Int, of all: Int, attempts: Int, name: (Wish.Piece) -> String
    ) -> String {
        let what =
            switch outcome {
            case .written(let piece): "\(name(piece)), written in \(attempts.of("attempt"))"
            case .fallback(let item, let why): "\(item) from the bank replaces it: \(why)"
            case .failed(let why): "failed: \(why)"
            }
        return "\(number) of \(all)  \(what)".cleaned
    }

    /// - Parameter noun: The kind of piece: `item`.
    static func lines(_ all: GenerationStatistics, noun: String) -> [String] {
        var lines = [
            "\(all.wishes.of(noun)) wanted: \(all.written) written, \(all.fallbacks) from the bank, \(all.failed) failed",
            "\(all.attempts.of("attempt")), \(all.repairs.of("repair")), \((Double(all.milliseconds) / 1_000).figure(1)) s",
        ]
        if !all.byRule.isEmpty {
            let rules = all.byRule.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
            lines.append("responses that broke a rule: \(rules.joined(separator: ", "))")
        }
        return lines
    }
}
