public import Foundation
import SystemSupport

/// Something that was added to a sealed exam: by whom, when, and what it rests on. Each entry's hash covers the one before it, so that none
/// can be left out, changed or put between two others unnoticed.
public struct SealEntry: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// A marker's saved sheet.
        case marks
        /// What a program measured in an answer, or said of it.
        case finding
        /// What the learner typed as their own words; without content if they took it back. No mark rests on it.
        case transcript
        /// The bands that were made of marks and findings.
        case result
        /// The exam was erased; the hashes stay.
        case erasure
    }

    public var session: String
    /// From 1 on, without gaps.
    public var number: Int
    public var at: String
    public var kind: Kind
    /// `marker 1`, an assessor's name in the store, `learner`, `owner`, `operator`, `retention`.
    public var who: String
    /// `place 1`, or an answer's name and the finder: `part1_q3 said:llama:0123456789ab`.
    public var item: String
    /// What it rests on: the seal's hash, or the SHA-256 of the answer's recording.
    public var evidence: String
    /// SHA-256 of what was added, as canonical JSON; nil if something was taken back or erased.
    public var content: String?
    /// The hash of the entry before; the seal's hash for the first.
    public var previous: String
    /// SHA-256 of all the other fields, as canonical JSON; fields that are nil are left out.
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

    /// What the hash is made of.
    private struct Hashed: Encodable {
        var session: String
        var number: Int
        var at, kind, who, item, evidence: String
        var content: String?
        var previous: String
    }

    /// The hash that the other fields give.
    ///
    /// - Throws: never for an entry of these types; `EncodingError` otherwise.
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

    /// Whether the exam was erased since.
    public var isErased: Bool { entries.contains { $0.kind == .erasure } }

    /// What is wrong with the seal by itself: its hash, and the chain of its entries.
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
