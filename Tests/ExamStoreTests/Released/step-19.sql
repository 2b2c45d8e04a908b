CREATE TABLE oracy_migrations (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT
;
CREATE TABLE profiles (
  id TEXT PRIMARY KEY,
  updated_at TEXT NOT NULL,
  username TEXT,
  full_name TEXT,
  avatar_url TEXT) STRICT
;
CREATE TABLE test_templates (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  description TEXT,
  difficulty_level TEXT CHECK (difficulty_level IN ('Easy', 'Medium', 'Hard')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  format TEXT NOT NULL,
  paper TEXT NOT NULL) STRICT
;
CREATE TABLE questions (
  id TEXT PRIMARY KEY,
  test_template_id TEXT NOT NULL REFERENCES test_templates (id) ON DELETE CASCADE,
  part_number INTEGER NOT NULL CHECK (part_number >= 1),
  question_order INTEGER NOT NULL CHECK (question_order >= 1),
  question_text TEXT NOT NULL,
  audio_file_url TEXT,
  transcript TEXT,
  expected_duration REAL,
  topic_keywords TEXT,
  created_at TEXT NOT NULL,
  question TEXT NOT NULL,
  UNIQUE (test_template_id, part_number, question_order)) STRICT
;
CREATE TABLE test_sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  test_template_id TEXT REFERENCES test_templates (id) ON DELETE SET NULL,
  status TEXT NOT NULL DEFAULT 'in_progress'
    CHECK (status IN ('in_progress', 'completed', 'processing', 'evaluated', 'failed')),
  started_at TEXT NOT NULL,
  completed_at TEXT,
  completed_responses INTEGER NOT NULL DEFAULT 0,
  all_responses_uploaded INTEGER NOT NULL DEFAULT FALSE,
  overall_band_score REAL,
  fluency_score REAL,
  pronunciation_score REAL,
  grammar_score REAL,
  vocabulary_score REAL,
  topic_relevance_score REAL,
  expected_responses INTEGER,
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  paper TEXT NOT NULL,
  outcome TEXT,
  answers INTEGER,
  completion_id TEXT,
  created_at TEXT NOT NULL,
  live_token_hash TEXT UNIQUE,
  node TEXT,
  node_url TEXT,
  lease_until REAL, assessed_by TEXT, mode TEXT, is_held INTEGER NOT NULL DEFAULT FALSE, held TEXT NOT NULL DEFAULT 'client' CHECK (held IN ('server', 'client')), seal TEXT, sealed_at TEXT, closed_at REAL, evidence TEXT) STRICT
;
CREATE INDEX test_sessions_by_user ON test_sessions (user_id, started_at, id)
;
CREATE INDEX test_sessions_by_status ON test_sessions (status)
;
CREATE INDEX test_sessions_by_node ON test_sessions (node) WHERE node IS NOT NULL
;
CREATE TABLE recordings (
  id TEXT PRIMARY KEY,
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  object_key TEXT NOT NULL,
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
  sha256 TEXT NOT NULL,
  media_type TEXT NOT NULL,
  stored_at TEXT NOT NULL) STRICT
;
CREATE INDEX recordings_by_session ON recordings (test_session_id)
;
CREATE INDEX recordings_by_user ON recordings (user_id)
;
CREATE TABLE responses (
  id TEXT PRIMARY KEY REFERENCES recordings (id) ON DELETE CASCADE,
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  question_id TEXT,
  audio_file_path TEXT NOT NULL,
  wav_file_path TEXT,
  transcript TEXT,
  fluency_score REAL,
  pronunciation_score REAL,
  grammar_score REAL,
  vocabulary_score REAL,
  topic_relevance_score REAL,
  azure_response TEXT,
  processing_order INTEGER,
  error_message TEXT,
  created_at TEXT NOT NULL,
  uploaded_at TEXT NOT NULL,
  evaluated_at TEXT,
  upload_status TEXT NOT NULL DEFAULT 'uploaded',
  processing_status TEXT NOT NULL DEFAULT 'pending'
    CHECK (processing_status IN ('pending', 'processing', 'completed', 'failed')),
  question TEXT NOT NULL,
  part INTEGER NOT NULL CHECK (part >= 1),
  question_order INTEGER NOT NULL CHECK (question_order >= 1),
  attempt INTEGER NOT NULL CHECK (attempt >= 1),
  byte_count INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  media_type TEXT NOT NULL,
  peaks TEXT, record TEXT, duration_seconds REAL, is_processed INTEGER GENERATED ALWAYS AS (processing_status = 'completed') VIRTUAL, mistakes TEXT, purpose TEXT NOT NULL DEFAULT 'assessed',
  UNIQUE (test_session_id, question, attempt)) STRICT
;
CREATE TABLE session_log (
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  line TEXT NOT NULL,
  PRIMARY KEY (test_session_id, number)) STRICT
;
CREATE TABLE session_files (
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (test_session_id, name)) STRICT
;
CREATE TABLE processing_queue (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'dead')),
  priority INTEGER NOT NULL DEFAULT 0,
  queued_at TEXT NOT NULL,
  started_processing_at TEXT,
  completed_at TEXT,
  retry_count INTEGER NOT NULL DEFAULT 0,
  error_message TEXT,
  processing_worker_id TEXT,
  max_retries INTEGER NOT NULL,
  last_error_at TEXT,
  processing_duration_seconds REAL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  response_id TEXT REFERENCES responses (id) ON DELETE CASCADE,
  claim TEXT,
  queued REAL NOT NULL,
  due REAL NOT NULL,
  claimed_at REAL,
  claimed_until REAL, assessor TEXT, again INTEGER NOT NULL DEFAULT FALSE, detail TEXT) STRICT
