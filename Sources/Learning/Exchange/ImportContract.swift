/// A format reader's treatment of the features of a foreign file. Each feature is understood, harmless or refused: the
/// reader leaves nothing out silently.
///
/// The readers decide by these lists, the tests try each entry, and the documentation shows them.
public struct ImportContract: Sendable {
    /// A feature by the name that files use, and a reason or remedy.
    public struct Feature: Equatable, Sendable {
        public var name: String
        public var reason: String
    }

    /// The features that Oracy also has.
    public let understood: [String]
    /// The features that change neither the question nor its key, each with the reason.
    public let harmless: [Feature]
    /// The features that Oracy lacks, each with advice to the user. Anything that is in no list is refused as well.
    public let refused: [Feature]

    /// The contract as a list for documentation.
    public var lines: [String] {
        var lines = ["understood: " + understood.map { "`\($0)`" }.joined(separator: ", ")]
        // Features with the same reason share a line.
        for (kind, features) in [("harmless", harmless), ("refused", refused)] {
            var reasons: [String] = []
            for feature in features where !reasons.contains(feature.reason) { reasons.append(feature.reason) }
            for reason in reasons {
                let names = features.filter { $0.reason == reason }.map { "`\($0.name)`" }
                lines.append("\(kind): \(names.joined(separator: ", ")): \(reason)")
            }
        }
        return lines
    }

    private let ignored: Set<String>
    private let known: Set<String>
    private let denied: Set<String>

    init(understood: [String], harmless: KeyValuePairs<String, String>, refused: KeyValuePairs<String, String>) {
        self.understood = understood
        self.harmless = harmless.map { Feature(name: $0, reason: $1) }
        self.refused = refused.map { Feature(name: $0, reason: $1) }
        known = Set(understood)
        ignored = Set(harmless.map(\.key))
        denied = Set(refused.map(\.key))
    }

    func understands(_ name: String) -> Bool { known.contains(name) }

    func ignores(_ name: String) -> Bool { ignored.contains(name) }

    /// Returns whether the contract has this name in one of its lists.
    func names(_ name: String) -> Bool { known.contains(name) || ignored.contains(name) || denied.contains(name) }

    /// Returns what to do about a feature that is neither understood nor harmless. Nil for the others.
    func remedy(_ name: String) -> String? {
        if understands(name) || ignores(name) { return nil }
        return refused.first { $0.name == name }?.reason ?? "is not supported: remove it"
    }
}
