import ExamStore
import Foundation
import Synchronization

/// A project's database, for requests with users' roles and claims, and for its owner.
final class StandInDatabase: Sendable {
    /// The address `postgresql://…` for `psql`.
    let url: String
    /// The role of a request.
    enum Role {
        case owner, anonymous
        case user(claims: String)
    }

    private struct Kept: ~Copyable {
        var connection: PlainPostgres
        /// The tables whose rules aren't the usual ones.
        var changedRules: Set<String> = []
        var isAltered = false
        var columns: [String: [String]]?
    }

    private let kept: Mutex<Kept>

    init() throws {
        let url = try StandInCluster.takeDatabase()
        self.url = url
        kept = Mutex(Kept(connection: try PlainPostgres(url)))
    }

    deinit {
        kept.withLock { kept in
            guard !kept.isAltered else { return }
            var back = kept.changedRules.sorted().map { StandInRules.statements(of: .all, on: $0) }
            // For a few rows, this takes fewer locks and files than TRUNCATE.
            back += [
                "session_processing_queue", "processing_queue", "responses", "test_sessions", "questions",
                "test_templates", "profiles", "storage.objects", "auth.users",
            ].map { "DELETE FROM \($0);" }
            guard (try? kept.connection.ask(back.joined())) != nil else { return }
            StandInCluster.giveBack(url)
        }
    }

    /// Runs one transaction.
    ///
    /// - Parameter keeps: Returns whether to commit; otherwise the transaction is rolled back.
    func ask(
        _ sql: String, as role: Role, keeps: (PlainPostgres.Answer) -> Bool = { _ in true }
    ) -> Result<PlainPostgres.Answer, PlainPostgres.Refusal> {
        kept.withLock { kept in
            do throws(PlainPostgres.Refusal) {
                try kept.connection.ask(Self.beginning(role))
                let answer = try kept.connection.ask(sql)
                try kept.connection.ask(keeps(answer) ? "COMMIT" : "ROLLBACK")
                return .success(answer)
            } catch {
                _ = try? kept.connection.ask("ROLLBACK")
                return .failure(error)
            }
        }
    }

    private static func beginning(_ role: Role) -> String {
        switch role {
        case .owner: "BEGIN"
        case .anonymous:
            "BEGIN; SET LOCAL ROLE anon; SELECT set_config('request.jwt.claims', '{\"role\":\"anon\"}', true)"
        case .user(let claims):
            "BEGIN; SET LOCAL ROLE authenticated; SELECT set_config('request.jwt.claims', \(quoted(claims)), true)"
        }
    }

    /// Runs the owner's SQL. A mistake in it ends the test.
    @discardableResult func owner(_ sql: String) -> [[String?]] {
        kept.withLock { kept in
            do throws(PlainPostgres.Refusal) {
                return try kept.connection.ask(sql).rows
            } catch {
                preconditionFailure("\(error.message): \(sql)")
            }
        }
    }

    /// Changes tables themselves. This database isn't reused afterwards.
    func alter(_ sql: String) {
        kept.withLock {
            $0.isAltered = true
            $0.columns = nil
        }
        owner(sql)
    }

    func allow(_ rules: Set<StandInProject.Rule>, on table: String, isOpen: Bool) {
        _ = kept.withLock { $0.changedRules.insert(table) }
        owner(StandInRules.statements(of: rules, on: table, isOpen: isOpen))
    }

    /// Returns the columns of a table, like PostgREST's schema cache.
    func columns(of table: String) -> [String]? {
        if let known = kept.withLock({ $0.columns }) { return known[table] }
        var columns: [String: [String]] = [:]
        for row in owner("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'")
        {
            columns[row[0]!, default: []].append(row[1]!)
        }
        kept.withLock { [columns] in $0.columns = columns }
        return columns[table]
    }

    /// Returns a text as an SQL literal (`standard_conforming_strings` is on).
    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// Returns a name as an SQL identifier.
    static func named(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
