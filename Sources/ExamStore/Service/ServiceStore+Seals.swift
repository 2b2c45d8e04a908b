public import Foundation
import SystemSupport

/// Sealing of finished exams. Only the server seals exams, including those that a client held.
extension ServiceStore {
    /// The outcome of an attempt to seal a session.
    public enum Sealing: Equatable, Sendable {
        /// This call sealed it; with the seal's hash.
        case sealed(String)
        /// It was already sealed; with the seal's hash.
        case sealedBefore(String)
        /// The exam isn't over, or answers may still arrive.
        case notYet
        case noSuchSession
    }

    /// Seals a session in one transaction if its exam is over and complete. Any node may call this any number of times:
    /// a session gets only one seal.
    ///
    /// Adds earlier findings and marks to the seal's record. Bands that were computed before the seal are computed
    /// again.
    ///
    /// - Parameters:
    ///   - assessor: the version of the assessor for which a session with earlier bands is queued; nil if the caller
    ///     evaluates it now.
    ///   - patience: seconds after the end of the exam during which answers may still arrive.
    public func seal(
        _ session: UUID, assessor: String?, patience: Double? = nil
    ) async throws(StoreError) -> Sealing {
        let patience = patience ?? SealRules.patience
        return try await write { connection in
            // The lock lets only one node seal the session at a time.
            guard
                let row = try connection.first(
                    "SELECT seal, user_id, assessed_by, evidence FROM test_sessions WHERE id = ? {lock}", [session])
            else { return .noSuchSession }
            if let before: String = try row.optional("seal") { return .sealedBefore(before) }
            guard
                try connection.first(
                    "SELECT 1 FROM test_sessions s WHERE s.id = ? AND \(SealRules.isDue)", [session, patience]) != nil,
                let material = try connection.sealMaterial(of: session)
            else { return .notYet }
            let sealedAt = WallTime.now.utc
            let manifest = try material.manifest(sealedAt: sealedAt).written()
            let hash = SealManifest.hash(of: manifest)
            try connection.change(
                "INSERT INTO seals (session, user_id, hash, manifest, sealed_at) VALUES (?, ?, ?, ?, ?)",
                [session, try row.value("user_id") as UUID, hash, manifest, try UTCTime(sealedAt)])
            try connection.note(.results, of: session)
            try connection.change(
                "UPDATE test_sessions SET seal = ?, sealed_at = ? WHERE id = ?", [hash, try UTCTime(sealedAt), session])
            try connection.appendAllBefore(sealOf: session)
            // Bands from before seals existed stay as they are and are labelled `older`.
            let (assessed, evidence): (String?, String?) = (
                try row.optional("assessed_by"), try row.optional("evidence")
            )
            if let assessor, assessed != nil, evidence == nil {
                try connection.enqueue(.evaluate, session: session, assessor: assessor, again: true)
            }
            return .sealed(hash)
        }
    }

    /// Returns the sessions that are due to be sealed, in the order in which they ended.
    ///
    /// - Parameter patience: as for `seal`.
    public func sessionsToSeal(limit: Int, patience: Double? = nil) async throws(StoreError) -> [UUID] {
        try await read { connection in
            try connection.rows(
                """
                SELECT s.id FROM test_sessions s WHERE \(SealRules.isDue) ORDER BY s.completed_at, s.id LIMIT ?
                """, [patience ?? SealRules.patience, limit]
            ).map { try $0.value("id") }
        }
    }

    /// Returns a page of all sealed sessions with their owners, in the order of the sessions' ids. It includes erased
    /// sessions whose seal remains, and sessions whose seal was removed.
    ///
    /// - Parameter session: the last session of the previous page; nil for the first page.
    package func sealedSessions(after session: UUID?, limit: Int) async throws(StoreError) -> [(
        session: UUID, user: UUID
    )] {
        try await read { connection in
            let sealed = """
                (SELECT session, user_id FROM seals
                UNION SELECT id, user_id FROM test_sessions WHERE seal IS NOT NULL) s
                """
            let rows =
                if let session {
                    try connection.rows(
                        "SELECT session, user_id FROM \(sealed) WHERE session > ? ORDER BY session LIMIT ?",
                        [session, limit])
                } else {
                    try connection.rows("SELECT session, user_id FROM \(sealed) ORDER BY session LIMIT ?", [limit])
                }
            return try rows.map { (try $0.value("session"), try $0.value("user_id")) }
        }
    }

    /// Returns a session's seal; nil if it has none.
    public func seal(of session: UUID) async throws(StoreError) -> StoredSeal? {
        try await read { connection in try connection.seal(of: session, user: nil) }
    }

    /// Returns the material from which a manifest of the session would be made today; nil if there is no such session.
    package func sealMaterial(of session: UUID) async throws(StoreError) -> SealMaterial? {
        try await read { connection in try connection.sealMaterial(of: session) }
    }

    /// Returns digests of the additions to a session as they are in the database today, by the kind and item of their
    /// entries.
    package func addedDigests(of session: UUID) async throws(StoreError) -> [String: String] {
        try await read { connection in try connection.addedDigests(of: session) }
    }

    /// Returns the storage keys of a session's recordings, by the lower-case ids of their answers.
    package func recordingKeys(of session: UUID) async throws(StoreError) -> [String: String] {
        try await read { connection in
            try connection.rows("SELECT id, object_key FROM recordings WHERE test_session_id = ?", [session])
                .reduce(into: [:]) { $0[(try $1.value("id") as UUID).name] = try $1.value("object_key") }
        }
    }

