import CPostgres
import Foundation
import Glibc
import SystemSupport

/// A connection to PostgreSQL. Only this class, `PostgresResult` and `PostgresAddress` call libpq.
///
/// It belongs to one thread at a time. Its calls block, but never beyond their deadline, even if the server hangs. It
/// writes nothing to stderr.
final class PostgresConnection: SQLConnection {
    private let patience: PostgresPatience
    private let handle: OpaquePointer
    private var spelled = SpelledSQL(.postgres)
    /// Names of prepared statements by their SQL.
    private var prepared: [String: String] = [:]
    private var isGivenUp = false
    /// The server's last error.
    private(set) var lastError: PostgresResult.Failure?
    /// The SQLSTATE of the last error: five letters or digits (postgresql.org/docs/15/errcodes-appendix.html).
    var lastState: String { lastError?.state ?? "" }

    /// Connects, and checks that row-level security applies to the role.
    init(_ address: PostgresAddress, _ patience: PostgresPatience) throws(StoreError) {
        self.patience = patience
        let keywords: [String] = ["fallback_application_name", "tcp_user_timeout", "dbname", "client_encoding"]
        // `dbname` is the whole address. It can change the values before it but not those after it.
        let values = ["oracy", "15000", address.text, "UTF8"]
        let started = withCStrings(keywords) { keywords in
            withCStrings(values) { values in PQconnectStartParams(keywords, values, 1) }
        }
        guard let started else { throw StoreError(.unavailable, "PostgreSQL: no memory for a connection") }
        handle = started
        // NOTICEs would otherwise go to stderr.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        let deadline = Deadline(patience.connecting)
        connecting: while PQstatus(handle) != CONNECTION_BAD {
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: break connecting
            case PGRES_POLLING_READING: try wait(for: POLLIN, until: deadline)
            case PGRES_POLLING_WRITING: try wait(for: POLLOUT, until: deadline)
            default:
                throw StoreError(.unavailable, "PostgreSQL: \(address.withoutSecrets(errorWords))")
            }
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            throw StoreError(.unavailable, "PostgreSQL: \(address.withoutSecrets(errorWords))")
        }
        // Statements find rows by their keys, so one plan fits all values. By default PostgreSQL plans them again at
        // each call as soon as tables have grown, which took a third of its time (`oracy-bench store`).
        try command(
            """
            SET plan_cache_mode = 'force_generic_plan';
            SET statement_timeout = \(Int(patience.statement * 1000)); SET idle_in_transaction_session_timeout = '60s';
            SET timezone = 'UTC'; SET datestyle = 'ISO'; SET bytea_output = 'hex'; SET client_min_messages = 'warning'
            """)
        let role = try first("SELECT rolsuper OR rolbypassrls AS passes FROM pg_roles WHERE rolname = current_user")
        guard try role?.value("passes") == false else {
            throw StoreError(
                .unusable,
                "PostgreSQL: this role bypasses row-level security (SUPERUSER or BYPASSRLS): connect as an ordinary "
                    + "role that owns the database")
        }
    }

    deinit { PQfinish(handle) }

    /// Whether the connection can no longer be used.
    var isBroken: Bool { isGivenUp || PQstatus(handle) != CONNECTION_OK }

    // MARK: Statements

    func rows(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> [SQLRow] {
        try execute(sql, values).rows
    }

    func change(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> Int {
        try execute(sql, values).changedCount
    }

    func announce(_ news: News) throws(StoreError) {
        _ = try rows("SELECT pg_notify('\(PostgresListener.channel)', ?)", [news.payload])
    }

    /// Sends statements without values and results: BEGIN, SET … One text may contain several.
    ///
    /// - Returns: the server's word for the last statement: `BEGIN`, `COMMIT` …
    @discardableResult
    func command(_ sql: String) throws(StoreError) -> String {
        try answer(to: sql).commandWord
    }

    /// Sends a text with one or several statements, which are carried out together or not at all. Returns the result of
    /// the last statement.
    func answer(to sql: String) throws(StoreError) -> PostgresResult {
        try result(ofSending: PQsendQuery(handle, sql))
    }

    private func execute(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> PostgresResult {
        let arguments = try PostgresArguments(values)
        let name = try name(ofPreparing: sql, arguments)
        let sent = arguments.withPointers { values, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(arguments.count), values, lengths, formats, 0)
        }
        return try result(ofSending: sent)
    }

    private func name(ofPreparing sql: String, _ arguments: PostgresArguments) throws(StoreError) -> String {
        if let name = prepared[sql] { return name }
        let name = "s\(prepared.count)"
        let sent = PQsendPrepare(handle, name, spelled.spelled(sql), Int32(arguments.count), arguments.types)
        _ = try result(ofSending: sent)
        prepared[sql] = name
        return name
    }

    /// Waits for all results of what was sent and returns the last.
    private func result(ofSending sent: Int32) throws(StoreError) -> PostgresResult {
        lastError = nil
        guard sent == 1 else { throw lost() }
        let deadline = Deadline(patience.answer)
        while true {
            let rest = PQflush(handle)
            if rest == 0 { break }
            guard rest == 1 else { throw lost() }
            try wait(for: POLLIN | POLLOUT, until: deadline)
            // Reads while sending, because a server that answers early must not wait for us.
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        var last: PostgresResult?
        while true {
            while PQisBusy(handle) == 1 {
                try wait(for: POLLIN, until: deadline)
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            }
            guard let pointer = PQgetResult(handle) else { break }
            let result = PostgresResult(pointer)
            // The first error causes the later ones.
            if last?.error == nil { last = result }
        }
        guard let last else { throw lost() }
        if let error = last.error {
            lastError = error
            if PQstatus(handle) != CONNECTION_OK { throw lost() }
            throw StoreError(postgres: error)
        }
        return last
    }

    private func lost() -> StoreError {
        isGivenUp = true
        return StoreError(.unavailable, "PostgreSQL: the connection is lost")
    }

    private func wait(for events: Int32, until deadline: Deadline) throws(StoreError) {
        var waiting = [pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)]
        while true {
            let found = poll(&waiting, 1, deadline.milliseconds)
            if found > 0 { return }
            if found < 0 && errno == EINTR { continue }
            isGivenUp = true
            throw StoreError(.unavailable, "PostgreSQL: it does not answer")
        }
    }

    /// libpq's message about the last problem.
    private var errorWords: String {
        String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    // MARK: Listening

    /// Waits for notifications on the channels that this connection listens to.
    ///
    /// - Parameters:
    ///   - bell: a descriptor that ends the wait when it becomes readable.
    ///   - seconds: the maximum time.
    /// - Returns: the notifications received.
    func waitForNews(orBell bell: Int32, seconds: Double) throws(StoreError) -> Set<News> {
        var waiting = [
            pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waiting, 2, Int32(seconds * 1000)) >= 0 || errno == EINTR else { throw lost() }
        guard PQconsumeInput(handle) == 1 else { throw lost() }
        var came: Set<News> = []
        while let news = PQnotifies(handle) {
            came.insert(News(payload: news.pointee.extra.map { String(cString: $0) } ?? ""))
            PQfreemem(news)
        }
        return came
    }
}

extension News {
    /// The notification's text on its way through the server.
    fileprivate var payload: String {
        switch self {
        case .jobs, .anything: ""
        case .session(let id): id.name
        }
    }

    fileprivate init(payload: String) { self = UUID(uuidString: payload).map(News.session) ?? .jobs }
}

/// The time limits for PostgreSQL, in seconds.
struct PostgresPatience: Sendable {
    var connecting = 10.0
    /// The limit for a statement, after which the server cancels it.
    var statement = 30.0
    /// The limit for a reply, a little longer than that for a statement. If it is reached, the server hangs, and the
    /// connection is abandoned.
    var answer = 40.0
    /// The pause after a failed attempt to connect. Meanwhile calls fail at once, and no new attempt is made.
    var rest = 0.5
}

/// A deadline by the steady clock.
private struct Deadline {
    private let end: ContinuousClock.Instant

    init(_ seconds: Double) { end = .now + .seconds(seconds) }

    /// The milliseconds left, in the form for `poll`.
    var milliseconds: Int32 {
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        return Int32(max(0, left.rounded(.up)))
    }
}

/// Passes texts as C strings, with NULL after the last.
private func withCStrings<Result>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { $0.map { UnsafePointer($0) } } + [nil])
}
