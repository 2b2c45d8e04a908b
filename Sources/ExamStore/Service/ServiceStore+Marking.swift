public import Foundation

/// People's marking of exams. The caller must have checked that the user is a marker.
extension ServiceStore {
    /// The time for marking an exam in seconds: a week, so that a marker who is ill does not block it for longer.
    public static let markingSeconds = 7.0 * 86_400

    /// Asks people to mark a finished session, so that `markers` people are asked in total.
    ///
    /// - Returns: false if the session is not over, or has only answers to introductions.
    public func askForMarks(of session: UUID, markers: Int) async throws(StoreError) -> Bool {
        try await write { connection in
            guard
                try connection.first(
                    """
                    SELECT 1 FROM test_sessions s WHERE s.id = ? AND s.completed_at IS NOT NULL
                      AND EXISTS (SELECT 1 FROM responses r WHERE r.test_session_id = s.id AND \(TestResponse.isAssessed)) {lock}
                    """, [session]) != nil
            else { return false }
            try connection.askForMarks(of: session, markers: markers)
            return true
        }
    }

    /// Returns the progress of a session's marking.
    public func marking(of session: UUID) async throws(StoreError) -> Marking {
        try await read { connection in try connection.marking(of: session) }
    }

    // MARK: - A marker's tasks

    /// A marker and their permissions.
    public struct Marker: Sendable {
        public var user: UUID
        /// The groups whose exams they mark. Empty for all groups.
        public var groups: Set<String>
        /// Whether they may mark their own exams, for a laptop with one user.
        public var marksOwn: Bool

        public init(_ user: UUID, groups: Set<String> = [], marksOwn: Bool = false) {
            self.user = user
            self.groups = groups
            self.marksOwn = marksOwn
        }
    }

    /// An SQL condition, with its values, on the places that a marker may take. It excludes exams that they already
    /// mark, exams that they sat, and exams that aren't sealed.
    private static func free(for marker: Marker) -> (sql: String, values: [any SQLParameter]) {
        (
            """
            p.sheet IS NULL AND (p.marker IS NULL OR p.due < {seconds})
              AND EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = p.test_session_id AND s.seal IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM marking_places o WHERE o.test_session_id = p.test_session_id AND o.marker = ?)
              AND (? OR NOT EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = p.test_session_id AND s.user_id = ?))
              AND (? OR EXISTS (SELECT 1 FROM session_groups g WHERE g.test_session_id = p.test_session_id
                AND {position}(?, {separator} || g.group_name || {separator}) > 0))
            """,
            [marker.user, marker.marksOwn, marker.user, marker.groups.isEmpty, Reader.list(marker.groups)]
        )
    }

    /// Returns the number of places that a marker could take now.
    public func waitingPlaces(for marker: Marker) async throws(StoreError) -> Int {
        let (isFree, values) = Self.free(for: marker)
        return try await read { connection in
            // A marker could take only one place of each exam.
            try connection.first(
                "SELECT count(DISTINCT p.test_session_id) AS count FROM marking_places p WHERE \(isFree)", values)!
                .value("count")
        }
    }

    /// Takes the exam that has waited longest.
    ///
    /// - Parameter most: the maximum number of exams taken at a time.
    /// - Returns: nil if there is no exam that this marker may take, or if they have already taken the maximum number.
    public func takeNext(for marker: Marker, most: Int = 5) async throws(StoreError) -> MarkingTask? {
        let (isFree, values) = Self.free(for: marker)
        return try await write { connection in
            let taken: Int = try connection.first(
                "SELECT count(*) AS count FROM marking_places WHERE marker = ? AND sheet IS NULL",
                [marker.user])!.value("count")
            guard taken < most else { return nil }
            let row = try connection.first(
                """
                UPDATE marking_places SET marker = ?, taken_at = {now}, due = {seconds} + ?, draft = NULL
                WHERE id = (SELECT p.id FROM marking_places p WHERE \(isFree) ORDER BY p.asked, p.place LIMIT 1 {skip locked})
                RETURNING id
                """, [marker.user, Self.markingSeconds] + values)
            guard let row else { return nil }
            return try connection.task(try row.value("id"), of: marker.user)
        }
    }

    /// Returns the exams that a marker has taken and not saved, oldest first, and those that they saved last, latest
    /// first.
    public func tasks(of marker: UUID) async throws(StoreError) -> (taken: [MarkingTask], marked: [MarkingTask]) {
        let both = try await read { connection in
            let taken = try connection.rows(
                "\(MarkingTask.select) WHERE p.marker = ? AND p.sheet IS NULL ORDER BY p.taken_at, p.id",
                [marker])
            let marked = try connection.rows(
                "\(MarkingTask.select) WHERE p.marker = ? AND p.sheet IS NOT NULL ORDER BY p.marked_at DESC, p.id LIMIT 20",
                [marker])
            return [try taken.map(MarkingTask.init), try marked.map(MarkingTask.init)]
        }
        return (both[0], both[1])
    }

    /// Returns a task. Nil if it does not belong to this marker (any more).
    public func task(_ id: UUID, of marker: UUID) async throws(StoreError) -> MarkingTask? {
        try await read { connection in try connection.task(id, of: marker) }
    }

    /// Stores a marker's draft.
    ///
    /// - Returns: false if the task is not theirs, or was saved.
    public func keep(draft: MarksGiven, of task: UUID, by marker: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                """
                UPDATE marking_places SET draft = ?, due = {seconds} + ?
                WHERE id = ? AND marker = ? AND sheet IS NULL
                """, [try JSONText(draft), Self.markingSeconds, task, marker]) > 0
        }
    }

    /// Returns an exam to the queue for another marker and deletes the draft.
    ///
    /// - Returns: false if the task is not theirs, or was saved.
    public func giveBack(task: UUID, by marker: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                """
                UPDATE marking_places SET marker = NULL, taken_at = NULL, due = NULL, draft = NULL
                WHERE id = ? AND marker = ? AND sheet IS NULL
                """, [task, marker]) > 0
        }
    }
}
