import ExamStore
import Foundation
import LoopbackServers
import Synchronization
import SystemSupport

/// One PostgreSQL for this process, and databases that are made from a prepared one and used again.
enum StandInCluster {
    /// Made when it is first needed, some three seconds; gone with this process.
    private static let shared = Result { try prepared() }
    private static let model = "supabase"
    private static let idle = Mutex<[String]>([])

    /// The address of a database in which nobody has done anything.
    static func takeDatabase() throws -> String {
        let server = try shared.get()
        if let url = idle.withLock({ $0.popLast() }) { return url }
        let name = "project_\(UUID().name.prefix(8))"
        let owner = try PlainPostgres(server.url(of: "postgres"))
        try owner.ask("CREATE DATABASE \(name) TEMPLATE \(model)")
        return server.url(of: name)
    }

    /// - Parameter url: of a database that is again as it was.
    static func giveBack(_ url: String) { idle.withLock { $0.append(url) } }

    private static func prepared() throws -> PostgresServer {
        let server = try PostgresServer.startAndWait()
        // What is not on disk may be lost with this machine: nobody will miss it.
        for setting in ["fsync = off", "synchronous_commit = off", "full_page_writes = off"] {
            try server.executeAndWait("ALTER SYSTEM SET \(setting)", in: "postgres")
        }
        let role = PostgresServer.role
        try server.executeAndWait(
            """
            SELECT pg_reload_conf(); CREATE ROLE anon NOLOGIN; CREATE ROLE authenticated NOLOGIN; ALTER ROLE \(role) CREATEDB;
            GRANT anon, authenticated TO \(role)
            """, in: "postgres")
        // Gone before others are made from it: PostgreSQL copies nothing that somebody is connected to.
        do {
            try PlainPostgres(server.url(of: "postgres")).ask("CREATE DATABASE \(model)")
            let database = try PlainPostgres(server.url(of: model))
            try database.ask(String(decoding: PackageResources.schema_sql, as: UTF8.self))
            for table in StandInRules.tables { try database.ask(StandInRules.statements(of: .all, on: table)) }
        }
        return server
    }
}