;
CREATE INDEX processing_queue_waiting ON processing_queue (priority DESC, due)
  WHERE status IN ('pending', 'failed')
;
CREATE INDEX processing_queue_claimed ON processing_queue (claimed_until) WHERE status = 'processing'
;
CREATE INDEX processing_queue_by_session ON processing_queue (test_session_id)
;
CREATE TABLE submissions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  test_template_id TEXT REFERENCES test_templates (id) ON DELETE SET NULL,
  status TEXT NOT NULL DEFAULT 'in_progress' CHECK (status IN ('in_progress', 'submitted', 'graded')),
  attempt_id TEXT UNIQUE,
  batches INTEGER,
  result TEXT,
  created_at TEXT NOT NULL,
  submitted_at TEXT,
  graded_at TEXT) STRICT
;
CREATE INDEX submissions_by_user ON submissions (user_id)
;
CREATE INDEX submissions_to_grade ON submissions (submitted_at) WHERE status = 'submitted'
;
CREATE TABLE submission_batches (
  submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
  batch INTEGER NOT NULL CHECK (batch >= 1),
  PRIMARY KEY (submission_id, batch)) STRICT
;
CREATE TABLE submission_answers (
  submission_id TEXT NOT NULL,
  batch INTEGER NOT NULL,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (submission_id, batch, question),
  FOREIGN KEY (submission_id, batch) REFERENCES submission_batches ON DELETE CASCADE) STRICT
;
CREATE TABLE resumable_uploads (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  test_session_id TEXT REFERENCES test_sessions (id) ON DELETE CASCADE,
  byte_length INTEGER CHECK (byte_length >= 0),
  byte_offset INTEGER NOT NULL DEFAULT 0 CHECK (byte_offset >= 0),
  metadata TEXT NOT NULL,
  object_key TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  CHECK (byte_offset <= byte_length)) STRICT
;
CREATE INDEX resumable_uploads_by_end ON resumable_uploads (expires_at)
;
CREATE TABLE erasures (
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  erased_at TEXT NOT NULL,
  PRIMARY KEY (id, user_id)) STRICT
;
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  url TEXT,
  seen_at REAL NOT NULL) STRICT
;
CREATE TABLE assessments (
  response_id TEXT NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
  assessor TEXT NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  job_id TEXT,
  begun_at TEXT,
  result TEXT,
  assessed_at TEXT,
  PRIMARY KEY (response_id, assessor)) STRICT
;
CREATE VIEW session_processing_queue AS
SELECT q.id, q.test_session_id,
  CASE q.status WHEN 'dead' THEN 'failed' WHEN 'failed' THEN 'pending' ELSE q.status END AS status,
  q.queued_at AS created_at,
  coalesce(CASE WHEN q.status = 'processing' THEN q.started_processing_at ELSE q.completed_at END, q.last_error_at,
    q.queued_at) AS updated_at,
  CASE WHEN q.status IN ('dead', 'failed') THEN q.error_message END AS error_message
