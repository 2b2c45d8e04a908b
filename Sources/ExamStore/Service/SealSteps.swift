import ExamCore
package import Foundation
import SystemSupport

/// Adds entries to the record of a sealed exam. The caller has begun a transaction.
extension SQLConnection {
    /// An entry of the record of a sealed exam, before it gets its number.
    typealias Addition = (kind: SealEntry.Kind, who: String, item: String, evidence: String?, content: String?)

    /// Adds an entry to a session's record. Does nothing if the session isn't sealed, or if the item's last entry says
    /// the same.
    ///
    /// - Parameter addition: the entry; with nil for `evidence` if it is based on the seal itself.
    func append(_ addition: Addition, toSealOf session: UUID) throws {
        guard let row = try first("SELECT seal, user_id FROM test_sessions WHERE id = ? {lock}", [session]),
            let seal: String = try row.optional("seal")
        else { return }
        let same = try first(
            """
            SELECT content, evidence FROM seal_entries WHERE session = ? AND kind = ? AND item = ?
            ORDER BY number DESC LIMIT 1
            """, [session, addition.kind.rawValue, addition.item])
        let evidence = addition.evidence ?? seal
        if let same, try same.optional("content") == addition.content, try same.value("evidence") == evidence { return }
        // Without content, an entry withdraws an earlier one, so there must be one. An erasure is recorded in any case.
        if same == nil, addition.content == nil, addition.kind != .erasure { return }
        let last = try first(
            "SELECT number, hash FROM seal_entries WHERE session = ? ORDER BY number DESC LIMIT 1", [session])
        var entry = SealEntry(
            session: session.name, number: 1, at: WallTime.now.utc, kind: addition.kind, who: addition.who,
            item: addition.item, evidence: evidence, content: addition.content, previous: seal, hash: "")
        if let last {
            entry.number = try last.value("number") + 1
            entry.previous = try last.value("hash")
        }
        entry.hash = try entry.computedHash()
        try change(
            """
            INSERT INTO seal_entries (session, number, user_id, added_at, kind, who, item, evidence, content, previous, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                session, entry.number, try row.value("user_id") as UUID, try UTCTime(entry.at), entry.kind.rawValue,
                entry.who, entry.item, entry.evidence, entry.content, entry.previous, entry.hash,
            ])
    }

    /// Adds the stored finding of an assessor about an answer, or the learner's typed words. Does nothing if `finder`
    /// stands for the reasons why an assessor found nothing: they are not evidence.
    func append(findingBy finder: String, of response: UUID) throws {
        guard !finder.hasPrefix(SealRules.gaps),
            let row = try first(
                """
                SELECT r.test_session_id, r.record, r.sha256, (
                  SELECT a.result FROM assessments a WHERE a.response_id = r.id AND a.assessor = ?) AS result
                FROM responses r WHERE r.id = ?
                """, [finder, response])
        else { return }
        let isTyped = finder == SealRules.learner
        try append(
            (
                isTyped ? .transcript : .finding, isTyped ? "learner" : finder,
                "\(try SealRules.name(ofRecord: row.value("record"))) \(finder)", try row.value("sha256"),
                try (row.optional("result") as String?).map { try CanonicalJSON($0).sha256 }
            ), toSealOf: try row.value("test_session_id"))
    }

    /// Adds the saved sheet of a marker. The digest also covers the id of the marking place, a secret of its marker:
    /// otherwise, a reader of the record could find out the marks by trying all possible sheets.
    func append(sheetOf place: UUID) throws {
        guard
            let row = try first(
                "SELECT test_session_id, place, sheet, seal FROM marking_places WHERE id = ?", [place]),
            let sheet: String = try row.optional("sheet")
        else { return }
        let number: Int = try row.value("place")
        try append(
            (
                .marks, "marker \(number)", "place \(number)", try row.optional("seal"),
                try SealRules.digest(ofSheet: sheet, place: place)
            ), toSealOf: try row.value("test_session_id"))
    }

    /// Adds the session's bands, as they are in the database.
    func append(resultOf session: UUID) throws {
        guard let row = try first("SELECT \(SealRules.bands), assessed_by FROM test_sessions WHERE id = ?", [session])
        else { return }
        let by: String? = try row.optional("assessed_by")
        guard let by else { return }
        try append((.result, by, "bands", nil, try SealRules.digest(ofBands: row)), toSealOf: session)
    }

    /// Adds everything the store knew about a session before the seal, so that the record is complete.
    func appendAllBefore(sealOf session: UUID) throws {
        let findings = try rows(
            """
            SELECT a.response_id, a.assessor FROM assessments a JOIN responses r ON r.id = a.response_id
            WHERE r.test_session_id = ? AND a.result IS NOT NULL
            ORDER BY r.part, r.question_order, r.attempt, a.assessor
            """, [session])
        for row in findings { try append(findingBy: row.value("assessor"), of: row.value("response_id")) }
        for row in try rows(
            "SELECT id FROM marking_places WHERE test_session_id = ? AND sheet IS NOT NULL ORDER BY place", [session])
        {
            try append(sheetOf: row.value("id"))
        }
        try append(resultOf: session)
    }
}

/// The rules of seals: when a session is sealed, and what its digests cover.
package enum SealRules {
    /// Seconds after an exam's end during which late answers may still arrive. After that, the server seals the exam
    /// with the answers it has.
    package static let patience = 86_400.0

    /// The prefix of the finder's name under which the store keeps the reasons why an assessor found nothing.
    package static let gaps = "gap:"
    /// The finder's name under which the store keeps a learner's typed words.
    package static let learner = "oracy:candidate"

    static let bands = """
        overall_band_score, fluency_score, pronunciation_score, grammar_score, vocabulary_score, topic_relevance_score
        """

    /// An SQL condition on sessions `s` that are due to be sealed. Its parameter is the seconds of patience.
    ///
    /// An exam that a server held is complete when its log has ended: the server stores each line of the log after the
    /// answers it mentions.
    static let isDue = """
        s.completed_at IS NOT NULL AND s.seal IS NULL AND (
          coalesce(s.closed_at, 0.0) < {seconds} - ?
          OR (coalesce(s.answers, 0) <= (SELECT count(*) FROM responses r WHERE r.test_session_id = s.id)
            AND NOT EXISTS (SELECT 1 FROM resumable_uploads u WHERE u.test_session_id = s.id
              AND (u.byte_length IS NULL OR u.byte_offset < u.byte_length) AND u.expires_at >= {now})
            AND (s.held = 'client' OR EXISTS (
              SELECT 1 FROM session_log l WHERE l.test_session_id = s.id AND l.line LIKE '%"phase":"over %'
                AND l.number = (SELECT max(m.number) FROM session_log m WHERE m.test_session_id = s.id)))))
        """

    /// Returns the answer's name that a record gives, such as `part1_q3`.
    static func name(ofRecord record: String) throws -> String {
        try JSONDecoder().decode(AnswerRecord.self, from: Data(record.utf8)).name
    }

    package static func digest(ofSheet sheet: String, place: UUID) throws -> String {
        try CanonicalJSON.object(["place": .text(place.name), "sheet": CanonicalJSON(sheet)]).sha256
    }

    /// - Parameter row: with the columns of `bands`.
    static func digest(ofBands row: SQLRow) throws -> String {
        var fields: [String: CanonicalJSON] = [:]
        for column in bands.replacing("\n", with: " ").split(separator: ", ").map(String.init) {
            if let band: Double = try row.optional(column) { fields[column] = .number(band) }
        }
        return CanonicalJSON.object(fields).sha256
    }
}
