public import Assessment
public import Foundation

/// Markers' saved sheets and their consequences.
extension ServiceStore {
    /// Saves a marker's sheet, which is final. After the last sheet the session is evaluated again. If two sheets
    /// differ, a third marker is asked instead. Everything is one transaction.
    ///
    /// - Parameters:
    ///   - rubric: the descriptors that the marker used: `ielts-style/1`.
    ///   - needsThird: returns whether two sheets differ too much.
    ///   - assessor: the version of the assessor for which the session is queued.
    public func keep(
        sheet: MarksGiven, of task: UUID, by marker: UUID, rubric: String, assessor: String,
        needsThird: @escaping @Sendable ([MarkSheet]) -> Bool
    ) async throws(StoreError) -> SheetKept {
        let endpoints = endpoints
        return try await write { connection in
            guard let place = try connection.task(task, of: marker) else { return .notTheirs }
            // The lock lets a session's sheets be saved only one at a time, so that the call that saves the last one
            // sees all.
            guard
                try connection.first("SELECT 1 FROM test_sessions WHERE id = ? {lock}", [place.session]) != nil,
                let task = try connection.task(task, of: marker)
            else { return .notTheirs }
            if let before = task.sheet { return before == sheet ? .same : .otherBefore }
            try connection.change(
                """
                UPDATE marking_places SET sheet = ?, rubric = ?, draft = NULL, marked_at = {now},
                  seal = (SELECT s.seal FROM test_sessions s WHERE s.id = marking_places.test_session_id)
                WHERE id = ? AND marker = ?
                """, [try JSONText(sheet), rubric, task.id, marker])
            try connection.note(.results, of: task.session)
            try connection.append(sheetOf: task.id)
            var marking = try connection.marking(of: task.session)
            if marking.isDone, marking.asked == 2, needsThird(marking.sheets) {
                try connection.askForMarks(of: task.session, markers: 3)
                marking.asked = 3
            }
            if marking.isDone {
                try connection.enqueue(
                    .evaluate, session: task.session, assessor: assessor, again: true, priority: JobKind.awaited)
                try connection.tell(.marked, of: task.session, to: endpoints)
            }
            return .saved
        }
    }

    // MARK: - Agreement between markers

    /// A person's marks with the person.
    public struct SheetOf: Sendable {
        public var marker: UUID
        public var sheet: MarkSheet
    }

    /// Returns the saved sheets of each session that at least two markers have marked: of all groups, of some groups,
    /// or of sessions that one marker marked.
    public func sheets(of groups: Set<String>?, by marker: UUID?) async throws(StoreError) -> [[SheetOf]] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT p.test_session_id, p.marker, p.place, p.sheet, p.rubric, p.marked_at FROM marking_places p
                WHERE p.sheet IS NOT NULL
                  AND (? OR EXISTS (SELECT 1 FROM session_groups g WHERE g.test_session_id = p.test_session_id
                    AND {position}(?, {separator} || g.group_name || {separator}) > 0))
                  AND (? OR EXISTS (SELECT 1 FROM marking_places o WHERE o.test_session_id = p.test_session_id AND o.marker = ?
                    AND o.sheet IS NOT NULL))
                ORDER BY p.test_session_id, p.place
                """, [groups == nil, Reader.list(groups ?? []), marker == nil, marker ?? UUID()])
            var sessions: [UUID: [SheetOf]] = [:]
            for row in rows {
                sessions[try row.value("test_session_id"), default: []].append(
                    SheetOf(marker: try row.value("marker"), sheet: try MarkSheet(place: row)))
            }
            return sessions.values.filter { $0.count > 1 }
        }
    }
}
