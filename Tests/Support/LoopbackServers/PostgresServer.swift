import Dispatch
import Foundation
import Glibc
import Waiting

/// A PostgreSQL cluster of its own, on a free port of 127.0.0.1: made for one run of tests, and gone with this process, however
/// that ends.
///
/// Runs as the system's user `postgres` where we are root, since the server refuses root. Connections need a password, as they do
/// anywhere else. All calls may come from any task.
public final class PostgresServer: Sendable {
    /// The role that databases belong to: an ordinary one.
    public static let role = "oracy"
    public static let password = "not-to-be-seen"

    /// For the server's user only.
    public let folder: String
    public let port: Int
    private let programs: String
    private let isDurable: Bool
    /// As long as this process holds its standard input open, the cluster lives.
    private let leash: Process
    private let hand = Pipe()

    /// Why no cluster can be made here, in one plain sentence; nil where PostgreSQL is installed.
    public static let obstacle = installed == nil ? "PostgreSQL is not installed: apt-get install postgresql" : nil

    /// The cluster of all tests of this process that need none of their own: each has a database of its own in it.
    public static let shared = Task { try await start() }

    /// Makes a cluster and starts it, about a second.
    ///
    /// - Parameter isDurable: whether it waits for the disk, as a benchmark's has to. Tests kill processes and never the machine, so what
    ///   theirs writes need not reach the disk: the kernel keeps it.
    public static func start(isDurable: Bool = false) async throws -> PostgresServer {
        try await runBlocking { try PostgresServer(isDurable: isDurable) }
    }

    /// The same; blocks meanwhile.
    public static func startAndWait(isDurable: Bool = false) throws -> PostgresServer {
        try PostgresServer(isDurable: isDurable)
    }

    /// Why there is no server, for a person.
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

    /// The folder of clusters: in memory if there is room, since each test's database is a copy of three hundred files. Not TMPDIR: a socket's path
    /// has at most 107 bytes (unix(7)).
    private static var home: String {
        let (memory, needed) = ("/dev/shm", UInt64(2) << 30)
        var room = statvfs()
        let hasRoom = statvfs(memory, &room) == 0 && UInt64(room.f_bavail) * UInt64(room.f_frsize) >= needed
        return hasRoom && access(memory, W_OK) == 0 ? memory : "/tmp"
    }

    // MARK: Databases

    /// Makes a database that belongs to `role`.
    ///
    /// - Parameter template: the address of a database to copy, which has no connections.
    /// - Returns: its address, with the password.
    public func makeDatabase(from template: String? = nil) async throws -> String {
        try await Self.runBlocking { try self.makeDatabaseAndWait(from: template) }
    }

    /// The same; blocks meanwhile.
    public func makeDatabaseAndWait(from template: String? = nil) throws -> String {
        let name = "exam_\(UUID().uuidString.prefix(8).lowercased())"
        let source = template.map { " TEMPLATE \(Self.name(in: $0))" } ?? ""
        try executeAndWait("CREATE DATABASE \(name) OWNER \(Self.role)\(source)", in: "postgres")
        return url(of: name)
    }

    /// Drops a database, and ends the connections to it.
    public func dropDatabase(_ url: String) async throws {
        try await execute("DROP DATABASE IF EXISTS \(Self.name(in: url)) WITH (FORCE)", in: "postgres")
    }

    /// The name of the database that an address ends with.
    public static func name(in url: String) -> String { String(url.split(separator: "/").last ?? "") }

    public func url(of database: String) -> String {
        "postgresql://\(Self.role):\(Self.password)@127.0.0.1:\(port)/\(database)"
    }

    /// Executes SQL as the superuser.
    ///
    /// - Returns: its rows, as text.
    @discardableResult
    public func execute(_ sql: String, in database: String) async throws -> String {
        try await Self.runBlocking { try self.command(sql, in: database) }
    }

    /// The same; blocks meanwhile.
    @discardableResult
    public func executeAndWait(_ sql: String, in database: String) throws -> String { try command(sql, in: database) }

    // MARK: What happens to servers

    /// Ends it at once, without a goodbye to anyone.
    public func kill() async {
        guard let pid else { return }
        await offTheCooperativePool {
            Glibc.kill(pid, SIGKILL)
            _ = Patience.poll { Glibc.kill(pid, 0) != 0 ? true : nil }
        }
    }

    /// Starts it again after it was killed.
    public func restart() async throws {
        try await Self.runBlocking { try self.serve() }
    }

    /// It is there but does nothing, until `thaw`.
    public func freeze() { signalAll(SIGSTOP) }

    public func thaw() { signalAll(SIGCONT) }

    /// The server's and those of its connections.
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

    /// Debian keeps them beside the path, a folder for each version; the newest is taken.
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
            // Connections of one that was killed may outlive it for a moment, and hold its memory.
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

/// Does what blocks on a thread of Dispatch's.
private func offTheCooperativePool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}
