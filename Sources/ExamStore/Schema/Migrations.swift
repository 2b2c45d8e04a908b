/// A step on the way from an empty database to the current tables. Each step is one transaction and is recorded in
/// `oracy_migrations`.
///
/// A released step never changes. Changes are made in another step.
struct Migration: Sendable {
    var number: Int
    var name: String
    /// Statements in the dialect-independent form of `Dialect`.
    var statements: [String]
    /// Statements for PostgreSQL only: policies.
    var postgresStatements: [String] = []
    /// The statements that only SQLite needs: triggers in its own dialect.
    var sqliteStatements: [String] = []

    static let all = [
        Migration(
            number: 1, name: "first tables", statements: Schema.first,
            postgresStatements: RowLevelSecurity.statements),
        Migration(
            number: 2, name: "nodes", statements: Schema.nodes, postgresStatements: RowLevelSecurity.wall("nodes")),
        Migration(number: 3, name: "answers' records", statements: Schema.records),
        Migration(
            number: 4, name: "assessments", statements: Schema.assessments,
            postgresStatements: RowLevelSecurity.wall("assessments")),
        Migration(
            number: 5, name: "sessions' modes",
            statements: ["ALTER TABLE test_sessions ADD COLUMN mode TEXT"]),
        Migration(number: 6, name: "what results say", statements: Schema.results),
        Migration(
            number: 7, name: "what assessors are asked", statements: Schema.calls,
            postgresStatements: RowLevelSecurity.calls),
        Migration(number: 8, name: "a school", statements: Schema.school, postgresStatements: RowLevelSecurity.school),
        Migration(number: 9, name: "webhooks", statements: Schema.webhooks),
        Migration(
            number: 10, name: "what changed of results", statements: Schema.changes,
            postgresStatements: RowLevelSecurity.changes),
        Migration(number: 11, name: "papers", statements: Schema.papers, postgresStatements: RowLevelSecurity.papers),
        Migration(
            number: 12, name: "practice", statements: Schema.practice, postgresStatements: RowLevelSecurity.practice),
        Migration(
            number: 13, name: "boards", statements: Schema.boards, postgresStatements: RowLevelSecurity.boards),
        Migration(number: 14, name: "plans", statements: Schema.plans, postgresStatements: RowLevelSecurity.plans),
        Migration(
            number: 15, name: "readers asked only where one reads", statements: [],
            postgresStatements: RowLevelSecurity.readersOnly),
        Migration(
            number: 16, name: "purposes of questions, seals and fair shares",
            statements: Schema.purposes + Schema.seals + Schema.shares,
            postgresStatements: RowLevelSecurity.purposes + RowLevelSecurity.seals + SealGuards.postgres,
            sqliteStatements: SealGuards.sqlite),
        Migration(
            number: 17, name: "classes", statements: Schema.classes, postgresStatements: RowLevelSecurity.classes),
        Migration(
            number: 18, name: "assignments", statements: Schema.assignments,
            postgresStatements: RowLevelSecurity.assignments),
        Migration(
            number: 19, name: "sign-ins by schools", statements: Schema.schoolSignIns,
            postgresStatements: RowLevelSecurity.schoolSignIns),
    ]
}

extension SQLDatabase {
    /// Migrates the database to the current tables. Two nodes may do so at the same time.
    ///
    /// - Throws: `unusable` if a newer version made the database. Then nothing is changed.
    func migrate(_ migrations: [Migration], dialect: Dialect) async throws(StoreError) {
        let newest = migrations.last?.number ?? 0
        var version = 0
        repeat {
            // Each step is one transaction, so that completed steps stay if a later one fails.
            version = try await transaction(.write, as: .service) { connection in
                // The lock lets only one node migrate, until the end of this transaction. The number is "oracy" in
                // ASCII.
                if dialect == .postgres { _ = try connection.rows("SELECT pg_advisory_xact_lock(478660354937)") }
                try connection.change(
                    """
                    CREATE TABLE IF NOT EXISTS oracy_migrations (
                      number {int} PRIMARY KEY, name TEXT NOT NULL, applied_at {time} NOT NULL) {strict}
                    """)
                let row = try connection.first("SELECT coalesce(max(number), 0) AS number FROM oracy_migrations")
                let done: Int = try row?.value("number") ?? 0
                guard done <= newest else {
                    throw StoreError(
                        .unusable,
                        "the database was made by a newer version (step \(done), this one knows \(newest)): update; "
                            + "nothing was touched")
                }
                guard let next = migrations.first(where: { $0.number > done }) else { return done }
                for statement in next.statements { try connection.change(statement) }
                for statement in dialect == .postgres ? next.postgresStatements : next.sqliteStatements {
                    try connection.change(statement)
                }
                try connection.change(
                    "INSERT INTO oracy_migrations (number, name, applied_at) VALUES (?, ?, {now})",
                    [next.number, next.name])
                return next.number
            }
        } while version < newest
    }
}
