public import Foundation
import SystemSupport

/// An addition to a sealed exam, with its author, its time and the evidence it is based on. Each entry's hash covers
/// the hash before it, so a removed, changed or inserted entry is detected.
public struct SealEntry: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// A marker's saved sheet.
        case marks
        /// A program's measurement or assessment of an answer.
        case finding
        /// A transcript that the learner typed; without content if they withdrew it. Marks are never based on it.
        case transcript
        /// The bands computed from marks and findings.
        case result
        /// The exam was erased. Its hashes remain.
        case erasure
    }

    public var session: String
    /// Counts from 1 without gaps.
    public var number: Int
    public var at: String
    public var kind: Kind
    /// `marker 1`, an assessor's name in the store, `learner`, `owner`, `operator`, `retention`.
    public var who: String
    /// `place 1`, or the answer's name and the finder: `part1_q3 said:llama:0123456789ab`.
    public var item: String
    /// The evidence it is based on: the seal's hash, or the SHA-256 of the answer's recording.
    public var evidence: String
    /// SHA-256 of the addition as canonical JSON; nil if something was withdrawn or erased.
    public var content: String?
    /// The hash of the previous entry; for the first entry, the seal's hash.
    public var previous: String
    /// SHA-256 of all other fields as canonical JSON, without fields that are nil.
    public var hash: String

    package init(
        session: String, number: Int, at: String, kind: Kind, who: String, item: String, evidence: String,
        content: String? = nil, previous: String, hash: String
    ) {
        self.session = session
        self.number = number
        self.at = at
        self.kind = kind
        self.who = who
        self.item = item
        self.evidence = evidence
        self.content = content
        self.previous = previous
        self.hash = hash
    }

    /// The fields that the hash covers.
    private struct Hashed: Encodable {
        var session: String
        var number: Int
        var at, kind, who, item, evidence: String
        var content: String?
        var previous: String
    }

    /// Computes the hash of the other fields.
    ///
    /// - Throws: `EncodingError`, which does not happen with the types of these fields.
    package func computedHash() throws -> String {
        try CanonicalJSON(
            of: Hashed(
                session: session, number: number, at: at, kind: kind.rawValue, who: who, item: item, evidence: evidence,
                content: content, previous: previous)
        ).sha256
    }
}

/// A seal as the store keeps it.
public struct StoredSeal: Equatable, Sendable {
    public var session: UUID
    public var hash: String
    /// The canonical JSON of a `SealManifest`, as it was hashed.
    public var manifest: String
    public var sealedAt: String
    public var entries: [SealEntry]

    package init(session: UUID, hash: String, manifest: String, sealedAt: String, entries: [SealEntry]) {
        self.session = session
        self.hash = hash
        self.manifest = manifest
        self.sealedAt = sealedAt
        self.entries = entries
    }

    /// Whether the exam was erased after it was sealed.
    public var isErased: Bool { entries.contains { $0.kind == .erasure } }

    /// Checks the seal by itself: its hash, and the chain of its entries.
    package func differences() -> [SealDifference] {
        var found: [SealDifference] = []
        if SealManifest.hash(of: manifest) != hash {
            found.append(SealDifference("manifest", "does not have the seal's hash"))
        }
        var previous = hash
        for (place, entry) in entries.enumerated() {
            if entry.number != place + 1 {
                found.append(SealDifference("entry \(place + 1)", "is missing"))
                break
            }
            if entry.previous != previous || (try? entry.computedHash()) != entry.hash {
                found.append(SealDifference("entry \(entry.number)", "was changed, or one before it was"))
                break
            }
            previous = entry.hash
        }
        return found
    }
}
