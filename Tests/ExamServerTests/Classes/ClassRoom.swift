import ExamStore
import Foundation
import StoreTrials
import Synchronization
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import LoopbackServers

extension ClassAccounts {
    /// Accounts by plain http with quick hashes.
    static var tried: ClassAccounts {
        var accounts = ClassAccounts(isEncrypted: false)
        accounts.cost = .init(logRounds: 10, parallelism: 1)
        return accounts
    }

    /// The same without limits on guessing.
    static var unguarded: ClassAccounts {
        var accounts = tried
        let free = GuessLimits.Pace(most: 1_000_000, seconds: 0.001)
        (accounts.guessing.address, accounts.guessing.nameAtAddress) = (free, free)
        (accounts.guessing.name, accounts.guessing.device) = (free, free)
        return accounts
    }
}

/// A class on a server, with a teacher who has not signed in yet.
struct ClassRoom {
    let server: RunningServer
    let name: String
    let code: String
    private let teacher: UUID

    init(on server: RunningServer, named name: String = "Form 9B") async throws {
        (self.server, self.name, code, teacher) = (server, name, JoinCode.fresh(), UUID())
        let (store, made) = (server.services.store.service, SchoolClass(id: UUID(), name: name, code: code))
        #expect(try await store.make(made))
        let member = ClassMember(id: teacher, name: "Ms Hale", role: .teacher)
        #expect(try await store.add(member, to: made.id, pinHash: nil, limit: 9) == .joined)
    }

    /// Makes the teacher's link to sign in once.
    func link() async throws -> String {
        let token = SignInToken()
        let until = server.services.clock() + 3600
        #expect(
            try await server.services.store.service.put(linkHash: token.digest, until: until, of: teacher))
        return token.text
    }

    /// Returns a browser in which the teacher is signed in.
    func teachersBrowser() async throws -> ClassBrowser {
        let browser = ClassBrowser(server)
        let answer = try await browser.ask("POST", "/v1/class/link", ["link": try await link()])
        #expect(answer.status == 200, "\(answer.text)")
        return browser
    }

    /// Returns a browser in which a learner has joined.
    func join(_ learner: String, pin: String = "502916", in browser: ClassBrowser? = nil) async throws -> ClassBrowser {
        let browser = browser ?? ClassBrowser(server)
        let answer = try await browser.ask("POST", "/v1/class/join", ["code": code, "name": learner, "pin": pin])
        #expect(answer.status == 201, "\(answer.text)")
        return browser
    }

    /// Tries to sign a learner in.
    func signIn(
        _ learner: String, pin: String = "502916", in browser: ClassBrowser
    ) async throws -> ClassBrowser.Answer {
        try await browser.ask("POST", "/v1/class/sign-in", ["code": code, "name": learner, "pin": pin])
    }
}

/// A browser with its cookies. Each request has a connection of its own.
final class ClassBrowser: Sendable {
    struct Answer: Sendable {
        var status: Int
        var headers: [(name: String, value: String)]
        var text: String

        var object: [String: Any] {
            ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]) ?? [:]
        }
        var code: String { (object["type"] as? String)?.split(separator: "/").last.map(String.init) ?? "" }
        /// The headers that store cookies.
        var stored: [String] { headers.filter { $0.name == "set-cookie" }.map(\.value) }
    }

    /// The page that sends a request.
    enum Page {
        case own
        /// The request states no origin.
        case none
        case other(String)
    }

    private let server: RunningServer
    private let jar = Mutex<[String: String]>([:])

    init(_ server: RunningServer) { self.server = server }

    /// The sign-in's cookie.
    var token: String? {
        get { jar.withLock { $0["oracy"] } }
        set { jar.withLock { $0["oracy"] = newValue } }
    }

    /// The cookie of a browser that was used before.
    var device: String? {
        get { jar.withLock { $0["oracy-device"] } }
        set { jar.withLock { $0["oracy-device"] = newValue } }
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - page: The page that asks.
    ///   - cookies: Replaces the header with the cookies.
    func ask(
        _ method: String, _ path: String, _ json: [String: Any]? = nil, from page: Page = .own, cookies: String? = nil
    ) async throws -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Connection: close"]
        switch page {
        case .own: lines.append("Origin: \(server.url)")
        case .none: break
        case .other(let origin): lines.append("Origin: \(origin)")
        }
        let kept = jar.withLock { $0.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
        if let cookies = cookies ?? (kept.isEmpty ? nil : kept) { lines.append("Cookie: \(cookies)") }
        let body = try json.map { Array(try JSONSerialization.data(withJSONObject: $0)) } ?? []
        if json != nil { lines.append("Content-Type: application/json") }
        lines.append("Content-Length: \(body.count)")
        let (request, port) = (Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, server.port)
        let said = try await onThread {
            let connection = try TCPConnection(port: port)
            connection.giveUp(afterSeconds: 60)
            connection.write(request)
            return connection.readToEnd().map { String(decoding: $0, as: UTF8.self) }
        }
        let answer = Self.answer(try #require(said))
        for cookie in answer.stored {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            jar.withLock { $0[pair[0]] = pair.count == 2 && !cookie.contains("Max-Age=0;") ? pair[1] : nil }
        }
        return answer
    }

    private static func answer(_ text: String) -> Answer {
        let parts = text.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        let headers = lines.dropFirst().map { line in
            let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (name: pair[0].lowercased(), value: pair.last?.trimmingCharacters(in: .whitespaces) ?? "")
        }
        return Answer(
            status: Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0, headers: headers,
            text: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }
}
