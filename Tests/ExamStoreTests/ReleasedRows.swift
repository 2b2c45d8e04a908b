import Foundation

/// A row in each table, as it was at each step.
enum ReleasedRows {
    static let user = UUID(uuidString: "00000000-0000-4000-8000-000000000001")!
    static let session = UUID(uuidString: "00000000-0000-4000-8000-000000000002")!

    /// Columns whose facts are stored elsewhere since a later step.
    static let moved: Set = ["responses.ended", "responses.speech_seconds"]

    private static func id(_ number: Int) -> String { "'00000000-0000-4000-8000-\(String(format: "%012d", number))'" }
    private static let time = "'2026-01-02T03:04:05Z'"
    private static let key = "'u/s/a.0f'"

    /// Returns the statements, in SQL of both databases.
    static func statements(at step: Int) -> [String] {
        var rows: [(table: String, row: [(String, String)])] = [
            (
                "profiles",
                [
                    ("id", id(1)), ("updated_at", time), ("username", "'ann'"), ("full_name", "'Ann Lee'"),
                    ("avatar_url", "'u/p/picture-0f.png'"),
                ]
            ),
            (
                "test_templates",
                [
                    ("id", id(3)), ("title", "'Home'"), ("description", "'A test'"), ("difficulty_level", "'Easy'"),
                    ("created_at", time), ("updated_at", time), ("is_active", "TRUE"), ("format", "'f'"),
                    ("paper", "'p'"),
                ]
            ),
            (
                "questions",
                [
                    ("id", id(4)), ("test_template_id", id(3)), ("part_number", "1"), ("question_order", "3"),
                    ("question_text", "'Where do you live?'"), ("audio_file_url", "'a'"), ("transcript", "'t'"),
                    ("expected_duration", "12.5"), ("topic_keywords", #"'["home"]'"#), ("created_at", time),
                    ("question", "'home-1'"),
                ]
            ),
            ("test_sessions", testSession(at: step)),
            (
                "recordings",
                [
                    ("id", id(5)), ("test_session_id", id(2)), ("user_id", id(1)), ("object_key", key),
                    ("byte_count", "7"), ("sha256", "'0f'"), ("media_type", "'audio/ogg'"), ("stored_at", time),
                ]
            ),
            ("responses", response(at: step)),
            ("session_log", [("test_session_id", id(2)), ("number", "1"), ("line", #"'{"at": 0}'"#)]),
            ("processing_queue", job(at: step)),
            (
                "submissions",
                [
                    ("id", id(6)), ("user_id", id(1)), ("test_template_id", id(3)), ("status", "'graded'"),
                    ("attempt_id", id(7)), ("batches", "1"), ("result", #"'{"right": 1}'"#), ("created_at", time),
                    ("submitted_at", time), ("graded_at", time),
                ]
            ),
            ("submission_batches", [("submission_id", id(6)), ("batch", "1")]),
            (
                "submission_answers",
                [
                    ("submission_id", id(6)), ("batch", "1"), ("question", "'q'"),
                    ("answer", #"'{"selectedOption": 2}'"#),
                ]
            ),
            (
                "resumable_uploads",
                [
                    ("id", id(8)), ("user_id", id(1)), ("test_session_id", id(2)), ("byte_length", "9"),
                    ("byte_offset", "4"), ("metadata", "'m'"), ("object_key", "'u/s/tus-8'"), ("expires_at", time),
                ]
            ),
            ("erasures", [("id", id(9)), ("user_id", id(1)), ("erased_at", time)]),
        ]
        if step < 4 {
            rows.append(
                (
                    "session_processing_queue",
                    [
                        ("id", id(10)), ("test_session_id", id(2)), ("status", "'completed'"), ("created_at", time),
                        ("updated_at", time),
                    ]
                ))
        }
        if step >= 7 {
            rows.append(
                (
                    "assessor_spending",
                    [("assessor", "'a'"), ("begun_at", time), ("seconds", "2.5"), ("cost", "0.1")]
                        + (step >= 16 ? [("user_id", id(1))] : [])
                ))
        }
        rows += later.filter { $0.since <= step }.map { ($0.table, $0.row) }
        return rows.map { table, row in
            "INSERT INTO \(table) (\(row.map(\.0).joined(separator: ", "))) VALUES (\(row.map(\.1).joined(separator: ", ")))"
        }
    }

    private static func testSession(at step: Int) -> [(String, String)] {
        [
            ("id", id(2)), ("user_id", id(1)), ("test_template_id", id(3)), ("status", "'evaluated'"),
            ("started_at", time), ("completed_at", time), ("completed_responses", "1"),
            ("all_responses_uploaded", "TRUE"), ("overall_band_score", "6.5"), ("fluency_score", "6"),
            ("expected_responses", "1"), ("name", "'home'"), ("format", "'f'"), ("paper", "'p'"),
            ("outcome", "'completed'"), ("answers", "1"), ("completion_id", id(11)), ("created_at", time),
            ("live_token_hash", "'ab'"), ("node", "'n'"), ("node_url", "'https://n.example'"), ("lease_until", "1.5"),
        ] + (step >= 4 ? [("assessed_by", "'a/1'")] : []) + (step >= 5 ? [("mode", "'practice'")] : [])
    }

    private static func response(at step: Int) -> [(String, String)] {
        let record =
            #"'{"question": "home-1", "part": 1, "order": 3, "attempt": 1, "end": "finished", "duration": 12.5, "speech": 9.25}'"#
        return [
            ("id", id(5)), ("test_session_id", id(2)), ("question_id", id(4)), ("audio_file_path", key),
            ("transcript", "'I live in a flat.'"), ("duration_seconds", "12.5"), ("fluency_score", "6"),
            ("azure_response", #"'{"a": 1}'"#), ("processing_order", "103"), ("created_at", time),
            ("uploaded_at", time),
            ("question", "'home-1'"), ("part", "1"), ("question_order", "3"), ("attempt", "1"), ("byte_count", "7"),
            ("sha256", "'0f'"), ("media_type", "'audio/ogg'"), ("peaks", "'[1, 2]'"),
        ] + (step < 3 ? [("ended", "'finished'"), ("speech_seconds", "9.25")] : [("record", record)])
            + (step >= 6 ? [("mistakes", "'[]'")] : [])
    }

    private static func job(at step: Int) -> [(String, String)] {
        [
            ("id", id(12)), ("session_id", id(2)), ("test_session_id", id(2)), ("status", "'completed'"),
            ("queued_at", time), ("completed_at", time), ("retry_count", "1"), ("max_retries", "5"),
            ("kind", "'evaluate'"), ("key", "'evaluate:2'"), ("queued", "1.5"), ("due", "1.5"),
        ] + (step >= 4 ? [("assessor", "'a/1'"), ("again", "FALSE")] : [])
            + (step >= 9 ? [("detail", #"'{"event": "x"}'"#)] : [])
    }

    private static let later: [(since: Int, table: String, row: [(String, String)])] = [
        (2, "nodes", [("id", "'n-1'"), ("name", "'n'"), ("url", "'https://n.example'"), ("seen_at", "1.5")]),
        (
            4, "assessments",
            [
                ("response_id", id(5)), ("assessor", "'a/1'"), ("calls", "1"), ("begun_at", time),
                ("result", #"'{"band": 6}'"#), ("assessed_at", time),
            ]
        ),
        (
            7, "assessor_calls",
            [
                ("response_id", id(5)), ("assessor", "'a'"), ("version", "'1'"), ("name", "'c'"), ("job_id", id(12)),
                ("begun", "1.5"), ("answer", #"'{"b": 2}'"#), ("answered_at", time),
            ]
        ),
        (
            7, "consents",
            [("user_id", id(1)), ("recipient", "'Azure'"), ("words", "'I agree'"), ("given_at", time)]
        ),
        (8, "session_groups", [("test_session_id", id(2)), ("group_name", "'class-1'"), ("user_id", id(1))]),
        (
            8, "marking_places",
            [
                ("id", id(13)), ("test_session_id", id(2)), ("place", "1"), ("asked", "1.5"), ("marker", id(14)),
                ("sheet", #"'{"fluency": 6}'"#), ("rubric", "'r'"), ("marked_at", time),
            ]
        ),
        (
            8, "readings",
            [
                ("id", id(15)), ("read_at", time), ("reader", id(14)), ("role", "'teacher'"), ("owner", id(1)),
                ("session", id(2)), ("what", "'list'"),
            ]
        ),
        (10, "session_changes", [("test_session_id", id(2)), ("number", "1"), ("thing", "'results'")]),
        (
            11, "papers",
            [
                ("id", id(16)), ("user_id", id(1)), ("format", "'f'"), ("title", "'Lunch'"), ("request", "'{}'"),
                ("by_model", "FALSE"), ("paper", #"'{"id": "p"}'"#), ("created_at", time),
            ]
        ),
        (
            12, "practice_tests",
            [
                ("id", id(6)), ("user_id", id(1)), ("state", "'graded'"), ("by_model", "FALSE"), ("document", "'{}'"),
                ("created_at", time),
            ]
        ),
        (12, "practice_lines", [("user_id", id(1)), ("number", "1"), ("line", #"'{"right": true}'"#)]),
        (
            12, "practice_tasks",
            [
                ("id", id(17)), ("user_id", id(1)), ("title", "'Read'"), ("due", "'2026-01-03'"),
                ("is_complete", "TRUE"), ("created_at", time),
            ]
        ),
        (13, "practice_boards", [("group_name", "'class-1'"), ("user_id", id(1)), ("name", "'Ann'")]),
        (14, "plans", [("user_id", id(1)), ("document", #"'{"version": 1}'"#)]),
        (
            16, "seals",
            [
                ("session", id(18)), ("user_id", id(1)), ("hash", "'0f'"), ("manifest", #"'{"rules": "r"}'"#),
                ("sealed_at", time),
            ]
        ),
        (
            16, "seal_entries",
            [
                ("session", id(18)), ("number", "1"), ("user_id", id(1)), ("added_at", time), ("kind", "'result'"),
                ("who", "'a/1'"), ("item", "'bands'"), ("evidence", "'0f'"), ("content", "'1e'"), ("previous", "'0f'"),
                ("hash", "'2d'"),
            ]
        ),
        (17, "classes", [("id", id(19)), ("name", "'Form 9B'"), ("code", "'K7QM3XRT'"), ("created_at", time)]),
        (
            17, "class_members",
            [
                ("id", id(1)), ("class_id", id(19)), ("name", "'Ann'"), ("name_key", "'ann'"), ("role", "'learner'"),
                ("pin_hash", "'scrypt'"), ("joined_at", time),
            ]
        ),
        (
            17, "class_sign_ins",
            [("token_hash", "'4f'"), ("user_id", id(1)), ("begun", "1.5"), ("until", "2.5")]
        ),
        (
            18, "assignments",
            [
                ("id", id(20)), ("group_name", "'Form 9B'"), ("class_id", id(19)), ("learner_id", id(1)),
                ("work", "'sit:part2'"), ("note", "'Speak up'"), ("due", "'2026-01-09'"), ("made_by", id(14)),
                ("made_at", time),
            ]
        ),
        (
            19, "school_attempts",
            [
                ("state_hash", "'5a'"), ("browser_hash", "'6b'"), ("school", "'elm'"), ("nonce", "'7c'"),
                ("verifier", "'8d'"), ("until", "2.5"),
            ]
        ),
        (
            19, "school_sign_ins",
            [
                ("token_hash", "'9e'"), ("user_id", id(1)), ("school", "'elm'"), ("roles", #"'["teacher"]'"#),
                ("group_names", #"'["7b"]'"#), ("until", "2.5"),
            ]
        ),
    ]
}
