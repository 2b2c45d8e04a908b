import HTTPClient
import UploadQueue

/// The meaning of an error for an upload: the single table of errors that are retried, that a new token may fix, and
/// that are final.
///
/// The first matching row decides. In a row's source, "§" is a section of our measurements of the services' wire
/// contracts, and "classes" is the queue design's list of error classes. Neither document is part of this repository.
enum ErrorTable {
    enum Verdict: Equatable {
        /// The backend already has something of this name. If it proves to be equal, an earlier attempt sent it.
        case alreadyThere
        /// A new access token, or a newly signed address, may help. Tried once.
        case refreshToken
        /// The same request is sent once more after a moment, and then counts as refused.
        case onceMore
        case failed(DeliveryFailure.Kind)

        static let retry = failed(.transient)
        static let late = failed(.timedOut)
        static let refused = failed(.refused)
        static let signIn = failed(.signInNeeded)
    }

    struct Row {
        /// Any service if empty.
        var services: Set<ServerError.Service>
        /// The real status (`ServerError.status`).
        var statuses: Set<Int>
        /// Prefixes of the service's own code; any code if empty.
        var codes: [String]
        /// Lower-case words, one of which must appear in the server's message; any message if empty.
        var words: [String]
        var verdict: Verdict
        var source: String

        init(
            _ services: Set<ServerError.Service>, _ statuses: some Sequence<Int>, codes: [String] = [],
            words: [String] = [], _ verdict: Verdict, _ source: String
        ) {
            self.services = services
            self.statuses = Set(statuses)
            self.codes = codes
            self.words = words
            self.verdict = verdict
            self.source = source
        }

        func fits(_ error: ServerError) -> Bool {
            let said = "\(error.message) \(error.details)".lowercased()
            return (services.isEmpty || services.contains(error.service)) && statuses.contains(error.status)
                && (codes.isEmpty || codes.contains { error.code.hasPrefix($0) })
                && (words.isEmpty || words.contains { said.contains($0) })
        }
    }

    static func verdict(_ error: ServerError) -> Verdict {
        // A server can decide by itself (queue-design, "openai client").
        if error.service == .plain, let shouldRetry = error.shouldRetry { return shouldRetry ? .retry : .refused }
        // The rest of 4xx is permanent (classes), and so are invalid statuses.
        return rows.first { $0.fits(error) }?.verdict ?? .refused
    }

