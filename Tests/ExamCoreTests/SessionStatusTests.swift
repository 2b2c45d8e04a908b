import Testing

@testable import ExamCore

/// A session's way through a backend (C13).
@Suite struct SessionStatusTests {
    /// A row for each status it comes from, `x` for each it may become.
    @Test func aSessionGoesForwardOrFailsAndMayBeEvaluatedAgain() {
        let table = """
            from         in_progress completed processing evaluated failed
            in_progress            .         x          .         .      x
            completed              .         .          x         .      x
            processing             .         .          .         x      x
            evaluated              .         .          .         .      .
            failed                 .         .          x         .      .
            """
        let rows = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        var pairs = 0
        for row in rows.dropFirst() {
            for (name, mark) in zip(rows[0], row).dropFirst() {
                guard let from = SessionStatus(rawValue: row[0]), let next = SessionStatus(rawValue: name) else {
                    Issue.record("\(row[0]) or \(name) is no status")
                    continue
                }
                #expect(from.mayBecome(next) == (mark == "x"), "\(row[0]) to \(name)")
                pairs += 1
            }
        }
        #expect(pairs == 25)
        #expect(SessionStatus.allCases.map(\.rawValue) == Array(rows[0].dropFirst()))
    }
}
