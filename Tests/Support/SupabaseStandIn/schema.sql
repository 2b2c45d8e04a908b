-- The reference schema (D1 to D7), with the row-level rules that docs/uploads.md asks for; and what Supabase itself has of `auth` and
-- `storage` that rules and rows refer to. Executed once, by the role that owns the database.

CREATE SCHEMA auth;
CREATE SCHEMA storage;

CREATE TABLE auth.users (
    id uuid PRIMARY KEY,
    email text UNIQUE NOT NULL,
    created_at timestamptz DEFAULT now()
);

-- As Supabase defines it.
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
    )::uuid
$$;

CREATE TABLE public.profiles (
    id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE,
    updated_at timestamptz,
    username text UNIQUE,
    full_name text,
    avatar_url text
);

CREATE TABLE public.test_templates (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    title text NOT NULL,
    description text,
    difficulty_level text CHECK (difficulty_level IN ('Easy', 'Medium', 'Hard')),
    created_at timestamptz DEFAULT now(),
    updated_at timestamptz DEFAULT now(),
    is_active boolean DEFAULT true
);

CREATE TABLE public.questions (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    test_template_id uuid NOT NULL REFERENCES public.test_templates ON DELETE CASCADE,
    part_number int4 NOT NULL CHECK (part_number IN (1, 2, 3)),
    question_order int4 NOT NULL,
    question_text text NOT NULL,
    audio_file_url text,
    transcript text,
    expected_duration int4,
    topic_keywords text[],
    created_at timestamptz DEFAULT now()
);

CREATE TABLE public.test_sessions (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
    test_template_id uuid REFERENCES public.test_templates,
    status text NOT NULL DEFAULT 'in_progress'
        CHECK (status IN ('in_progress', 'completed', 'processing', 'evaluated', 'failed')),
    started_at timestamptz DEFAULT now(),
    completed_at timestamptz,
    completed_responses int4 DEFAULT 0,
    all_responses_uploaded boolean DEFAULT false,
    overall_band_score numeric(3, 1),
    fluency_score numeric(3, 1),
    pronunciation_score numeric(3, 1),
    grammar_score numeric(3, 1),
    vocabulary_score numeric(3, 1),
    topic_relevance_score numeric(3, 1),
    expected_responses int4
);

CREATE TABLE public.responses (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    test_session_id uuid NOT NULL REFERENCES public.test_sessions ON DELETE CASCADE,
    question_id uuid REFERENCES public.questions,
    audio_file_path text,
    wav_file_path text,
    transcript text,
    duration_seconds int4,
    fluency_score numeric(3, 1),
    pronunciation_score numeric(3, 1),
    grammar_score numeric(3, 1),
    vocabulary_score numeric(3, 1),
    topic_relevance_score numeric(3, 1),
    azure_response jsonb,
    is_processed boolean DEFAULT false,
    processing_order int4,
    error_message text,
    created_at timestamptz DEFAULT now(),
    uploaded_at timestamptz,
    evaluated_at timestamptz,
    upload_status text DEFAULT 'pending' CHECK (upload_status IN ('pending', 'uploading', 'uploaded', 'failed')),
    processing_status text DEFAULT 'pending'
        CHECK (processing_status IN ('pending', 'processing', 'completed', 'failed')),
    UNIQUE (test_session_id, question_id)
);

CREATE TABLE public.processing_queue (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    session_id uuid REFERENCES public.test_sessions ON DELETE CASCADE,
    test_session_id uuid REFERENCES public.test_sessions ON DELETE CASCADE,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
    priority int4 DEFAULT 0,
    queued_at timestamptz DEFAULT now(),
    started_processing_at timestamptz,
    completed_at timestamptz,
    retry_count int4 DEFAULT 0,
    error_message text,
    processing_worker_id text,
    max_retries int4 DEFAULT 3,
    last_error_at timestamptz,
    processing_duration_seconds int4
);

CREATE TABLE public.session_processing_queue (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    test_session_id uuid REFERENCES public.test_sessions ON DELETE CASCADE,
    status text NOT NULL DEFAULT 'pending',
    created_at timestamptz DEFAULT now(),
    updated_at timestamptz DEFAULT now(),
    error_message text
);

CREATE TABLE storage.buckets (
    id text PRIMARY KEY,
    public boolean NOT NULL DEFAULT false,
    file_size_limit bigint,
    allowed_mime_types text[]
);

CREATE TABLE storage.objects (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    bucket_id text NOT NULL REFERENCES storage.buckets,
    name text NOT NULL,
    owner uuid,
    metadata jsonb,
    created_at timestamptz DEFAULT now(),
    updated_at timestamptz DEFAULT now(),
    UNIQUE (bucket_id, name)
);

-- C3, and C4's limit.
INSERT INTO storage.buckets VALUES
    ('avatars', true, 5242880, NULL),
    ('audio-question-set', true, NULL, NULL),
    ('audio-responses', false, 10485760, NULL);

-- Whether a session is the asking user's; not bound by the rules of `test_sessions` itself.
CREATE FUNCTION public.is_own_session(session uuid) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT EXISTS (SELECT 1 FROM public.test_sessions WHERE id = session AND user_id = auth.uid())
$$;

-- `responses/{session}_part1_q1.opus`: whose session it says.
CREATE FUNCTION public.is_own_recording(name text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT public.is_own_session(substring(name FROM '^responses/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_')::uuid)
$$;

ALTER TABLE public.profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.test_templates ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.test_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.responses ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.processing_queue ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.session_processing_queue ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage.objects ENABLE ROW LEVEL SECURITY;

-- Those that tests change are made by `StandInRules`.
CREATE POLICY own ON public.profiles TO authenticated USING (id = auth.uid()) WITH CHECK (id = auth.uid());
CREATE POLICY known ON public.test_templates FOR SELECT TO authenticated USING (true);
CREATE POLICY known ON public.questions FOR SELECT TO authenticated USING (true);
CREATE POLICY own ON public.session_processing_queue TO authenticated
    USING (public.is_own_session(test_session_id)) WITH CHECK (public.is_own_session(test_session_id));
CREATE POLICY questions ON storage.objects FOR SELECT USING (bucket_id = 'audio-question-set');
CREATE POLICY avatars ON storage.objects TO authenticated
    USING (bucket_id = 'avatars' AND owner = auth.uid()) WITH CHECK (bucket_id = 'avatars' AND owner = auth.uid());

-- As Supabase grants: the rules decide.
GRANT USAGE ON SCHEMA public, auth, storage TO anon, authenticated;
GRANT ALL ON ALL TABLES IN SCHEMA public TO anon, authenticated;
GRANT ALL ON storage.objects TO anon, authenticated;
GRANT SELECT ON storage.buckets TO anon, authenticated;