    static let rows: [Row] = [
        Row(
            supabase, [401], words: keyWords, .refused,
            "the gateway of a Supabase project: the key is wrong, not the user"),

        // PostgREST: §2. Codes of PostgreSQL count with any status.
        Row([.postgrest], [409], codes: ["23505"], .alreadyThere, "§2 duplicate key"),
        Row(
            [.postgrest], [409], codes: ["23503"], words: sessionWords, .failed(.parentMissing),
            "§2 missing parent row: the session's comes first"),
        Row(
            [.postgrest], [409], codes: ["23503"], .refused,
            "§2 missing parent row that no upload brings: a template's, a question's, a user's"),
        Row([.postgrest], any, codes: ["57014"], .retry, "§2 statement timeout"),
        Row(
            [.postgrest], any, codes: ["40001", "40P01", "53"], .retry, "classes: serialization, deadlock, no resources"
        ),
        Row([.postgrest], any, codes: ["57P"], .retry, "PostgreSQL, appendix A: shutting down, starting up"),
        Row(
            [.postgrest], any, codes: ["PGRST000", "PGRST001", "PGRST002", "PGRST003"], .retry,
            "§2 database down, no pool slot"),
        Row([.postgrest], [401], codes: ["42501"], .signIn, "§2 row-level rules, and no user's token"),
        Row([.postgrest], [401], codes: ["PGRST302"], .signIn, "PostgREST: a request needs a token"),
        Row([.postgrest], [401], .refreshToken, "§2 PGRST303, and PGRST301 of version 12 and of bad tokens"),
        Row(
            [.postgrest], 400...404, codes: ["PGRST204", "PGRST205"], .onceMore, "§2 stale schema cache after a deploy"),
        Row([.postgrest], [403], codes: ["42501"], .refused, "§2 row-level rules, user signed in"),
        Row([.postgrest], [400], codes: ["23514"], .refused, "§2 check violation"),
        Row([.postgrest], [406], codes: ["PGRST116"], .refused, "§2 no such row, or one that row-level rules hide"),
        Row([.postgrest], [400], codes: ["PGRST124"], .refused, "§2 more rows than one would change"),

        // Storage: §3. The status is the one in the body.
        Row(
            [.storage], [409], codes: ["Duplicate", "KeyAlreadyExists", "ResourceAlreadyExists"], .alreadyThere,
            "§3 409"),
        Row(
            [.storage, .tus], 400...403, words: tokenWords, .refreshToken,
            "§3 an expired token comes as HTTP 400, §4 as text"),
        Row([.storage], [403], .refused, "§3 AccessDenied by row-level rules"),
        Row([.storage, .tus], [423], .retry, "§3 ResourceLocked; another request still writes"),
        Row([.storage], [503], codes: ["LockTimeout", "DatabaseReadOnly"], .retry, "§3 503 inside a 400"),
        Row([.storage], [429], codes: ["SlowDown"], .retry, "§3 429 inside a 400"),
        Row([.storage], [544], .late, "§3 DatabaseTimeout"),
        Row([.storage], [404], codes: ["NoSuchBucket", "NoSuchKey"], .refused, "§3 configuration, or gone"),
        Row([.storage], [413], .refused, "§3 EntityTooLarge"),
        Row([.storage], [415], .refused, "§3 InvalidMimeType"),
        Row([.storage], [400], codes: ["InvalidKey"], .refused, "§3 InvalidKey"),

        // Resumable: §4. Statuses are real, and bodies are text. `ResumableUpload` handles most 404, 409 and 410
        // itself.
        Row([.tus], [409], .alreadyThere, "§4 same path, and no x-upsert"),
        Row([.tus], [404, 410], .refused, "§4 expired; a new one is begun"),
        Row([.tus], [460], .retry, "tus 1.0.0, checksum: damaged on its way"),

        // Auth: §5. Its refusals say nothing about the upload. Only a person can resolve them.
        Row([.auth], [429], .retry, "§5 over_request_rate_limit"),
        Row([.auth], any, codes: ["over_request_rate_limit"], .retry, "§5, on older servers with another status"),
        Row([.auth], [408, 425], .late, "classes"),
        Row([.auth], 400...499, .signIn, "§5 refresh_token_already_used, session_expired, invalid_credentials …"),

        // S3.
        Row([.s3], [412], .alreadyThere, "classes: 412 on If-None-Match"),
        Row(
            [.s3], [409], codes: ["OperationAborted", "ConditionalRequestConflict"], .retry, "S3: two writers at once"),
        Row(
            [.s3], [403], codes: ["ExpiredToken", "RequestTimeTooSkewed"], .refreshToken,
            "S3: a signed address is too old"),
        Row(
            [.s3], [403], codes: ["AccessDenied"], words: ["request has expired"], .refreshToken,
            "S3: a signed address is too old"),
        Row([.s3], [400], codes: ["RequestTimeout"], .late, "S3: the body came too slowly"),
        Row([.s3], [400], codes: ["BadDigest", "IncompleteBody"], .retry, "S3: damaged on its way"),

        // Every other HTTP server.
        Row([], 100...299, .retry, "not what was asked for: a hotel's page says 200 too"),
        // Redirects aren't followed, since that could send a key to an unintended server. They count as failures,
        // because a server that has moved keeps redirecting.
        Row([], 300...399, .retry, "a hotel's page passes; a server that moved does not"),
        Row([], [401], .refreshToken, "classes: refresh; RFC 9110: credentials are missing or no longer good"),
        Row([], [408, 504, 522, 524, 544], .late, "classes: retry, and no answer in time"),
        Row([], [425, 429], .retry, "classes: retry"),
        // A network that wants a person to sign in is not a working network.
        Row([], [511], .failed(.unreachable), "RFC 6585: captive portal"),
        Row([], 500...599, .retry, "classes: 500, 502, 503, 520–524, 530; V8: 5xx"),
    ]

    /// Returns the kind of failure if there was no answer at all.
    static func kind(_ failure: HTTPFailure.Kind) -> DeliveryFailure.Kind {
        switch failure {
        case .networkUnavailable: .unreachable
        // A hotel's network shows its own certificate until the guest signs in. Nothing has been sent.
        case .untrusted: .unreachable
        case .connectionLost: .transient
        case .timeout: .timedOut
        // The connection garbles the answer, or a hotel's page is too long. If a server always does so, the upload's
        // age parks it.
        case .malformed: .transient
        case .invalidURL: .refused
        case .unreadable: .fileMissing
        case .cancelled: .cancelled
        case .unknown: .transient
        }
    }

    /// The words of services without a code for expired and invalid tokens: `"exp" claim timestamp check failed`, `jwt
    /// expired`, `invalid signature`, `signature verification failed`, `Invalid Compact JWS`.
    private static let tokenWords = [
        "jwt", "\"exp\" claim", "invalid signature", "signature verification failed", "compact jws",
    ]

    /// The names with which PostgreSQL reports a missing session: its table, or the column's constraint.
    private static let sessionWords = [
        "not present in table \"test_sessions\"", "session_id_fkey",
    ]

    /// The services behind the gateway of a Supabase project.
    static let supabase: Set<ServerError.Service> = [.postgrest, .storage, .tus, .auth]

    /// The gateway's words about keys.
    static let keyWords = ["invalid api key", "no api key found"]

    private static let any = 0...999
}
