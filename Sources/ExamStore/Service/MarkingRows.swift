import Assessment
import Foundation

// Reads and adds markers' places (rows of `marking_places`), as steps of larger transactions.

extension SQLConnection {
    /// Adds places for markers until the session has `markers` of them. Call it with the session's row locked, or in a
    /// transaction of the session's candidate.
    func askForMarks(of session: UUID, markers: Int) throws(StoreError) {
        guard markers > 0 else { return }
        try note(.results, of: session)
        // Places that are added together get the same time.
        let now: Double = try first("SELECT {seconds} AS now", [])!.value("now")
        for place in 1...markers {
            // `ON CONFLICT` names no columns. If it did, PostgreSQL would have to read the row, which a candidate's
            // transaction may not do.
            try change(
                """
                INSERT INTO marking_places (id, test_session_id, place, asked) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, [UUID(), session, place, now])
        }
    }

    func marking(of session: UUID) throws(StoreError) -> Marking {
        var marking = Marking()
        var asked = 0.0
        for row in try rows(
            "SELECT place, asked, sheet, rubric, marked_at, seal FROM marking_places WHERE test_session_id = ? ORDER BY place",
            [session])
        {
            // Finished sheets stay visible when further markers are asked. If a third marker is asked to decide between
            // the first two, all three sheets become visible together.
            let moment: Double = try row.value("asked")
            let place: Int = try row.value("place")
            if moment > asked, place <= 2, marking.isDone { marking.shown = marking.sheets }
            asked = moment
            marking.asked += 1
            let sheet: String? = try row.optional("sheet")
            guard sheet != nil else { continue }
            marking.done += 1
            marking.sheets.append(try MarkSheet(place: row))
            marking.seals.append(try row.optional("seal"))
        }
        if marking.isDone { marking.shown = marking.sheets }
        return marking
    }

    func task(_ id: UUID, of marker: UUID) throws(StoreError) -> MarkingTask? {
        try first("\(MarkingTask.select) WHERE p.id = ? AND p.marker = ?", [id, marker]).map(MarkingTask.init)
    }
}

extension MarkSheet {
    /// Reads a sheet.
    ///
    /// - Parameter row: a row of `marking_places` with a sheet. The marker is named after the place, so that their
    ///   identity stays secret.
    init(place row: SQLRow) throws(StoreError) {
        guard let given: MarksGiven = try row.json("sheet") else {
            throw StoreError(.unusable, "column sheet of the database is empty")
        }
        let place: Int = try row.value("place")
        self.init(
            marker: "marker \(place)", markedAt: try row.value("marked_at"), rubric: try row.value("rubric"),
            bands: given.bands, topicRelevance: given.topicRelevance, comments: given.comments)
    }
}

extension MarkingTask {
    static let select = """
        SELECT p.id, p.test_session_id, p.place, p.taken_at, p.due, p.draft, p.sheet, p.marked_at, s.format, s.paper, s.held, s.seal,
          s.is_held,
          (SELECT count(*) FROM responses r WHERE r.test_session_id = p.test_session_id
            AND \(TestResponse.isAssessed)) AS answers,
          (SELECT coalesce(sum(r.duration_seconds), 0.0) FROM responses r WHERE r.test_session_id = p.test_session_id
            AND \(TestResponse.isAssessed)) AS seconds
        FROM marking_places p JOIN test_sessions s ON s.id = p.test_session_id
        """

    init(_ row: SQLRow) throws(StoreError) {
        self.init(
            id: try row.value("id"), session: try row.value("test_session_id"), place: try row.value("place"),
            format: try row.value("format"), paper: try row.value("paper"), answers: try row.value("answers"),
            seconds: try row.value("seconds"), takenAt: try row.value("taken_at"), due: try row.value("due"),
            draft: try row.json("draft"), sheet: try row.json("sheet"), markedAt: try row.optional("marked_at"),
            held: try HeldBy(row), seal: try row.optional("seal"), isMarkHeld: try row.value("is_held"))
    }
}
