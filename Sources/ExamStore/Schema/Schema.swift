/// The tables of the interface, and further tables that a backend needs. Ids are UUIDs. A row's owner is `user_id`, in
/// the row itself or in its session. Rows that belong to a session are erased with it.
///
/// Times that people read are `{time}`. Times that are only compared (leases, due dates) are seconds since 1970 by the
/// database's own clock, because nodes' clocks differ.
enum Schema {
    static let first = catalogue + sessions + queue + submissions + uploads

    private static let catalogue = [
        """
        CREATE TABLE profiles (
          id {uuid} PRIMARY KEY,
          updated_at {time} NOT NULL,
          username TEXT,
          full_name TEXT,
          avatar_url TEXT) {strict}
        """,
        """
        CREATE TABLE test_templates (
          id {uuid} PRIMARY KEY,
          title TEXT NOT NULL,
          description TEXT,
          difficulty_level TEXT CHECK (difficulty_level IN ('Easy', 'Medium', 'Hard')),
          created_at {time} NOT NULL,
          updated_at {time} NOT NULL,
          is_active {bool} NOT NULL,
          format TEXT NOT NULL,
          paper TEXT NOT NULL) {strict}
        """,
        """
        CREATE TABLE questions (
          id {uuid} PRIMARY KEY,
          test_template_id {uuid} NOT NULL REFERENCES test_templates (id) ON DELETE CASCADE,
          part_number {int} NOT NULL CHECK (part_number >= 1),
          question_order {int} NOT NULL CHECK (question_order >= 1),
          question_text TEXT NOT NULL,
          audio_file_url TEXT,
          transcript TEXT,
          expected_duration {real},
          topic_keywords {json},
          created_at {time} NOT NULL,
          question TEXT NOT NULL,
          UNIQUE (test_template_id, part_number, question_order)) {strict}
        """,
    ]

    private static let scores = """
        fluency_score {real},
          pronunciation_score {real},
          grammar_score {real},
          vocabulary_score {real},
          topic_relevance_score {real}
        """

    private static let sessions = [
        """
        CREATE TABLE test_sessions (
          id {uuid} PRIMARY KEY,
          user_id {uuid} NOT NULL,
          test_template_id {uuid} REFERENCES test_templates (id) ON DELETE SET NULL,
          status TEXT NOT NULL DEFAULT 'in_progress'
            CHECK (status IN ('in_progress', 'completed', 'processing', 'evaluated', 'failed')),
          started_at {time} NOT NULL,
          completed_at {time},
          completed_responses {int} NOT NULL DEFAULT 0,
          all_responses_uploaded {bool} NOT NULL DEFAULT FALSE,
          overall_band_score {real},
          \(scores),
          expected_responses {int},
          name TEXT NOT NULL,
          format TEXT NOT NULL,
          paper TEXT NOT NULL,
          outcome TEXT,
          answers {int},
          completion_id {uuid},
          created_at {time} NOT NULL,
          live_token_hash TEXT UNIQUE,
          node TEXT,
          node_url TEXT,
          lease_until {real}) {strict}
        """,
        "CREATE INDEX test_sessions_by_user ON test_sessions (user_id, started_at, id)",
        "CREATE INDEX test_sessions_by_status ON test_sessions (status)",
        "CREATE INDEX test_sessions_by_node ON test_sessions (node) WHERE node IS NOT NULL",
        """
        CREATE TABLE recordings (
          id {uuid} PRIMARY KEY,
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          user_id {uuid} NOT NULL,
          object_key TEXT NOT NULL,
          byte_count {int} NOT NULL CHECK (byte_count >= 0),
          sha256 TEXT NOT NULL,
          media_type TEXT NOT NULL,
          stored_at {time} NOT NULL) {strict}
        """,
        "CREATE INDEX recordings_by_session ON recordings (test_session_id)",
        "CREATE INDEX recordings_by_user ON recordings (user_id)",
        // An answer has its recording's id, so that neither can exist without the other.
        """
        CREATE TABLE responses (
          id {uuid} PRIMARY KEY REFERENCES recordings (id) ON DELETE CASCADE,
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          question_id {uuid},
          audio_file_path TEXT NOT NULL,
          wav_file_path TEXT,
          transcript TEXT,
          duration_seconds {real} NOT NULL,
          \(scores),
          azure_response {json},
          is_processed {bool} NOT NULL DEFAULT FALSE,
          processing_order {int},
          error_message TEXT,
          created_at {time} NOT NULL,
          uploaded_at {time} NOT NULL,
          evaluated_at {time},
          upload_status TEXT NOT NULL DEFAULT 'uploaded',
          processing_status TEXT NOT NULL DEFAULT 'pending'
            CHECK (processing_status IN ('pending', 'processing', 'completed', 'failed')),
          question TEXT NOT NULL,
          part {int} NOT NULL CHECK (part >= 1),
          question_order {int} NOT NULL CHECK (question_order >= 1),
          attempt {int} NOT NULL CHECK (attempt >= 1),
          ended TEXT NOT NULL,
          speech_seconds {real} NOT NULL,
          byte_count {int} NOT NULL,
          sha256 TEXT NOT NULL,
          media_type TEXT NOT NULL,
          peaks {json},
          UNIQUE (test_session_id, question, attempt)) {strict}
        """,
        """
        CREATE TABLE session_log (
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          number {int} NOT NULL CHECK (number >= 1),
          line TEXT NOT NULL,
          PRIMARY KEY (test_session_id, number)) {strict}
        """,
        """
        CREATE TABLE session_files (
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          bytes {bytes} NOT NULL,
          PRIMARY KEY (test_session_id, name)) {strict}
        """,
    ]

