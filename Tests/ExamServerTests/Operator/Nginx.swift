import Foundation
import Glibc
import TestSupport
import Testing

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

    /// Why it cannot be had here, in one plain sentence; nil where it is installed.
    static let obstacle =
        access("/usr/sbin/nginx", X_OK) == 0 ? nil : "nginx is not installed: apt-get install nginx-light"

    /// `docs/operating/nginx.conf` with the names changed that whoever uses it changes, and TLS left out, since these tests' WebSocket has
    /// none.
    ///
    /// - Parameter upstream: which servers there are.
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

    /// Takes other settings, as `nginx -s reload` does; connections that there are stay where they are.
    ///
    /// When this returns, every new connection goes by the new settings: until its old worker stops listening, nginx also takes some by
    /// the old ones.
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

    /// Its worker processes by their ids, each with what it calls itself.
    private var workers: [String: String] {
        func read(_ file: String) -> String { (try? String(contentsOfFile: "/proc/\(file)", encoding: .utf8)) ?? "" }
        let children = read("\(process.pid)/task/\(process.pid)/children").split(separator: " ").map(String.init)
        return Dictionary(uniqueKeysWithValues: children.map { ($0, read("\($0)/cmdline")) })
    }

    var errors: String { (try? String(contentsOfFile: den.folder + "/nginx.errors", encoding: .utf8)) ?? "" }

    /// What was asked, once it listens.
    func answer<Value: Sendable>(_ ask: @escaping () -> Value?) throws -> Value {
        let answer = Patience.poll { ask() }
        return try #require(answer, "nginx does not answer: \(errors)")
    }

    /// - Returns: the path of settings that name nothing outside of the den.
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
