import ExamStore
import Foundation
import LoopbackServers
import Synchronization
import SystemSupport

/// One PostgreSQL for this process, with databases that are copied from a prepared one and reused.
enum StandInCluster {
    /// Made when it is first needed, in about three seconds. It ends with this process.
    private static let shared = Result { try prepared() }
    private static let model = "supabase"
    private static let idle = Mutex<[String]>([])

    /// Returns the address of a clean database.
    static func takeDatabase() throws -> String {
        let server = try shared.get()
        if let url = idle.withLock({ $0.popLast() }) { return url }
        let name = "project_\(UUID().name.prefix(8))"
        let owner = try PlainPostgres(server.url(of: "postgres"))
        try owner.ask("CREATE DATABASE \(name) TEMPLATE \(model)")
        return server.url(of: name)
    }

    /// - Parameter url: The address of a database that is clean again.
    static func giveBack(_ url: String) { idle.withLock { $0.append(url) } }

    private static func prepared() throws -> PostgresServer {
        let server = try PostgresServer.startAndWait()
        // Data that isn't on disk may be lost with this machine, which does no harm.
        for setting in ["fsync = off", "synchronous_commit = off", "full_page_writes = off"] {
            try server.executeAndWait("ALTER SYSTEM SET \(setting)", in: "postgres")
        }
        let role = PostgresServer.role
        try server.executeAndWait(
            """
            SELECT pg_reload_conf(); CREATE ROLE anon NOLOGIN; CREATE ROLE authenticated NOLOGIN; ALTER ROLE \(role) CREATEDB;
            GRANT anon, authenticated TO \(role)
            """, in: "postgres")
        // Closed before others are copied from it, because PostgreSQL can't copy a database with connections.
        do {
            try PlainPostgres(server.url(of: "postgres")).ask("CREATE DATABASE \(model)")
            let database = try PlainPostgres(server.url(of: model))
            try database.ask(String(decoding: PackageResources.schema_sql, as: UTF8.self))
            for table in StandInRules.tables { try database.ask(StandInRules.statements(of: .all, on: table)) }
        }
        return server
    }
}
