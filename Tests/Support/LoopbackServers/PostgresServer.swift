import Dispatch
import Foundation
import Glibc
import Waiting

/// A PostgreSQL cluster on a free port of 127.0.0.1. It is made for one run of tests, and ends with this process in any
/// case.
///
/// It runs as the system's user `postgres` if this process is root, since the server refuses root. Connections need a
/// password, as usual. Call it from any task.
public final class PostgresServer: Sendable {
    /// The ordinary role that owns the databases.
    public static let role = "oracy"
    public static let password = "not-to-be-seen"

    /// Only the server's user can access it.
    public let folder: String
    public let port: Int
    private let programs: String
    private let isDurable: Bool
    /// A process that keeps the cluster alive as long as this process holds its standard input open.
    private let leash: Process
    private let hand = Pipe()

    /// The reason why no cluster can be made here, in one plain sentence; nil if PostgreSQL is installed.
    public static let obstacle = installed == nil ? "PostgreSQL is not installed: apt-get install postgresql" : nil

    /// The cluster for all tests of this process that need none of their own. Each test has its own database in it.
    public static let shared = Task { try await start() }

    /// Makes and starts a cluster, which takes about a second.
    ///
    /// - Parameter isDurable: Whether it waits for the disk, as a benchmark needs. Tests kill processes but never the
    ///   machine, so their data need not reach the disk; the kernel keeps it.
    public static func start(isDurable: Bool = false) async throws -> PostgresServer {
        try await runBlocking { try PostgresServer(isDurable: isDurable) }
    }

    /// Like `start`, but blocks.
    public static func startAndWait(isDurable: Bool = false) throws -> PostgresServer {
        try PostgresServer(isDurable: isDurable)
    }

