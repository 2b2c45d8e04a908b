import CPostgres
import Foundation
import Glibc
import SystemSupport

/// A connection to PostgreSQL. Nothing but this, `PostgresResult` and `PostgresAddress` calls libpq.
///
/// Belongs to one thread at a time; its calls block, but never longer than their deadline, whatever the server does. Nothing is
/// written to stderr.
final class PostgresConnection: SQLConnection {
    private let patience: PostgresPatience
    private let handle: OpaquePointer
    private var spelled = SpelledSQL(.postgres)
    /// Names of prepared statements by their SQL.
    private var prepared: [String: String] = [:]
    private var isGivenUp = false
    /// What the server refused last.
    private(set) var lastError: PostgresResult.Failure?
    /// Of the last error, as SQLSTATE has it: five letters or digits (postgresql.org/docs/15/errcodes-appendix.html).
    var lastState: String { lastError?.state ?? "" }

    /// Connects, and sees to it that the role is one that row-level security binds.
    init(_ address: PostgresAddress, _ patience: PostgresPatience) throws(StoreError) {
        self.patience = patience
        let keywords: [String] = ["fallback_application_name", "tcp_user_timeout", "dbname", "client_encoding"]
        // `dbname` is the whole address; what stands before it may be set by it, what stands after it may not.
        let values = ["oracy", "15000", address.text, "UTF8"]
        let started = withCStrings(keywords) { keywords in
            withCStrings(values) { values in PQconnectStartParams(keywords, values, 1) }
        }
        guard let started else { throw StoreError(.unavailable, "PostgreSQL: no memory for a connection") }
        handle = started
        // NOTICEs would go to stderr.
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
        // Statements find rows by their keys, whatever the values: planned once. Left to itself PostgreSQL plans them at each call as soon as tables
        // have grown, which was a third of its time (`oracy-bench store`).
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
                "PostgreSQL: this role passes over row-level security (SUPERUSER or BYPASSRLS): connect as an ordinary "
                    + "role that owns the database")
        }
    }

    deinit { PQfinish(handle) }

    /// Nothing more can be asked.
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

    /// Statements without values and results: BEGIN, SET …; several may stand in one text.
    ///
    /// - Returns: what the server says it did last: `BEGIN`, `COMMIT` …
    @discardableResult
    func command(_ sql: String) throws(StoreError) -> String {
        try answer(to: sql).commandWord
    }

    /// Several statements may stand in one text: all are done or none, and the last one's result counts.
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

    /// The last result of what was sent, once all have come.
    private func result(ofSending sent: Int32) throws(StoreError) -> PostgresResult {
        lastError = nil
        guard sent == 1 else { throw lost() }
        let deadline = Deadline(patience.answer)
        while true {
            let rest = PQflush(handle)
            if rest == 0 { break }
            guard rest == 1 else { throw lost() }
            try wait(for: POLLIN | POLLOUT, until: deadline)
            // A server that answers before it has read everything must not wait for us.
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
            // The first error is the reason of those that follow.
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

    /// libpq's words for what went wrong last.
    private var errorWords: String {
        String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    // MARK: Listening

    /// Waits for notifications of channels that this connection listens to.
    ///
    /// - Parameters:
    ///   - bell: a descriptor that ends the waiting when it can be read.
    ///   - seconds: at most.
    /// - Returns: what came.
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
    /// As it goes through the server.
    fileprivate var payload: String {
        switch self {
        case .jobs, .anything: ""
        case .session(let id): id.name
        }
    }

    fileprivate init(payload: String) { self = UUID(uuidString: payload).map(News.session) ?? .jobs }
}

/// How long to wait for PostgreSQL, seconds.
struct PostgresPatience: Sendable {
    var connecting = 10.0
    /// For a statement: then the server breaks it off.
    var statement = 30.0
    /// A little longer: then it is the server that hangs, and the connection is given up.
    var answer = 40.0
    /// After a failed attempt to connect nobody tries again for so long, and everybody is told at once.
    var rest = 0.5
}

/// A moment by the steady clock to wait until.
private struct Deadline {
    private let end: ContinuousClock.Instant

    init(_ seconds: Double) { end = .now + .seconds(seconds) }

    /// What is left, as `poll` takes it.
    var milliseconds: Int32 {
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        return Int32(max(0, left.rounded(.up)))
    }
}

/// Texts as C takes them, and NULL after the last.
private func withCStrings<Result>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { $0.map { UnsafePointer($0) } } + [nil])
}