    private static let queue = [
        """
        CREATE TABLE processing_queue (
          id {uuid} PRIMARY KEY,
          session_id {uuid} NOT NULL,
          test_session_id {uuid} NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
          status TEXT NOT NULL DEFAULT 'pending'
            CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'dead')),
          priority {int} NOT NULL DEFAULT 0,
          queued_at {time} NOT NULL,
          started_processing_at {time},
          completed_at {time},
          retry_count {int} NOT NULL DEFAULT 0,
          error_message TEXT,
          processing_worker_id TEXT,
          max_retries {int} NOT NULL,
          last_error_at {time},
          processing_duration_seconds {real},
          kind TEXT NOT NULL,
          key TEXT NOT NULL UNIQUE,
          response_id {uuid} REFERENCES responses (id) ON DELETE CASCADE,
          claim {uuid},
          queued {real} NOT NULL,
          due {real} NOT NULL,
          claimed_at {real},
          claimed_until {real}) {strict}
        """,
        // `failed` jobs also wait: for their next attempt.
        """
        CREATE INDEX processing_queue_waiting ON processing_queue (priority DESC, due)
          WHERE status IN ('pending', 'failed')
        """,
        "CREATE INDEX processing_queue_claimed ON processing_queue (claimed_until) WHERE status = 'processing'",
        "CREATE INDEX processing_queue_by_session ON processing_queue (test_session_id)",
        """
        CREATE TABLE session_processing_queue (
          id {uuid} PRIMARY KEY,
          test_session_id {uuid} NOT NULL UNIQUE REFERENCES test_sessions (id) ON DELETE CASCADE,
          status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
          created_at {time} NOT NULL,
          updated_at {time} NOT NULL,
          error_message TEXT) {strict}
        """,
    ]

    private static let submissions = [
        """
        CREATE TABLE submissions (
          id {uuid} PRIMARY KEY,
          user_id {uuid} NOT NULL,
          test_template_id {uuid} REFERENCES test_templates (id) ON DELETE SET NULL,
          status TEXT NOT NULL DEFAULT 'in_progress' CHECK (status IN ('in_progress', 'submitted', 'graded')),
          attempt_id {uuid} UNIQUE,
          batches {int},
          result {json},
          created_at {time} NOT NULL,
          submitted_at {time},
          graded_at {time}) {strict}
        """,
        "CREATE INDEX submissions_by_user ON submissions (user_id)",
        "CREATE INDEX submissions_to_grade ON submissions (submitted_at) WHERE status = 'submitted'",
        """
        CREATE TABLE submission_batches (
          submission_id {uuid} NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
          batch {int} NOT NULL CHECK (batch >= 1),
          PRIMARY KEY (submission_id, batch)) {strict}
        """,
        // An answer is stored exactly as it was sent, so that a repetition can be recognised.
        """
        CREATE TABLE submission_answers (
          submission_id {uuid} NOT NULL,
          batch {int} NOT NULL,
          question TEXT NOT NULL,
          answer TEXT NOT NULL,
          PRIMARY KEY (submission_id, batch, question),
          FOREIGN KEY (submission_id, batch) REFERENCES submission_batches ON DELETE CASCADE) {strict}
        """,
    ]

    private static let uploads = [
        """
        CREATE TABLE resumable_uploads (
          id {uuid} PRIMARY KEY,
          user_id {uuid} NOT NULL,
          test_session_id {uuid} REFERENCES test_sessions (id) ON DELETE CASCADE,
          byte_length {int} CHECK (byte_length >= 0),
          byte_offset {int} NOT NULL DEFAULT 0 CHECK (byte_offset >= 0),
          metadata TEXT NOT NULL,
          object_key TEXT NOT NULL,
          expires_at {time} NOT NULL,
          CHECK (byte_offset <= byte_length)) {strict}
        """,
        "CREATE INDEX resumable_uploads_by_end ON resumable_uploads (expires_at)",
        // Erased sessions whose sound has not been erased yet.
        """
        CREATE TABLE erasures (
          id {uuid} NOT NULL,
          user_id {uuid} NOT NULL,
          erased_at {time} NOT NULL,
          PRIMARY KEY (id, user_id)) {strict}
        """,
    ]
}