    /// The reason why there is no server, for a person.
    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private init(isDurable: Bool) throws {
        self.isDurable = isDurable
        guard let programs = Self.installed else { throw Failure(description: Self.obstacle!) }
        self.programs = programs
        folder = "\(isDurable ? "/tmp" : Self.home)/oracy-postgres-\(UUID().uuidString.prefix(8).lowercased())"
        guard let port = freePort() else { throw Failure(description: "no free port") }
        self.port = port
        guard mkdir(folder, 0o700) == 0 else { throw Failure(description: "\(folder) cannot be made") }
        leash = Process()
        leash.executableURL = URL(filePath: "/bin/sh")
        leash.arguments = [
            "-c",
            """
            trap '' TERM INT HUP; read -r end
            pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid"
            while [ -n "$pid" ] && kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
            rm -rf "$1"
            """, "leash", folder,
        ]
        leash.standardInput = hand
        try leash.run()
        do {
            if getuid() == 0, let user = getpwnam("postgres"),
                chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) != 0
            {
                throw Failure(description: "\(folder) cannot be given to its user")
            }
            try run(
                "initdb",
                [
                    "-D", "\(folder)/data", "-E", "UTF8", "--no-locale", "--auth-local=trust",
                    "--auth-host=scram-sha-256",
                ] + (isDurable ? [] : ["--no-sync"]))
            try serve()
            try command("CREATE ROLE \(Self.role) LOGIN PASSWORD '\(Self.password)'", in: "postgres")
        } catch {
            try? hand.fileHandleForWriting.close()
            throw error
        }
    }

    deinit { try? hand.fileHandleForWriting.close() }

    /// The folder of the clusters. It is in memory if there is room, since each test's database is a copy of three
    /// hundred files. TMPDIR isn't used, because a socket's path has at most 107 bytes (unix(7)).
    private static var home: String {
        let (memory, needed) = ("/dev/shm", UInt64(2) << 30)
        var room = statvfs()
        let hasRoom = statvfs(memory, &room) == 0 && UInt64(room.f_bavail) * UInt64(room.f_frsize) >= needed
        return hasRoom && access(memory, W_OK) == 0 ? memory : "/tmp"
    }

    // MARK: Databases

    /// Makes a database that belongs to `role`.
    ///
    /// - Parameter template: The address of a database to copy. It must have no connections.
    /// - Returns: The address with the password.
    public func makeDatabase(from template: String? = nil) async throws -> String {
        try await Self.runBlocking { try self.makeDatabaseAndWait(from: template) }
    }

    /// Like `makeDatabase`, but blocks.
    public func makeDatabaseAndWait(from template: String? = nil) throws -> String {
        let name = "exam_\(UUID().uuidString.prefix(8).lowercased())"
        let source = template.map { " TEMPLATE \(Self.name(in: $0))" } ?? ""
        try executeAndWait("CREATE DATABASE \(name) OWNER \(Self.role)\(source)", in: "postgres")
        return url(of: name)
    }

    /// Drops a database and ends its connections.
    public func dropDatabase(_ url: String) async throws {
        try await execute("DROP DATABASE IF EXISTS \(Self.name(in: url)) WITH (FORCE)", in: "postgres")
    }

    /// Returns the name of the database at the end of an address.
    public static func name(in url: String) -> String { String(url.split(separator: "/").last ?? "") }

    public func url(of database: String) -> String {
        "postgresql://\(Self.role):\(Self.password)@127.0.0.1:\(port)/\(database)"
    }

    /// Executes SQL as the superuser.
    ///
    /// - Returns: The rows as text.
    @discardableResult
    public func execute(_ sql: String, in database: String) async throws -> String {
        try await Self.runBlocking { try self.command(sql, in: database) }
    }

    /// Like `execute`, but blocks.
    @discardableResult
    public func executeAndWait(_ sql: String, in database: String) throws -> String { try command(sql, in: database) }

    // MARK: Faults

    /// Kills the server at once, without notice to its clients.
    public func kill() async {
        guard let pid else { return }
        await offTheCooperativePool {
            Glibc.kill(pid, SIGKILL)
            _ = Patience.poll { Glibc.kill(pid, 0) != 0 ? true : nil }
        }
    }

    /// Starts the server again after it was killed.
    public func restart() async throws {
        try await Self.runBlocking { try self.serve() }
    }

    /// Freezes the server until `thaw`.
    public func freeze() { signalAll(SIGSTOP) }

    public func thaw() { signalAll(SIGCONT) }

    /// Sends a signal to the server and to the processes of its connections.
    private func signalAll(_ number: Int32) {
        guard let pid else { return }
        let children = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        for child in (children ?? "").split(separator: " ") { Glibc.kill(pid_t(child)!, number) }
        Glibc.kill(pid, number)
    }

    private var pid: pid_t? {
        let text = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { pid_t($0) }
    }

    // MARK: Programs

    /// The folder of the programs. Debian keeps them outside of the path, in a folder for each version; the newest is
    /// used.
    private static var installed: String? {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
        return (folders + ["/usr/local/bin", "/usr/bin"]).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }

    private func serve() throws {
        let settings =
            ["listen_addresses=127.0.0.1", "max_connections=200"]
            + (isDurable ? [] : ["fsync=off", "full_page_writes=off"])
        let options = ["-k", folder, "-p", "\(port)"] + settings.flatMap { ["-c", $0] }
        var server = try begin("postgres", ["-D", "\(folder)/data"] + options)
        let answers = try Patience.poll { () -> Bool? in
            if (try? run("pg_isready", ["-q", "-h", folder, "-p", "\(port)"])) != nil { return true }
            // The connections of a killed server may outlive it for a moment, and hold its memory.
            if !server.isRunning { server = try begin("postgres", ["-D", "\(folder)/data"] + options) }
            return nil
        }
        if answers == nil { throw Failure(description: "it does not answer") }
    }

    @discardableResult
    private func command(_ sql: String, in database: String) throws -> String {
        try run(
            "psql",
            ["-h", folder, "-p", "\(port)", "-d", database, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql])
    }

    /// Runs one of PostgreSQL's programs as its user.
    @discardableResult
    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let said = Pipe()
        let process = try begin(program, arguments, output: said)
        let words = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(program): \(words.suffix(600))") }
        return words.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func begin(_ program: String, _ arguments: [String], output: Any = FileHandle.nullDevice) throws -> Process
    {
        let path = "\(programs)/\(program)"
        let process = Process()
        process.executableURL = URL(filePath: getuid() == 0 ? "/usr/sbin/runuser" : path)
        process.arguments = (getuid() == 0 ? ["-u", "postgres", "--", path] : []) + arguments
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return process
    }

    private static func runBlocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await offTheCooperativePool { Result { try work() } }.get()
    }
}

/// Runs blocking work on a Dispatch thread.
private func offTheCooperativePool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}