FROM processing_queue q
WHERE q.kind = 'evaluate' AND NOT EXISTS (
  SELECT 1 FROM processing_queue n WHERE n.test_session_id = q.test_session_id AND n.kind = q.kind
    AND (n.queued > q.queued OR n.queued = q.queued AND n.id < q.id))
;
CREATE TABLE assessor_calls (
  response_id TEXT NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
  assessor TEXT NOT NULL,
  version TEXT NOT NULL,
  name TEXT NOT NULL,
  job_id TEXT NOT NULL,
  begun REAL NOT NULL,
  answer TEXT,
  answered_at TEXT,
  PRIMARY KEY (response_id, assessor, version, name)) STRICT
;
CREATE TABLE assessor_spending (
  assessor TEXT NOT NULL,
  begun_at TEXT NOT NULL,
  seconds REAL NOT NULL,
  cost REAL NOT NULL, user_id TEXT) STRICT
;
CREATE INDEX assessor_spending_by_day ON assessor_spending (begun_at)
;
CREATE TABLE consents (
  user_id TEXT NOT NULL,
  recipient TEXT NOT NULL,
  words TEXT NOT NULL,
  given_at TEXT NOT NULL,
  PRIMARY KEY (user_id, recipient)) STRICT
;
CREATE TABLE session_groups (
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  group_name TEXT NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (test_session_id, group_name)) STRICT
;
CREATE INDEX session_groups_by_name ON session_groups (group_name)
;
CREATE INDEX session_groups_by_user ON session_groups (user_id)
;
CREATE TABLE marking_places (
  id TEXT PRIMARY KEY,
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  place INTEGER NOT NULL CHECK (place >= 1),
  asked REAL NOT NULL,
  marker TEXT,
  taken_at TEXT,
  due REAL,
  draft TEXT,
  sheet TEXT,
  rubric TEXT,
  marked_at TEXT, seal TEXT,
  UNIQUE (test_session_id, place),
  UNIQUE (test_session_id, marker),
  CHECK (sheet IS NULL OR marker IS NOT NULL)) STRICT
;
CREATE INDEX marking_places_by_marker ON marking_places (marker)
;
CREATE INDEX marking_places_waiting ON marking_places (asked) WHERE sheet IS NULL
;
CREATE TABLE readings (
  id TEXT PRIMARY KEY,
  read_at TEXT NOT NULL,
  reader TEXT NOT NULL,
  role TEXT NOT NULL,
  owner TEXT NOT NULL,
  session TEXT NOT NULL,
  what TEXT NOT NULL) STRICT
;
CREATE INDEX readings_by_owner ON readings (owner, read_at)
;
CREATE INDEX readings_by_age ON readings (read_at)
;
CREATE TABLE session_changes (
  test_session_id TEXT NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  thing TEXT NOT NULL,
  response_id TEXT,
  PRIMARY KEY (test_session_id, number)) STRICT
;
CREATE TABLE papers (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  format TEXT NOT NULL,
  title TEXT NOT NULL,
  request TEXT NOT NULL,
  by_model INTEGER NOT NULL,
  writing TEXT,
  paper TEXT,
  shortfalls TEXT,
  failure TEXT,
  created_at TEXT NOT NULL,
  worker TEXT,
  until REAL) STRICT
;
CREATE INDEX papers_by_user ON papers (user_id, created_at)
;
CREATE INDEX papers_to_write ON papers (created_at) WHERE paper IS NULL AND failure IS NULL
;
CREATE TABLE practice_tests (
  id TEXT PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('generating', 'ready', 'inProgress', 'failed', 'submitted', 'graded')),
  by_model INTEGER NOT NULL,
  document TEXT NOT NULL,
  utc_offset INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  worker TEXT,
  until REAL) STRICT
;
CREATE INDEX practice_tests_by_user ON practice_tests (user_id, created_at)
;
CREATE INDEX practice_tests_to_do ON practice_tests (state, created_at) WHERE state IN ('generating', 'submitted')
;
CREATE TABLE practice_lines (
  user_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  line TEXT NOT NULL,
  PRIMARY KEY (user_id, number)) STRICT
