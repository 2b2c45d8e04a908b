/// A difference between sealed evidence and its state today.
public struct SealDifference: Codable, Equatable, Sendable {
    /// The item that differs: `facts`, `exam`, `log`, `part1_q3 record`, `part1_q3 recording`, `entry 4`, `manifest`.
    public var item: String
    /// A description of the fault, without a full stop.
    public var why: String

    public init(_ item: String, _ why: String) {
        self.item = item
        self.why = why
    }
}

extension SealManifest {
    /// Compares this sealed manifest with a manifest of today's material.
    package func differences(from now: SealManifest) -> [SealDifference] {
        var found: [SealDifference] = []
        func compare(_ item: String, _ sealed: String?, _ now: String?) {
            if sealed == now { return }
            let why = now == nil ? "is missing" : sealed == nil ? "was not there when it was sealed" : "was changed"
            found.append(SealDifference(item, why))
        }
        compare("facts", facts, now.facts)
        compare("held", held.rawValue, now.held.rawValue)
        compare("exam", exam, now.exam)
        compare("log", log?.sha256, now.log?.sha256)
        let there = Dictionary(now.answers.map { ($0.id, $0) }) { first, _ in first }
        for answer in answers {
            let present = there[answer.id]
            compare("\(answer.name) record", answer.record, present?.record)
            compare("\(answer.name) recording", answer.recording, present?.recording)
        }
        let known = Set(answers.map(\.id))
        for answer in now.answers where !known.contains(answer.id) {
            found.append(SealDifference("\(answer.name) record", "was not there when it was sealed"))
        }
        return found
    }
}
