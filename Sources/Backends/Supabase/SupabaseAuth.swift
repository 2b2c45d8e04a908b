import Foundation
public import HTTPClient
import SystemSupport
public import UploadQueue

/// A user's sign-in at a project. It is kept alive by exchanging each refresh token for the next.
///
/// Any number of lanes may ask, but only one refresh runs at a time, because using a token twice ends the user's
/// session. The new tokens are on disk before they are used, so a program killed in between finds them.
public actor SupabaseAuth {
    private let project: SupabaseProject
    private let exchange: any HTTPExchanging
    private let store: any CredentialStore
    private let now: @Sendable () -> Duration

    private var held: Credentials?
    private var refreshing: Task<Result<Credentials, DeliveryFailure>, Never>?
    /// The server's time, and the moment at which it was read.
    private var serverTime: (seconds: Int, at: Duration)?
    /// The moment at which the held token arrived, if in this process, and its lifetime.
    private var obtained: (at: Duration, lifetime: Duration)?
    /// Until this moment, tokens are not renewed ahead of time.
    private var quietUntil = Duration.zero

    /// A token is renewed this long before it expires. PostgREST accepts one for 30 s longer.
    private static let ahead = Duration.seconds(60)

    public init(_ project: SupabaseProject, over exchange: any HTTPExchanging, store: any CredentialStore) {
        let start = ContinuousClock.now
        self.init(project, over: exchange, store: store) { ContinuousClock.now - start }
    }

    /// - Parameter now: Returns the time of a clock that cannot be set.
    init(
        _ project: SupabaseProject, over exchange: any HTTPExchanging, store: any CredentialStore,
        now: @escaping @Sendable () -> Duration
    ) {
        self.project = project
        self.exchange = exchange
        self.store = store
        self.now = now
    }

    /// Signs a user in. The credentials are on disk when this returns. Address and password are not stored.
    ///
    /// - Throws: `signInNeeded` with the server's words if it refuses; otherwise the errors of any delivery.
    public func signIn(email: String, password: String) async throws(DeliveryFailure) {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        _ = try await credentials(for: "password", ["email": email, "password": password])
    }

    /// Creates an account. The project decides whether it has to be confirmed first.
    ///
    /// - Throws: The errors of `signIn`. `signInNeeded` if the address is taken or the password too weak.
    public func signUp(email: String, password: String) async throws(DeliveryFailure) -> Account.Entry {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        let response = try await ask("POST", "signup", ["email": email, "password": password])
        guard let (new, lifetime) = read(response) else { return .codeSent }
        try keep(new, lifetime)
        return .signedIn
    }

    /// Sends a code to an address that has an account.
    public func sendCode(to email: String) async throws(DeliveryFailure) {
        _ = try await ask("POST", "otp", ["email": email, "create_user": false])
    }

    /// Signs in with the content of a message that confirms a new account or was requested: its code, or its whole
    /// link.
    ///
    /// - Throws: `signInNeeded` if the code is wrong or too old.
    public func verify(email: String, code: String) async throws(DeliveryFailure) {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        let response = try await ask(
            "POST", "verify", Self.fields(ofLink: code) ?? ["type": "email", "email": email, "token": code])
        guard let (new, lifetime) = read(response) else {
            throw DeliveryFailure(.transient, code: "200", message: "the sign-in service answered without tokens")
        }
        try keep(new, lifetime)
    }

    /// Returns the fields of a link such as `…/auth/v1/verify?token=HASH&type=signup&redirect_to=…`, whose token is
    /// what the API calls a hash; nil if the text isn't a link.
    private static func fields(ofLink text: String) -> [String: Any]? {
        guard let parts = URLComponents(string: text.trimmed), parts.scheme != nil, let items = parts.queryItems else {
            return nil
        }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let token = value("token_hash") ?? value("token") else { return nil }
        return ["type": value("type") ?? "email", "token_hash": token]
    }

    /// Signs the user out here: deletes the tokens, and tells the server to revoke them.
    ///
    /// - Returns: Whether the server has confirmed it. The user is signed out on this machine either way.
    public func signOut() async throws(DeliveryFailure) -> Bool {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        held = nil
        guard let credentials = try? current() else { return true }
        let confirmed = (try? await ask("POST", "logout?scope=local", [:], token: credentials.accessToken)) != nil
        try stored { () throws(Problem) in try store.remove() }
        (held, obtained) = (nil, nil)
        return confirmed
    }

    /// The id of the signed-in user; nil if no one is signed in.
    public var user: String? { (try? current())?.user }

    /// Returns the credentials for a request. They are renewed shortly before they expire by the server's clock, since
    /// this machine's clock may be wrong.
    func credentials() async throws(DeliveryFailure) -> Credentials {
        let held = try current()
        guard isNearItsEnd(held), now() >= quietUntil else { return held }
        do throws(DeliveryFailure) {
            return try await credentials(insteadOf: held)
        } catch {
            if error.kind == .cancelled { throw error }
            // The refresh was early, so the old token may still be valid. A 401 shows if it isn't.
            quietUntil = now() + .seconds(30)
            return held
        }
    }

    /// Returns new credentials because a server did not accept the given ones.
    ///
    /// - Throws: `signInNeeded` if the user's session is over; `transient` and similar kinds if that is unknown.
    func credentials(insteadOf refused: Credentials) async throws(DeliveryFailure) -> Credentials {
        if let held, held != refused, refreshing == nil { return held }
        let task = refreshing ?? Task { await self.refresh(insteadOf: refused) }
        refreshing = task
        guard let result = await task.valueUnlessCancelled else { throw DeliveryFailure(.cancelled) }
        return try result.get()
    }

    /// Reads the server's clock from the header of any of its answers.
    func heard(date: String?) {
        if let date = date.flatMap({ HTTPDate($0) }) { serverTime = (date.secondsSince1970, now()) }
    }

    // MARK: - Held credentials

    private func current() throws(DeliveryFailure) -> Credentials {
        if let held { return held }
        guard let found = try stored({ () throws(Problem) in try store.read() }), found.project == project.url else {
            throw DeliveryFailure(.signInNeeded, message: "you are not signed in to \(project.place)")
        }
        held = found
        return found
    }

    private func isNearItsEnd(_ held: Credentials) -> Bool {
        guard let serverTime, let end = AccessToken(held.accessToken).expiresAt else { return false }
        // A token may contain any number.
        let left = Duration.seconds(end) - Duration.seconds(serverTime.seconds) - (now() - serverTime.at)
        guard left < Self.ahead else { return false }
        // Without this, servers whose clocks differ by more than a token's life would be asked for a token before each
        // request.
        if let obtained { return now() - obtained.at > obtained.lifetime / 2 }
        return true
    }

    // MARK: - Refreshing

    private func refresh(insteadOf refused: Credentials) async -> Result<Credentials, DeliveryFailure> {
        defer { refreshing = nil }
        do throws(DeliveryFailure) {
            let lock = try await lock()
            defer { withExtendedLifetime(lock) {} }
            if let other = try renewedElsewhere(since: refused) { return .success(other) }
            do throws(DeliveryFailure) {
                return .success(
                    try await credentials(for: "refresh_token", ["refresh_token": refused.refreshToken]))
            } catch {
                // A program without the lock may have been faster.
                if error.kind == .signInNeeded, let other = try renewedElsewhere(since: refused) {
                    return .success(other)
                }
                throw error
            }
        } catch {
            return .failure(error)
        }
    }

    /// Returns the credentials that another program has stored meanwhile, by a refresh or a new sign-in.
    private func renewedElsewhere(since refused: Credentials) throws(DeliveryFailure) -> Credentials? {
        held = nil
        let found = try current()
        guard found == refused else {
            obtained = nil
            return found
        }
        return nil
    }

    private func credentials(
        for grant: String, _ fields: [String: String]
    ) async throws(DeliveryFailure) -> Credentials {
        let response = try await ask("POST", "token?grant_type=\(grant)", fields)
        guard let (new, lifetime) = read(response) else {
            throw DeliveryFailure(.transient, code: "200", message: "the sign-in service answered without tokens")
        }
        try keep(new, lifetime)
        return new
    }

    /// Stores new credentials before they are used: using a token invalidates the previous one.
    private func keep(_ new: Credentials, _ lifetime: Duration) throws(DeliveryFailure) {
        try stored { () throws(Problem) in try store.write(new) }
        held = new
        obtained = (now(), lifetime)
    }

    /// - Throws: The service's refusals. A status of success is returned with any content.
    private func ask(
        _ method: String, _ path: String, _ fields: [String: Any], token: String? = nil
    ) async throws(DeliveryFailure) -> HTTPResponse {
        let body = (try? JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)) ?? Data()
        var request = HTTPRequest(
            method, "\(project.url)/auth/v1/\(path)",
            headers: [
                ("apikey", project.key), ("Content-Type", "application/json"),
                ("X-Supabase-Api-Version", "2024-01-01"),
            ] + (token.map { [("Authorization", "Bearer \($0)")] } ?? []),
            body: .bytes(Array(body)))
        var limits = HTTPLimits()
        // Sending a refresh token twice may end the session.
        request.isAlone = true
        // Every lane waits for this.
        limits.total = .seconds(30)
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await exchange.exchange(request, limits: limits) { _ in }
        } catch {
            throw DeliveryFailure(error)
        }
        heard(date: response.headers["date"])
        guard [200, 204].contains(response.status) else {
            let error = ServerError(.auth, response)
            throw error.failure(because: ErrorTable.verdict(error))
        }
        return response
    }

    private func read(_ response: HTTPResponse) -> (Credentials, Duration)? {
        guard
            let fields = (try? JSONSerialization.jsonObject(with: Data(response.body))) as? [String: Any],
            let access = fields["access_token"] as? String, !access.isEmpty,
            let refresh = fields["refresh_token"] as? String, !refresh.isEmpty,
            let user = (fields["user"] as? [String: Any])?["id"] as? String ?? AccessToken(access).subject
        else { return nil }
        // One hour is Supabase's default.
        let lifetime = Duration.seconds((fields["expires_in"] as? NSNumber)?.intValue ?? 3_600)
        return (Credentials(project: project.url, user: user, accessToken: access, refreshToken: refresh), lifetime)
    }

    // MARK: - The store

    private func stored<Value>(_ body: () throws(Problem) -> Value) throws(DeliveryFailure) -> Value {
        do throws(Problem) { return try body() } catch { throw DeliveryFailure(storing: error) }
    }

    private func lock() async throws(DeliveryFailure) -> CredentialLock {
        do throws(Problem) { return try await store.lock() } catch { throw DeliveryFailure(storing: error) }
    }
}

extension DeliveryFailure {
    init(storing problem: Problem) {
        let kind: Kind =
            switch problem.kind {
            case .unwritable: .unwritable
            case .occupied: .transient
            // Unreadable credentials: the next sign-in replaces them.
            default: .signInNeeded
            }
        self.init(kind, message: problem.sentence)
    }
}
