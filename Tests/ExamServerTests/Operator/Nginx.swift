import Foundation
import Glibc
import Testing
import Waiting

@testable import VirtualDevices

/// nginx with a site's settings, in a den.
final class Nginx {
    private let process: ChildProcess
    private let den: Den

    init(_ site: String, in den: Den) throws {
        self.den = den
        process = try den.start(
            "/usr/sbin/nginx", ["-p", den.folder, "-c", try Self.write(site, in: den), "-g", "daemon off;"],
            environment: [:], streams: .init(output: "/dev/null", errors: den.folder + "/nginx.said"))
    }

    deinit { process.kill() }

    /// The reason why nginx can't run here, in one sentence. Nil if it is installed.
    static let obstacle =
        access("/usr/sbin/nginx", X_OK) == 0 ? nil : "nginx is not installed: apt-get install nginx-light"

    /// Returns `docs/operating/nginx.conf` with the names replaced that its users replace, and without TLS, which these
    /// tests' WebSocket doesn't have.
    ///
    /// - Parameter upstream: The lines with the servers.
    static func site(_ file: String, at port: Int, in den: Den, upstream: String) throws -> String {
        var site = file
        for (words, others) in [
            ("server 127.0.0.1:8080;", upstream),
            ("listen 443 ssl;", "listen 127.0.0.1:\(port);"),
            ("listen 80;", "listen unix:\(den.folder)/80;"),
            ("/var/log/nginx/oracy.log", "\(den.folder)/nginx.log"),
            ("server_name exams.example.org;", "server_name 127.0.0.1;"),
        ] {
            #expect(site.contains(words), "\(words)")
            site.replace(words, with: others)
        }
        return site.split(separator: "\n").filter { !$0.contains(" ssl_") }.joined(separator: "\n")
    }

    /// Loads other settings, as `nginx -s reload` does. Existing connections keep theirs.
    ///
    /// When this returns, every new connection uses the new settings. Until its old worker stops listening, nginx still
    /// accepts some with the old ones.
    func reload(_ site: String) throws {
        let before = workers
        _ = try Self.write(site, in: den)
        process.signal(SIGHUP)
        let isDone = Patience.poll { () -> Bool? in
            let now = workers
            let haveOldOnesStopped = before.keys.allSatisfy { now[$0]?.contains("shutting down") ?? true }
            return haveOldOnesStopped && now.keys.contains { before[$0] == nil } ? true : nil
        }
        try #require(isDone == true, "nginx does not take its new settings: \(errors)")
    }

    /// The worker processes by id, each with its process title.
    private var workers: [String: String] {
        func read(_ file: String) -> String { (try? String(contentsOfFile: "/proc/\(file)", encoding: .utf8)) ?? "" }
        let children = read("\(process.pid)/task/\(process.pid)/children").split(separator: " ").map(String.init)
        return Dictionary(uniqueKeysWithValues: children.map { ($0, read("\($0)/cmdline")) })
    }

    var errors: String { (try? String(contentsOfFile: den.folder + "/nginx.errors", encoding: .utf8)) ?? "" }

    /// Returns the answer to a request, once nginx listens.
    func answer<Value: Sendable>(_ ask: @escaping () -> Value?) throws -> Value {
        let answer = Patience.poll { ask() }
        return try #require(answer, "nginx does not answer: \(errors)")
    }

    /// Writes settings that use no path outside of the den.
    ///
    /// - Returns: Their path.
    static func write(_ site: String, in den: Den) throws -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(den.folder)/\($0);" }.joined(separator: " ")
        let settings = """
            \(getuid() == 0 ? "user root;" : "") pid \(den.folder)/nginx.pid; error_log \(den.folder)/nginx.errors;
            worker_processes 1; events {}
            http { \(temporary) include \(den.folder)/site.conf; }
            """
        try den.write(Data(site.utf8), to: "site.conf")
        return try den.write(Data(settings.utf8), to: "nginx.conf")
    }
}
