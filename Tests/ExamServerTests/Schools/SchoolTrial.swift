import ExamStore
import Foundation
import HTTPClient
import SystemSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A server whose people sign in at a school, with the school's service on loopback.
struct SchoolTrial {
    let server: RunningServer
    let provider: LyingProvider
    /// Another school of the same server.
    let other: LyingProvider
    let clock: SetClock

    static let people: [SchoolRules.PersonRule] = [
        .init(claim: "groups", is: "/staff", role: "teacher"),
        .init(claim: "realm_access.roles", is: "examiner", role: "marker"),
        .init(claim: "groups", is: "/pupils", role: "learner"),
    ]

    init(
        patience: SchoolProvider.Patience = .init(pause: .zero, idle: .seconds(60)),
        people: [SchoolRules.PersonRule] = Self.people
    ) async throws {
        clock = SetClock()
        (provider, other) = (try LyingProvider(clock: clock), try LyingProvider(clock: clock))
        let folder = NSTemporaryDirectory() + "oracy-schools-\(UUID().uuidString)"
        try PrivateFile.createFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PrivateFile.replace(folder + "/secret", with: Array((LyingProvider.secret + "\n").utf8))
        let schools = [("elm", "Elm School", provider), ("oak", "Oak School", other)].map { id, name, provider in
            SchoolSettings.School(
                id: id, name: name, issuer: provider.issuer, client: LyingProvider.client,
                secret: ServiceKey(file: "secret"), people: people,
                groups: [
                    .init(claim: "groups", begins: "/classes/"), .init(claim: "groups", is: "g-81", group: "8c"),
                ])
        }
        let settings = SchoolSettings(address: "http://localhost", hours: 8, schools: schools)
        let accounts = try SchoolAccounts(settings, in: folder, patience: patience)
        let keys = TokenKeys(.secret(Array(RunningServer.secret.utf8)))
        try await keys.load()
        server = try await RunningServer(signIn: .schools(accounts, tokens: keys), clock: clock)
    }

    func stop() async {
        await server.stop()
        provider.stop()
        other.stop()
    }

    static let ann: [String: any Sendable] = [
        "sub": "subject-of-ann", "name": "Ann Lee-Winter", "groups": ["/pupils", "/classes/7b", "g-81"],
    ]
    static let hale: [String: any Sendable] = [
        "sub": "subject-of-hale", "preferred_username": "hale.winter", "groups": ["/staff", "/classes/7b"],
        "realm_access": ["roles": ["examiner", "offline_access"]],
    ]

    /// Begins a sign-in.
    ///
    /// - Returns: The address to which the page sends the browser.
    func begin(_ browser: ClassBrowser, at school: String = "elm") async throws -> String {
        let begun = try await browser.ask("POST", "/v1/sign-in/\(school)")
        #expect(begun.status == 200, "\(begun.text)")
        return try #require(begun.object["address"] as? String, "\(begun.text)")
    }

    /// Sends a browser back to the server.
    ///
    /// - Returns: The place to which the server leads the browser.
    func comeBack(
        _ browser: ClassBrowser, _ fields: [String: String], at school: String = "elm", cookies: String? = nil
    ) async throws -> String {
        let query = FormText.of(fields.sorted { $0.key < $1.key })
        let answer = try await browser.ask(
            "GET", "/v1/sign-in/\(school)/callback?\(query)", from: .none, cookies: cookies)
        #expect(answer.status == 303, "\(answer.text)")
        return answer.headers.first { $0.name == "location" }?.value ?? ""
    }

    /// Signs a person in, who agrees at the school.
    ///
    /// - Returns: The place to which the server leads the browser.
    @discardableResult
    func signIn(_ claims: [String: Any], in browser: ClassBrowser) async throws -> String {
        let agreed = provider.agree(try await begin(browser), as: claims)
        return try await comeBack(browser, try #require(agreed))
    }

    /// The reasons of all refusals that the server's log has, in order.
    var reasons: [String] {
        server.log.text.matches(of: /sign-in refused .*reason=school-([a-z-]+)/).map { String($0.1) }
    }
}
