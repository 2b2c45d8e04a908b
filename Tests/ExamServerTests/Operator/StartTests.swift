import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import StoreTrials
import SystemSupport
import Testing
import Waiting

@testable import ExamNode
@testable import ExamServer
@testable import VirtualDevices

/// A server's start and end as an administrator sees them: its folder, its address, its warnings.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct StartTests {
    private static let options = ["--development", "--port", "0", "--data", "FOLDER/data"]

    @Test func aSecondServerInOneFolderEndsAndTheFirstGoesOn() async throws {
        try await withDen { den in
            let first = try OperatedServer(Self.options, in: den, name: "first")
            let port = try first.port()
            let socket = try ExamTalk(port: port)
            let second = try refusal(Self.options, in: den)
            #expect(second.code == 73)
            #expect(second.message.contains(den.folder + "/data") && second.message.contains("process \(first.pid)"))
            #expect(!second.message.contains("\n"))
            #expect(try socket.isHeld(), "\(first.log)")
            // The log also has the name of the drawn paper, which may be `lost-on-the-way`. So the test looks for the
            // whole event, not for "lost".
            #expect(!first.log.contains(ExamEvent.movedAway.rawValue), "\(first.log)")
            #expect(try first.stop() == 0)
        }
    }

    @Test func aServerThatWasKilledStartsAgainInItsFolder() async throws {
        try await withDen { den in
            for life in 0..<3 {
                let server = try OperatedServer(Self.options, in: den, name: "life-\(life)")
                _ = try server.address()
                server.kill()
            }
            let last = try OperatedServer(Self.options, in: den, name: "last")
            _ = try last.address()
            #expect(try last.stop() == 0)
        }
    }

    @Test func aLockHasOneHolderAndEndsWithIt() throws {
        let folder = NSTemporaryDirectory() + "oracy-lock-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let lock = try FolderLock(folder: folder)
            #expect { _ = try FolderLock(folder: folder) } throws: {
                ($0 as? Problem)?.kind == .occupied
                    && ($0 as? Problem)?.sentence.contains("process \(getpid())") == true
            }
            withExtendedLifetime(lock) {}
        }
        _ = try FolderLock(folder: folder)
    }

    @Test func anUnavailableAddressIsNamed() async throws {
        try await withDen { den in
            let first = try OperatedServer(Self.options, in: den, name: "first")
            let port = try first.port()
            let other = ["--token-secret", "FOLDER/secret", "--data", "FOLDER/other"]
            for (arguments, words) in [
                (["--port", "\(port)"], "127.0.0.1:\(port): another program listens there"),
                (["--port", "0", "--metrics-port", "\(port)"], "127.0.0.1:\(port): another program listens there"),
                (["--host", "192.0.2.1", "--port", "8080"], "192.0.2.1:8080: this machine has no such address"),
                (["--host", "nowhere.invalid", "--port", "8080"], "nowhere.invalid:8080: this name is unknown"),
            ] {
                let refused = try refusal(other + arguments + ["--log-level", "error"], in: den)
                #expect(refused.code == 69, "\(arguments)")
                #expect(refused.message.contains("oracy-server: \(words)"), "\(refused.message)")
            }
            #expect(try first.stop() == 0)
        }
    }

    private static let hasIPv6 =
        (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.isEmpty == false

    @Test(.enabled(if: hasIPv6, "this machine has no IPv6"))
    func anAddressOfIPv6IsPrintedAsBrowsersTakeIt() async throws {
        try await withDen { den in
            let server = try OperatedServer(Self.options + ["--host", "::1"], in: den)
            #expect(try server.address().wholeMatch(of: /http:\/\/\[::1\]:\d+/) != nil, "\(server.output)")
            #expect(try server.stop() == 0)
        }
    }

    @Test func theNumbersAreOnAPortOfTheirOwn() async throws {
        try await withDen { den in
            let free = try OperatedServer(Self.options, in: den, name: "free")
            let port = try free.port()
            #expect(try free.stop() == 0)
            let server = try OperatedServer(Self.options + ["--metrics-port", "\(port)"], in: den)
            let own = try server.address()
            let numbers = try fetch("http://127.0.0.1:\(port)", "GET", "/metrics")
            #expect(numbers.text.contains("oracy_requests_total"))
            #expect(try fetch(own, "GET", "/metrics").status == 404)
            #expect(try server.stop() == 0)
        }
    }

    @Test func riskyOptionsAreWarnedOfAtTheStart() async throws {
        try await withDen { den in
            let server = try OperatedServer(
                [
                    "--token-secret", "FOLDER/secret", "--host", "0.0.0.0", "--port", "0", "--data", "FOLDER/data",
                    "--any-pace",
                ], environment: ["ORACY_SERVER_PROT": "8080"], in: den)
            _ = try server.address()
            for words in ["--issuer and --audience", "--allow-host", "--any-pace", "ORACY_SERVER_PROT"] {
                #expect(server.lines.contains { $0.contains(" warning ") && $0.contains(words) }, "\(words)")
            }
            #expect(try server.stop() == 0)
            let careful = try OperatedServer(
                [
                    "--token-secret", "FOLDER/secret", "--port", "0", "--data", "FOLDER/data", "--issuer", "a",
                    "--audience", "b",
                ], in: den, name: "careful")
            _ = try careful.address()
            #expect(try careful.stop() == 0)
            #expect(!careful.log.contains(" warning "), "\(careful.log)")
        }
    }

    /// The warnings cover every file of secrets that an option names, and the folder of recordings.
    @Test func whatOtherUsersCanReadIsWarnedOfAtTheStart() async throws {
        try await withDen { den in
            let key = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
            try den.write(Data(key.utf8), to: "hook-key")
            try den.write(Data("word".utf8), to: "model-key")
            try den.write(
                Data(
                    """
                    {"version":1,"endpoints":[{"id":"a","address":"https://a.example","key":{"file":"hook-key"}}]}
                    """.utf8), to: "hooks.json")
            try den.write(
                Data(
                    """
                    {"version":1,"assessors":[{"id":"j","kind":"language-model","address":"https://a.example/v1",\
                    "model":"m","key":{"file":"model-key"}}]}
                    """.utf8), to: "assessors.json")
            #expect(mkdir(den.folder + "/data", 0o755) == 0 && chmod(den.folder + "/data", 0o755) == 0)
            let secrets = ["secret", "hook-key", "model-key"].map { "\(den.folder)/\($0)" }
            let options = [
                "check", "--token-secret", "FOLDER/secret", "--data", "FOLDER/data", "--webhooks", "FOLDER/hooks.json",
                "--assessors", "FOLDER/assessors.json",
            ]
            func notes(_ mode: mode_t, den folderMode: mode_t) throws -> [String] {
                for secret in secrets { #expect(chmod(secret, mode) == 0) }
                #expect(chmod(den.folder, folderMode) == 0)
                let checked = try operate(options, in: den)
                #expect(checked.code == 0, "\(checked)")
                return checked.said.split(separator: "\n").map(String.init).filter { $0.hasPrefix("note") }
            }
            let open = try notes(0o644, den: 0o755)
            for secret in secrets {
                #expect(
                    open.contains("note   \(secret) contains secrets, and all users can read it: chmod 640"), "\(open)")
            }
            #expect(
                open.contains {
                    $0.contains("\(den.folder)/data contains users' recordings") && $0.hasSuffix("chmod 700")
                })
            #expect(try notes(0o640, den: 0o755).count { $0.contains("secrets") } == 0)
            let inside = try notes(0o644, den: 0o700)
            #expect(!inside.contains { $0.contains("all users can read") || $0.contains("can enter") }, "\(inside)")
        }
    }

    @Test(.store(only: .postgres, because: "Two nodes share a database that has a password."))
    func equalNodeNamesAndVisiblePasswordsAreWarnedOf() async throws {
        let database = try await TestDatabase().address
        try await withDen { den in
            let options = ["--token-secret", "FOLDER/secret", "--port", "0", "--node", "twin", "--database", database]
            let nodes = try ["one", "two"].map {
                try OperatedServer(options + ["--data", "FOLDER/\($0)"], in: den, name: $0)
            }
            for node in nodes { _ = try node.address() }
            for node in nodes { #expect(node.log.contains("PostgreSQL without --audio")) }
            let isSaid = Patience.poll {
                nodes.allSatisfy { $0.log.contains("another node has this one's name") } ? true : nil
            }
            #expect(isSaid == true, "\(nodes.map(\.log))")
            for node in nodes {
                #expect(node.log.contains("all users of this machine can read command lines"))
                #expect(!node.log.contains(PostgresServer.password))
            }
            for node in nodes { #expect(try node.stop() == 0) }
        }
    }
}

/// An exam on a server in development mode, with a connected candidate.
struct ExamTalk {
    private let socket: TestSocket

    /// - Parameter wish: The exam to make. A short one is made faster.
    init(port: Int, _ wish: String = "{\"consent\":true}") throws {
        let made = try fetch("http://127.0.0.1:\(port)", "POST", "/v1/exams", json: wish)
        let live = (made.object["live"] as? [String: String])?["token"] ?? ""
        socket = try TestSocket(port: port)
        socket.say("{\"type\":\"hello\",\"token\":\"\(live)\",\"acks\":1}")
        while case .text(let text)? = try socket.hear() { if text.contains("\"welcome\"") { return } }
        throw TestSocket.Broken(what: "not welcome: \(made.text)")
    }

    /// Leaves the exam, which allows coming back.
    func leave() { socket.say("{\"type\":\"leave\"}") }

    /// Returns whether the exam still answers.
    func isHeld() throws -> Bool {
        socket.say("{\"type\":\"ping\",\"at\":7}")
        while let heard = try socket.hear() {
            if case .closed = heard { return false }
            if case .text(let text) = heard, text.contains("\"pong\"") { return true }
        }
        return false
    }
}

/// Sends a request, and blocks the calling thread until there is an answer. Must not be called on a thread of Swift's
/// tasks.
///
/// - Parameters:
///   - json: A JSON body.
///   - bytes: A body of another type.
func fetch(
    _ url: String, _ method: String, _ path: String, json: String? = nil, bytes: [UInt8]? = nil, as user: UUID? = nil,
    headers: [(String, String)] = []
) throws -> HTTPResponse {
    let all = headers + (json == nil ? [] : [("Content-Type", "application/json")])
    let answer = Kept<Result<HTTPResponse, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            answer.value = .success(
                try await RunningServer.ask(
                    url, method, path, as: user, headers: all, bytes: bytes ?? json.map { Array($0.utf8) }))
        } catch {
            answer.value = .failure(error)
        }
        done.signal()
    }
    done.wait()
    return try answer.value!.get()
}
