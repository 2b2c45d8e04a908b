import LoopbackServers
import TestSupport
public import Testing

/// Runs each test of a suite once for each database, with `Base.current` set to it. Failures name the database.
public struct StoreTrait: SuiteTrait, TestTrait, TestScoping, Equatable {
    let bases: [Base]
    public let comments: [Comment]

    public var isRecursive: Bool { true }

    public func prepare(for test: Test) async throws {
        // Without PostgreSQL, tests for both databases run on SQLite, and tests for PostgreSQL alone are reported as
        // skipped.
        guard !test.isSuite, bases == [.postgres], isLast(of: test) else { return }
        try await ConditionTrait.needs(PostgresServer.obstacle).prepare(for: test)
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard isLast(of: test), StoreScope.current == nil else { return try await function() }
        for base in bases where base == .sqlite || PostgresServer.obstacle == nil {
            try await Self.naming(base).provideScope(for: test, testCase: testCase) {
                let scope = StoreScope(base)
                do {
                    try await StoreScope.$current.withValue(scope) { try await function() }
                } catch is ExpectationFailedError {
                    // `#require` has recorded the failure. The other database is tested anyway.
                } catch {
                    Issue.record(error, sourceLocation: test.sourceLocation)
                }
                await scope.end()
            }
        }
    }

    /// Returns whether this is the trait that counts: a test's own trait comes after its suite's and replaces it.
    private func isLast(of test: Test) -> Bool {
        (test.traits.last { $0 is StoreTrait } as? StoreTrait).map { $0 == self } ?? true
    }

    private static func naming(_ base: Base) -> IssueHandlingTrait {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("on \(base)")
            return issue
        }
    }
}

extension Trait where Self == StoreTrait {
    /// Runs each test on SQLite and on PostgreSQL.
    public static var bothStores: StoreTrait { StoreTrait(bases: Base.allCases, comments: []) }

    /// Runs each test on one database in `make test` and on both in `make thorough`, for suites with a browser, and for
    /// those that hold whole exams over the wire.
    public static func bothStores(quick: Base) -> StoreTrait {
        StoreTrait(bases: Thoroughness.isCheck ? Base.allCases : [quick], comments: [])
    }

    /// Runs each test on this database and never on the other.
    ///
    /// - Parameter reason: The property that only this database has.
    public static func store(only base: Base, because reason: Comment) -> StoreTrait {
        StoreTrait(bases: [base], comments: [reason])
    }
}