;
CREATE TABLE practice_tasks (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  title TEXT NOT NULL,
  due TEXT NOT NULL,
  is_complete INTEGER NOT NULL,
  created_at TEXT NOT NULL) STRICT
;
CREATE INDEX practice_tasks_by_user ON practice_tasks (user_id, created_at)
;
CREATE TABLE practice_boards (
  group_name TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (group_name, user_id)) STRICT
;
CREATE TABLE plans (user_id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT
;
CREATE INDEX test_sessions_to_seal ON test_sessions (completed_at) WHERE seal IS NULL AND completed_at IS NOT NULL
;
CREATE TABLE seals (
  session TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  manifest TEXT NOT NULL,
  sealed_at TEXT NOT NULL) STRICT
;
CREATE INDEX seals_by_user ON seals (user_id)
;
CREATE TABLE seal_entries (
  session TEXT NOT NULL REFERENCES seals (session) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  user_id TEXT NOT NULL,
  added_at TEXT NOT NULL,
  kind TEXT NOT NULL,
  who TEXT NOT NULL,
  item TEXT NOT NULL,
  evidence TEXT NOT NULL,
  content TEXT,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (session, number)) STRICT
;
CREATE INDEX seal_entries_by_user ON seal_entries (user_id)
;
CREATE INDEX processing_queue_by_claim ON processing_queue (claimed_at)
;
CREATE TRIGGER sealed_recordings_insert BEFORE INSERT ON recordings WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = NEW.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_recordings_update BEFORE UPDATE ON recordings WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_recordings_delete BEFORE DELETE ON recordings WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_responses_insert BEFORE INSERT ON responses WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = NEW.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_responses_update BEFORE UPDATE OF test_session_id, question, part, question_order, attempt, record, byte_count, sha256, media_type ON responses WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_responses_delete BEFORE DELETE ON responses WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_session_log_insert BEFORE INSERT ON session_log WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = NEW.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_session_log_update BEFORE UPDATE ON session_log WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_session_log_delete BEFORE DELETE ON session_log WHEN EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_session_files_insert BEFORE INSERT ON session_files WHEN NEW.name = 'exam.json' AND EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = NEW.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_session_files_update BEFORE UPDATE ON session_files WHEN OLD.name = 'exam.json' AND EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_session_files_delete BEFORE DELETE ON session_files WHEN OLD.name = 'exam.json' AND EXISTS (SELECT 1 FROM test_sessions s WHERE s.id = OLD.test_session_id AND s.seal IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_test_sessions_update BEFORE UPDATE OF user_id, name, format, paper, mode, started_at, completed_at, outcome, held, seal, sealed_at ON test_sessions WHEN OLD.seal IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_seals_delete BEFORE DELETE ON seals WHEN NOT EXISTS (SELECT 1 FROM seal_entries e WHERE e.session = OLD.session AND e.kind = 'erasure')
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_seals_update BEFORE UPDATE ON seals WHEN TRUE
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_seal_entries_delete BEFORE DELETE ON seal_entries WHEN EXISTS (SELECT 1 FROM seals s WHERE s.session = OLD.session)
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TRIGGER sealed_seal_entries_update BEFORE UPDATE ON seal_entries WHEN TRUE
BEGIN SELECT RAISE(ABORT, 'the exam is sealed'); END
;
CREATE TABLE classes (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  code TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL) STRICT
;
CREATE TABLE class_members (
  id TEXT PRIMARY KEY,
  class_id TEXT NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('learner', 'teacher', 'marker')),
  pin_hash TEXT,
  link_hash TEXT UNIQUE,
  link_until REAL,
  joined_at TEXT NOT NULL,
  UNIQUE (class_id, name_key),
  CHECK ((link_hash IS NULL) = (link_until IS NULL))) STRICT
;
CREATE TABLE class_sign_ins (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES class_members (id) ON DELETE CASCADE,
  begun REAL NOT NULL,
  until REAL NOT NULL,
  replaces TEXT) STRICT
;
CREATE INDEX class_sign_ins_by_user ON class_sign_ins (user_id)
;
CREATE TABLE assignments (
  id TEXT PRIMARY KEY,
  group_name TEXT NOT NULL,
  class_id TEXT REFERENCES classes (id) ON DELETE CASCADE,
  learner_id TEXT,
  work TEXT NOT NULL,
  note TEXT NOT NULL,
  due TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at TEXT NOT NULL,
  withdrawn_at TEXT) STRICT
;
CREATE INDEX assignments_by_group ON assignments (group_name, due)
;
CREATE INDEX assignments_by_learner ON assignments (learner_id)
;
CREATE INDEX assignments_by_teacher ON assignments (made_by)
;
CREATE TABLE school_attempts (
  state_hash TEXT PRIMARY KEY,
  browser_hash TEXT NOT NULL,
  school TEXT NOT NULL,
  nonce TEXT NOT NULL,
  verifier TEXT NOT NULL,
  until REAL NOT NULL) STRICT
;
CREATE INDEX school_attempts_by_end ON school_attempts (until)
;
CREATE TABLE school_sign_ins (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  school TEXT NOT NULL,
  roles TEXT NOT NULL,
  group_names TEXT NOT NULL,
  until REAL NOT NULL) STRICT
;
CREATE INDEX school_sign_ins_by_user ON school_sign_ins (user_id)
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (1, 'first tables', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (2, 'nodes', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (3, 'answers'' records', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (4, 'assessments', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (5, 'sessions'' modes', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (6, 'what results say', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (7, 'what assessors are asked', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (8, 'a school', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (9, 'webhooks', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (10, 'what changed of results', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (11, 'papers', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (12, 'practice', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (13, 'boards', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (14, 'plans', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (15, 'readers asked only where one reads', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (16, 'purposes of questions, seals and fair shares', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (17, 'classes', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (18, 'assignments', '2026-01-02T03:04:05Z')
;
INSERT INTO oracy_migrations (number, name, applied_at) VALUES (19, 'sign-ins by schools', '2026-01-02T03:04:05Z')
;
INSERT INTO profiles (id, updated_at, username, full_name, avatar_url) VALUES ('00000000-0000-4000-8000-000000000001', '2026-01-02T03:04:05Z', 'ann', 'Ann Lee', 'u/p/picture-0f.png')
;
INSERT INTO test_templates (id, title, description, difficulty_level, created_at, updated_at, is_active, format, paper) VALUES ('00000000-0000-4000-8000-000000000003', 'Home', 'A test', 'Easy', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', 1, 'f', 'p')
;
INSERT INTO questions (id, test_template_id, part_number, question_order, question_text, audio_file_url, transcript, expected_duration, topic_keywords, created_at, question) VALUES ('00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000003', 1, 3, 'Where do you live?', 'a', 't', 12.5, '["home"]', '2026-01-02T03:04:05Z', 'home-1')
;
INSERT INTO test_sessions (id, user_id, test_template_id, status, started_at, completed_at, completed_responses, all_responses_uploaded, overall_band_score, fluency_score, pronunciation_score, grammar_score, vocabulary_score, topic_relevance_score, expected_responses, name, format, paper, outcome, answers, completion_id, created_at, live_token_hash, node, node_url, lease_until, assessed_by, mode, is_held, held, seal, sealed_at, closed_at, evidence) VALUES ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000003', 'evaluated', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', 1, 1, 6.5, 6.0, NULL, NULL, NULL, NULL, 1, 'home', 'f', 'p', 'completed', 1, '00000000-0000-4000-8000-000000000011', '2026-01-02T03:04:05Z', 'ab', 'n', 'https://n.example', 1.5, 'a/1', 'practice', 0, 'client', NULL, NULL, NULL, NULL)
;
INSERT INTO recordings (id, test_session_id, user_id, object_key, byte_count, sha256, media_type, stored_at) VALUES ('00000000-0000-4000-8000-000000000005', '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'u/s/a.0f', 7, '0f', 'audio/ogg', '2026-01-02T03:04:05Z')
;
INSERT INTO responses (id, test_session_id, question_id, audio_file_path, wav_file_path, transcript, fluency_score, pronunciation_score, grammar_score, vocabulary_score, topic_relevance_score, azure_response, processing_order, error_message, created_at, uploaded_at, evaluated_at, upload_status, processing_status, question, part, question_order, attempt, byte_count, sha256, media_type, peaks, record, duration_seconds, mistakes, purpose) VALUES ('00000000-0000-4000-8000-000000000005', '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000004', 'u/s/a.0f', NULL, 'I live in a flat.', 6.0, NULL, NULL, NULL, NULL, '{"a": 1}', 103, NULL, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', NULL, 'uploaded', 'pending', 'home-1', 1, 3, 1, 7, '0f', 'audio/ogg', '[1, 2]', '{"question": "home-1", "part": 1, "order": 3, "attempt": 1, "end": "finished", "duration": 12.5, "speech": 9.25}', 12.5, '[]', 'assessed')
;
INSERT INTO session_log (test_session_id, number, line) VALUES ('00000000-0000-4000-8000-000000000002', 1, '{"at": 0}')
;
INSERT INTO session_files (test_session_id, name, bytes) VALUES ('00000000-0000-4000-8000-000000000002', 'exam.json', X'7B7D')
;
INSERT INTO processing_queue (id, session_id, test_session_id, status, priority, queued_at, started_processing_at, completed_at, retry_count, error_message, processing_worker_id, max_retries, last_error_at, processing_duration_seconds, kind, key, response_id, claim, queued, due, claimed_at, claimed_until, assessor, again, detail) VALUES ('00000000-0000-4000-8000-000000000012', '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000002', 'completed', 0, '2026-01-02T03:04:05Z', NULL, '2026-01-02T03:04:05Z', 1, NULL, NULL, 5, NULL, NULL, 'evaluate', 'evaluate:2', NULL, NULL, 1.5, 1.5, NULL, NULL, 'a/1', 0, '{"event": "x"}')
;
INSERT INTO submissions (id, user_id, test_template_id, status, attempt_id, batches, result, created_at, submitted_at, graded_at) VALUES ('00000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000003', 'graded', '00000000-0000-4000-8000-000000000007', 1, '{"right": 1}', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z')
;
INSERT INTO submission_batches (submission_id, batch) VALUES ('00000000-0000-4000-8000-000000000006', 1)
;
INSERT INTO submission_answers (submission_id, batch, question, answer) VALUES ('00000000-0000-4000-8000-000000000006', 1, 'q', '{"selectedOption": 2}')
;
INSERT INTO resumable_uploads (id, user_id, test_session_id, byte_length, byte_offset, metadata, object_key, expires_at) VALUES ('00000000-0000-4000-8000-000000000008', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 9, 4, 'm', 'u/s/tus-8', '2026-01-02T03:04:05Z')
;
INSERT INTO erasures (id, user_id, erased_at) VALUES ('00000000-0000-4000-8000-000000000009', '00000000-0000-4000-8000-000000000001', '2026-01-02T03:04:05Z')
;
INSERT INTO nodes (id, name, url, seen_at) VALUES ('n-1', 'n', 'https://n.example', 1.5)
;
INSERT INTO assessments (response_id, assessor, calls, job_id, begun_at, result, assessed_at) VALUES ('00000000-0000-4000-8000-000000000005', 'a/1', 1, NULL, '2026-01-02T03:04:05Z', '{"band": 6}', '2026-01-02T03:04:05Z')
;
INSERT INTO assessor_calls (response_id, assessor, version, name, job_id, begun, answer, answered_at) VALUES ('00000000-0000-4000-8000-000000000005', 'a', '1', 'c', '00000000-0000-4000-8000-000000000012', 1.5, '{"b": 2}', '2026-01-02T03:04:05Z')
;
INSERT INTO assessor_spending (assessor, begun_at, seconds, cost, user_id) VALUES ('a', '2026-01-02T03:04:05Z', 2.5, 0.1, '00000000-0000-4000-8000-000000000001')
;
INSERT INTO consents (user_id, recipient, words, given_at) VALUES ('00000000-0000-4000-8000-000000000001', 'Azure', 'I agree', '2026-01-02T03:04:05Z')
;
INSERT INTO session_groups (test_session_id, group_name, user_id) VALUES ('00000000-0000-4000-8000-000000000002', 'class-1', '00000000-0000-4000-8000-000000000001')
;
INSERT INTO marking_places (id, test_session_id, place, asked, marker, taken_at, due, draft, sheet, rubric, marked_at, seal) VALUES ('00000000-0000-4000-8000-000000000013', '00000000-0000-4000-8000-000000000002', 1, 1.5, '00000000-0000-4000-8000-000000000014', NULL, NULL, NULL, '{"fluency": 6}', 'r', '2026-01-02T03:04:05Z', NULL)
;
INSERT INTO readings (id, read_at, reader, role, owner, session, what) VALUES ('00000000-0000-4000-8000-000000000015', '2026-01-02T03:04:05Z', '00000000-0000-4000-8000-000000000014', 'teacher', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'list')
;
INSERT INTO session_changes (test_session_id, number, thing, response_id) VALUES ('00000000-0000-4000-8000-000000000002', 1, 'results', NULL)
;
INSERT INTO papers (id, user_id, format, title, request, by_model, writing, paper, shortfalls, failure, created_at, worker, until) VALUES ('00000000-0000-4000-8000-000000000016', '00000000-0000-4000-8000-000000000001', 'f', 'Lunch', '{}', 0, NULL, '{"id": "p"}', NULL, NULL, '2026-01-02T03:04:05Z', NULL, NULL)
;
INSERT INTO practice_tests (id, user_id, state, by_model, document, utc_offset, created_at, worker, until) VALUES ('00000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-000000000001', 'graded', 0, '{}', 0, '2026-01-02T03:04:05Z', NULL, NULL)
;
INSERT INTO practice_lines (user_id, number, line) VALUES ('00000000-0000-4000-8000-000000000001', 1, '{"right": true}')
;
INSERT INTO practice_tasks (id, user_id, title, due, is_complete, created_at) VALUES ('00000000-0000-4000-8000-000000000017', '00000000-0000-4000-8000-000000000001', 'Read', '2026-01-03', 1, '2026-01-02T03:04:05Z')
;
INSERT INTO practice_boards (group_name, user_id, name) VALUES ('class-1', '00000000-0000-4000-8000-000000000001', 'Ann')
;
INSERT INTO plans (user_id, document) VALUES ('00000000-0000-4000-8000-000000000001', '{"version": 1}')
;
INSERT INTO seals (session, user_id, hash, manifest, sealed_at) VALUES ('00000000-0000-4000-8000-000000000018', '00000000-0000-4000-8000-000000000001', '0f', '{"rules": "r"}', '2026-01-02T03:04:05Z')
;
INSERT INTO seal_entries (session, number, user_id, added_at, kind, who, item, evidence, content, previous, hash) VALUES ('00000000-0000-4000-8000-000000000018', 1, '00000000-0000-4000-8000-000000000001', '2026-01-02T03:04:05Z', 'result', 'a/1', 'bands', '0f', '1e', '0f', '2d')
;
INSERT INTO classes (id, name, code, created_at) VALUES ('00000000-0000-4000-8000-000000000019', 'Form 9B', 'K7QM3XRT', '2026-01-02T03:04:05Z')
;
INSERT INTO class_members (id, class_id, name, name_key, role, pin_hash, link_hash, link_until, joined_at) VALUES ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000019', 'Ann', 'ann', 'learner', 'scrypt', NULL, NULL, '2026-01-02T03:04:05Z')
;
INSERT INTO class_sign_ins (token_hash, user_id, begun, until, replaces) VALUES ('4f', '00000000-0000-4000-8000-000000000001', 1.5, 2.5, NULL)
;
INSERT INTO assignments (id, group_name, class_id, learner_id, work, note, due, made_by, made_at, withdrawn_at) VALUES ('00000000-0000-4000-8000-000000000020', 'Form 9B', '00000000-0000-4000-8000-000000000019', '00000000-0000-4000-8000-000000000001', 'sit:part2', 'Speak up', '2026-01-09', '00000000-0000-4000-8000-000000000014', '2026-01-02T03:04:05Z', NULL)
;
INSERT INTO school_attempts (state_hash, browser_hash, school, nonce, verifier, until) VALUES ('5a', '6b', 'elm', '7c', '8d', 2.5)
;
INSERT INTO school_sign_ins (token_hash, user_id, school, roles, group_names, until) VALUES ('9e', '00000000-0000-4000-8000-000000000001', 'elm', '["teacher"]', '["7b"]', 2.5)
;