    /// Removes the seals of erased exams when they reach the age at which lines of the audit log are removed.
    public func removeOldSeals() async throws(StoreError) {
        let moment = try UTCTime(Self.moment(daysAgo: Self.readingDays))
        try await write { connection in
            _ = try connection.change(
                """
                DELETE FROM seals WHERE EXISTS (
                  SELECT 1 FROM seal_entries e WHERE e.session = seals.session AND e.kind = 'erasure' AND e.added_at < ?)
                """, [moment])
        }
    }
}

extension OwnedStore {
    /// Returns a session's seal; nil if this user has no such session, or if it isn't sealed. The seal of an erased
    /// exam remains.
    public func seal(of session: UUID) async throws(StoreError) -> StoredSeal? {
        let user = user
        return try await read { connection in try connection.seal(of: session, user: user) }
    }
}

extension SQLConnection {
    /// - Parameter user: the owner that the session must have; nil accepts any owner.
    func seal(of session: UUID, user: UUID?) throws(StoreError) -> StoredSeal? {
        guard let row = try first("SELECT user_id, hash, manifest, sealed_at FROM seals WHERE session = ?", [session])
        else { return nil }
        let owner: UUID = try row.value("user_id")
        if let user, user != owner { return nil }
        var entries: [SealEntry] = []
        for entry in try rows(
            """
            SELECT number, added_at, kind, who, item, evidence, content, previous, hash FROM seal_entries
            WHERE session = ? ORDER BY number
            """, [session])
        {
            let word: String = try entry.value("kind")
            guard let kind = SealEntry.Kind(rawValue: word) else {
                throw StoreError(.unusable, "column kind of the database holds something else")
            }
            entries.append(
                SealEntry(
                    session: session.name, number: try entry.value("number"), at: try entry.value("added_at"),
                    kind: kind,
                    who: try entry.value("who"), item: try entry.value("item"), evidence: try entry.value("evidence"),
                    content: try entry.optional("content"), previous: try entry.value("previous"),
                    hash: try entry.value("hash")))
        }
        return StoredSeal(
            session: session, hash: try row.value("hash"), manifest: try row.value("manifest"),
            sealedAt: try row.value("sealed_at"), entries: entries)
    }

    func sealMaterial(of session: UUID) throws(StoreError) -> SealMaterial? {
        guard
            let row = try first(
                """
                SELECT name, format, paper, mode, started_at, completed_at, outcome, held FROM test_sessions WHERE id = ?
                """, [session])
        else { return nil }
        let facts = SealMaterial.Facts(
            name: try row.value("name"), format: try row.value("format"), paper: try row.value("paper"),
            mode: try row.optional("mode"), startedAt: try row.value("started_at"),
            completedAt: try row.optional("completed_at"), outcome: try row.optional("outcome"))
        var answers: [SealMaterial.Answer] = []
        for row in try rows(
            """
            SELECT r.id, r.record, o.sha256, o.byte_count, o.media_type FROM responses r JOIN recordings o ON o.id = r.id
            WHERE r.test_session_id = ?
            """, [session])
        {
            answers.append(
                .init(
                    id: try row.value("id"), record: try row.value("record"), recording: try row.value("sha256"),
                    byteCount: try row.value("byte_count"), mediaType: try row.value("media_type")))
        }
        var lines: [String] = []
        for row in try rows("SELECT line FROM session_log WHERE test_session_id = ? ORDER BY number", [session]) {
            lines.append(try row.value("line"))
        }
        let exam = try first(
            "SELECT bytes FROM session_files WHERE test_session_id = ? AND name = 'exam.json'", [session])
        return SealMaterial(
            session: session, held: try HeldBy(row), facts: facts, answers: answers, log: lines,
            exam: try exam?.value("bytes"))
    }

    func addedDigests(of session: UUID) throws -> [String: String] {
        var digests: [String: String] = [:]
        for row in try rows(
            """
            SELECT r.record, a.assessor, a.result FROM assessments a JOIN responses r ON r.id = a.response_id
            WHERE r.test_session_id = ? AND a.result IS NOT NULL
            """, [session])
        {
            let (finder, name): (String, String) = (
                try row.value("assessor"), try SealRules.name(ofRecord: row.value("record"))
            )
            let kind: SealEntry.Kind = finder == SealRules.learner ? .transcript : .finding
            digests["\(kind.rawValue) \(name) \(finder)"] = try CanonicalJSON(row.value("result")).sha256
        }
        for row in try rows(
            "SELECT id, place, sheet FROM marking_places WHERE test_session_id = ? AND sheet IS NOT NULL", [session])
        {
            let place: Int = try row.value("place")
            digests["\(SealEntry.Kind.marks.rawValue) place \(place)"] = try SealRules.digest(
                ofSheet: row.value("sheet"), place: row.value("id"))
        }
        if let row = try first("SELECT \(SealRules.bands), assessed_by FROM test_sessions WHERE id = ?", [session]),
            try (row.optional("assessed_by") as String?) != nil
        {
            digests["\(SealEntry.Kind.result.rawValue) bands"] = try SealRules.digest(ofBands: row)
        }
        return digests
    }
}

extension HeldBy {
    init(_ row: SQLRow) throws(StoreError) {
        let word: String = try row.value("held")
        guard let held = HeldBy(rawValue: word) else {
            throw StoreError(.unusable, "column held of the database holds something else")
        }
        self = held
    }
}
