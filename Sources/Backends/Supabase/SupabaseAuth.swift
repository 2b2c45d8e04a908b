import Foundation
public import HTTPClient
import SystemSupport
public import UploadQueue

/// A user's stay with a project: signed in once, and kept by exchanging each refresh token for the next.
///
/// However many lanes ask, one refresh is under way (a token that is used twice ends the user's session), and what it
/// brought is on disk before it is used: a program killed in between finds its next token there.
public actor SupabaseAuth {
    private let project: SupabaseProject
    private let exchange: any HTTPExchanging
    private let store: any CredentialStore
    private let now: @Sendable () -> Duration

    private var held: Credentials?
    private var refreshing: Task<Result<Credentials, DeliveryFailure>, Never>?
    /// The server's clock, and when it was read.
    private var serverTime: (seconds: Int, at: Duration)?
    /// When the held token came, if in this process, and how long it is good for.
    private var obtained: (at: Duration, lifetime: Duration)?
    /// No refresh ahead of time before this.
    private var quietUntil = Duration.zero

    /// So long before it expires a token is renewed without being told to; PostgREST accepts one for 30 s longer.
    private static let ahead = Duration.seconds(60)

    public init(_ project: SupabaseProject, over exchange: any HTTPExchanging, store: any CredentialStore) {
        let start = ContinuousClock.now
        self.init(project, over: exchange, store: store) { ContinuousClock.now - start }
    }

    /// - Parameter now: by a clock that cannot be set.
    init(
        _ project: SupabaseProject, over exchange: any HTTPExchanging, store: any CredentialStore,
        now: @escaping @Sendable () -> Duration
    ) {
        self.project = project
        self.exchange = exchange
        self.store = store
        self.now = now
    }

    /// Signs a user in; what it brings is on disk when this returns. Neither address nor password is kept.
    ///
    /// - Throws: `signInNeeded` with the server's words where it refuses; else as any delivery.
    public func signIn(email: String, password: String) async throws(DeliveryFailure) {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        _ = try await credentials(for: "password", ["email": email, "password": password])
    }

    /// Makes an account; the project decides whether it has to be confirmed first.
    ///
    /// - Throws: as `signIn`: `signInNeeded` where the address is taken or the password too weak, with the server's words.
    public func signUp(email: String, password: String) async throws(DeliveryFailure) -> Account.Entry {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        let response = try await ask("POST", "signup", ["email": email, "password": password])
        guard let (new, lifetime) = read(response) else { return .codeSent }
        try keep(new, lifetime)
        return .signedIn
    }

    /// Has a code sent to an address that has an account.
    public func sendCode(to email: String) async throws(DeliveryFailure) {
        _ = try await ask("POST", "otp", ["email": email, "create_user": false])
    }

    /// Signs in with what a message has, one that confirms a new account, or that was asked for: its code, or its whole link.
    ///
    /// - Throws: `signInNeeded` where it is not the code, or too old.
    public func verify(email: String, code: String) async throws(DeliveryFailure) {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        let response = try await ask(
            "POST", "verify", Self.fields(ofLink: code) ?? ["type": "email", "email": email, "token": code])
        guard let (new, lifetime) = read(response) else {
            throw DeliveryFailure(.transient, code: "200", message: "an answer without tokens from the sign-in service")
        }
        try keep(new, lifetime)
    }

    /// `…/auth/v1/verify?token=HASH&type=signup&redirect_to=…`: the token is what the API calls a hash. nil where it is no link.
    private static func fields(ofLink text: String) -> [String: Any]? {
        guard let parts = URLComponents(string: text.trimmed), parts.scheme != nil, let items = parts.queryItems else {
            return nil
        }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let token = value("token_hash") ?? value("token") else { return nil }
        return ["type": value("type") ?? "email", "token_hash": token]
    }

    /// Signs the user out here: the tokens are forgotten, and the server is told, so that they are worth nothing to whoever finds them.
    ///
    /// - Returns: whether the server has confirmed it. Either way nobody is signed in here any more.
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

    /// The user who is signed in, nil for nobody.
    public var user: String? { (try? current())?.user }

    /// What requests go with. Renewed shortly before it expires by the server's clock; this machine's may be wrong.
    func credentials() async throws(DeliveryFailure) -> Credentials {
        let held = try current()
        guard isNearItsEnd(held), now() >= quietUntil else { return held }
        do throws(DeliveryFailure) {
            return try await credentials(insteadOf: held)
        } catch {
            if error.kind == .cancelled { throw error }
            // It was early: the old one may do for now, and a 401 says so if not.
            quietUntil = now() + .seconds(30)
            return held
        }
    }

    /// What to go on with where a server did not accept these.
    ///
    /// - Throws: `signInNeeded` where the user's session is over; `transient` and the like where that is not known.
    func credentials(insteadOf refused: Credentials) async throws(DeliveryFailure) -> Credentials {
        if let held, held != refused, refreshing == nil { return held }
        let task = refreshing ?? Task { await self.refresh(insteadOf: refused) }
        refreshing = task
        guard let result = await task.valueUnlessCancelled else { throw DeliveryFailure(.cancelled) }
        return try result.get()
    }

    /// Learns the server's clock from the header of any of its answers.
    func heard(date: String?) {
        if let date = date.flatMap({ HTTPDate($0) }) { serverTime = (date.secondsSince1970, now()) }
    }

    // MARK: - What is held

    private func current() throws(DeliveryFailure) -> Credentials {
        if let held { return held }
        guard let found = try stored({ () throws(Problem) in try store.read() }), found.project == project.url else {
            throw DeliveryFailure(.signInNeeded, message: "nobody is signed in to \(project.place)")
        }
        held = found
        return found
    }

    private func isNearItsEnd(_ held: Credentials) -> Bool {
        guard let serverTime, let end = AccessToken(held.accessToken).expiresAt else { return false }
        // What a token says may be any number.
        let left = Duration.seconds(end) - Duration.seconds(serverTime.seconds) - (now() - serverTime.at)
        guard left < Self.ahead else { return false }
        // Servers whose clocks differ by more than a token's life would else be asked for one before each request.
        if let obtained { return now() - obtained.at > obtained.lifetime / 2 }
        return true
    }

    // MARK: - The next token

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
                // A program that knows nothing of the lock may have been faster.
                if error.kind == .signInNeeded, let other = try renewedElsewhere(since: refused) {
                    return .success(other)
                }
                throw error
            }
        } catch {
            return .failure(error)
        }
    }

    /// What another program has put into the store meanwhile: a refresh of its own, or a new signing in.
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
            throw DeliveryFailure(.transient, code: "200", message: "an answer without tokens from the sign-in service")
        }
        try keep(new, lifetime)
        return new
    }

    /// First on disk, then in use: a token that was used makes the one before it worthless.
    private func keep(_ new: Credentials, _ lifetime: Duration) throws(DeliveryFailure) {
        try stored { () throws(Problem) in try store.write(new) }
        held = new
        obtained = (now(), lifetime)
    }

    /// - Throws: what the service refuses; a status of success is an answer, whatever is in it.
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
        // A refresh token that is sent twice may end the session.
        request.isAlone = true
        // Every lane waits for it.
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
        // An hour is Supabase's default.
        let lifetime = Duration.seconds((fields["expires_in"] as? NSNumber)?.intValue ?? 3_600)
        return (Credentials(project: project.url, user: user, accessToken: access, refreshToken: refresh), lifetime)
    }

    // MARK: - What the store says

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
            // Credentials that cannot be read: the next sign-in replaces them.
            default: .signInNeeded
            }
        self.init(kind, message: problem.sentence)
    }
}
