import Foundation
import HTTPClient
import Synchronization
import SystemSupport
import TestSupport

@testable import ExamNode
@testable import ExamServer
@testable import LoopbackServers

/// A server whose people sign in at a strict sign-in service of others, `oidc-provider-mock` from PyPI, which has
/// registered this server.
struct ForeignProvider {
    /// The reason why the service can't run here. Nil if it is installed.
    static let obstacle = Trials.obstacle(to: "oidc_provider_mock")

    let server: RunningServer
    /// The server's address, at which a browser opens the page.
    let address: String
    let issuer: String
    private let provider: TrialServer
    private let doorway: Doorway

    init() async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "oidc-server.py").path
        provider = try await onThread {
            try TrialServer("oidc") { _ in [Trials.folder + "/bin/python", script] }
        }
        issuer = "http://127.0.0.1:\(provider.word.dropFirst("ready ".count))"
        doorway = try Doorway()
        address = "http://127.0.0.1:\(doorway.port)"
        let redirect = "\(address)/v1/sign-in/elm/callback"
        let registered = try await RunningServer.ask(
            issuer, "POST", "/oauth2/clients", ["redirect_uris": [redirect]], as: nil)
        guard let client = registered.object["client_id"] as? String,
            let secret = registered.object["client_secret"] as? String
        else { throw TrialServer.Failure(description: "oidc registers no client: \(registered.text)") }
        let folder = NSTemporaryDirectory() + "oracy-schools-\(UUID().uuidString)"
        try PrivateFile.createFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PrivateFile.replace(folder + "/secret", with: Array(secret.utf8))
        let school = SchoolSettings.School(
            id: "elm", name: "Elm School", issuer: issuer, client: client, secret: ServiceKey(file: "secret"),
            people: [
                .init(claim: "groups", is: "/staff", role: "teacher"),
                .init(claim: "groups", is: "/pupils", role: "learner"),
            ], groups: [.init(claim: "groups", begins: "/classes/")])
        let accounts = try SchoolAccounts(SchoolSettings(address: address, schools: [school]), in: folder)
        // The service makes tokens by the machine's clock.
        server = try await RunningServer(
            signIn: .schools(accounts), clock: SetClock(at: Date().ISO8601Format(), runs: true))
        doorway.lead(to: server.port)
    }

    func stop() async {
        await server.stop()
        doorway.stop()
    }

    /// Lets one of the service's people agree at the address to which the page sent the browser.
    ///
    /// - Returns: The path on this server to which the service sends the browser back. Nil if it sends it nowhere.
    func agree(_ asked: String, as form: String) async throws -> String? {
        let answer = try await RunningServer.ask(
            "", "POST", asked, as: nil, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            bytes: Array(form.utf8))
        guard let place = answer.header("Location"), place.hasPrefix(address) else { return nil }
        return String(place.dropFirst(address.count))
    }
}

/// An address that is known before the server behind it has started.
private final class Doorway: Sendable {
    private let target: Target
    private let server: TCPServer

    private final class Target: Sendable {
        let port = Mutex(0)
    }

    init() throws {
        let target = Target()
        self.target = target
        server = try TCPServer { client, _ in
            let port = target.port.withLock { $0 }
            guard let upstream = try? TCPConnection(port: port) else { return client.reset() }
            defer { upstream.close() }
            Carrier(client: client, server: upstream, port: port, fault: .none).run()
        }
    }

    var port: Int { server.port }

    func lead(to port: Int) { target.port.withLock { $0 = port } }

    func stop() { server.stop() }
}
