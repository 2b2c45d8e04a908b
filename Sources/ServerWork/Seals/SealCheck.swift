package import ExamStore
package import Foundation
package import RecordingStores
import SystemSupport

/// A report on a session's seal: whether everything it covers is unchanged.
package struct SealReport: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        /// The exam isn't sealed yet.
        case open
        /// Nothing has changed.
        case sealed
        /// Something has changed: `differs` names it.
        case broken
        /// The exam was erased. Only the hashes remain, and they match.
        case erased
    }

    package var session: String
    package var state: State
    /// The party that held the exam; absent if that is no longer known.
    package var held: HeldBy?
    /// The seal's hash.
    package var seal: String?
    package var sealedAt: String?
    package var manifest: SealManifest?
    /// The additions after the seal, in order.
    package var entries: [SealEntry] = []
    package var differs: [SealDifference] = []
    /// The number of recordings that were read to their end.
    package var recordings = 0
}

/// Compares a seal with the rows in the database and the bytes in storage.
package struct SealCheck: Sendable {
    private let store: ServiceStore
    private let audio: any AudioStore

    package init(_ store: ServiceStore, _ audio: any AudioStore) {
        self.store = store
        self.audio = audio
    }

    /// Checks a session's seal. Takes as long as reading all its recordings.
    ///
    /// - Parameter stored: the session's seal; nil if it has none.
    /// - Throws: `StoreError`; `AudioStoreError.unavailable` if the storage is unavailable.
    package func report(of session: UUID, _ stored: StoredSeal?) async throws -> SealReport {
        let (row, material) = (try await store.session(session), try await store.sealMaterial(of: session))
        guard let stored else {
            // The session's row says it is sealed, but the seal is missing.
            let isLost = row?.seal != nil
            return SealReport(
                session: session.name, state: isLost ? .broken : .open, held: row?.held, seal: row?.seal,
                sealedAt: row?.sealedAt, differs: isLost ? [SealDifference("manifest", "is missing")] : [])
        }
        var report = SealReport(
            session: session.name, state: .sealed, held: row?.held, seal: stored.hash, sealedAt: stored.sealedAt,
            entries: stored.entries, differs: stored.differences())
        report.manifest = try? JSONDecoder().decode(SealManifest.self, from: Data(stored.manifest.utf8))
        if let manifest = report.manifest, let material {
            if row?.seal != stored.hash { report.differs.append(SealDifference("seal", "is not the session's")) }
            report.held = manifest.held
            report.differs += Self.differences(manifest, material)
            report.differs += Self.differences(
                stored.entries, try await store.addedDigests(of: session))
            try await readRecordings(of: session, manifest, into: &report)
        } else if report.manifest == nil {
            report.differs.append(SealDifference("manifest", "cannot be read"))
        } else if !stored.isErased {
            report.differs.append(SealDifference("exam", "is gone, and no entry says who erased it"))
        }
        if !report.differs.isEmpty { report.state = .broken } else if stored.isErased { report.state = .erased }
        return report
    }

    package static func differences(_ manifest: SealManifest, _ material: SealMaterial) -> [SealDifference] {
        guard let now = try? material.manifest(sealedAt: manifest.sealedAt) else {
            return [SealDifference("records", "cannot be read")]
        }
        return manifest.differences(from: now)
    }

    /// - Parameter now: digests of the additions as they are today.
    package static func differences(_ entries: [SealEntry], _ now: [String: String]) -> [SealDifference] {
        var last: [String: SealEntry] = [:]
        for entry in entries { last["\(entry.kind.rawValue) \(entry.item)"] = entry }
        return last.values.sorted { $0.number < $1.number }.compactMap { entry in
            guard entry.kind != .erasure, now["\(entry.kind.rawValue) \(entry.item)"] != entry.content else {
                return nil
            }
            return SealDifference("\(entry.item), entry \(entry.number)", "is not what was added")
        }
    }

    private func readRecordings(
        of session: UUID, _ manifest: SealManifest, into report: inout SealReport
    ) async throws {
        let keys = try await store.recordingKeys(of: session)
        for answer in manifest.answers {
            let item = "\(answer.name) recording"
            // A missing row was reported above.
            guard let key = keys[answer.id].flatMap({ AudioKey($0) }) else { continue }
            do {
                let (byteCount, sha256) = try await audio.digest(of: key)
                report.recordings += 1
                if sha256 != answer.recording || byteCount != answer.byteCount {
                    report.differs.append(SealDifference(item, "has other bytes in storage"))
                }
            } catch let error as AudioStoreError where error.kind == .missing {
                report.differs.append(SealDifference(item, "is not in storage"))
            }
        }
    }
}
