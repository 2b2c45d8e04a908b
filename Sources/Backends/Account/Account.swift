public import HTTPClient
public import SystemSupport
import UploadQueue

/// A person's account at a destination: signing up, signing in and out, and the profile.
///
/// ```swift
/// let home = Destination.backend(url: "https://exams.example.org")
/// let account = Account(home, client: CurlClient(), credentials: "/var/lib/exams/credentials.json")
/// try await account.signIn("…")
/// print(try await account.profile())
/// ```
///
/// All methods throw `Problem`: `denied` if the backend refuses, with its words; `unavailable` if it can't be reached
/// or has no such feature; `unwritable`. Call them from any thread.
public struct Account: Sendable {
    private let destination: Destination
    private let client: any HTTPExchanging
    private let credentials: String

    /// - Parameter credentials: The path of the file that keeps the user signed in.
    public init(_ destination: Destination, client: any HTTPExchanging, credentials: String) {
        self.destination = destination
        self.client = client
        self.credentials = credentials
    }

    public enum Entry: Equatable, Sendable {
        case signedIn
        /// The backend has sent a code to the person.
        case codeSent
    }

    /// - Parameter password: Used once and not stored.
    public func signUp(_ password: String) async throws(Problem) -> Entry {
        let (auth, email) = try supabase("accounts are created at the service that issues the backend's tokens")
        return try await said { () async throws(DeliveryFailure) in
            try await auth.signUp(email: email, password: password)
        }
    }

    /// - Parameter secret: The password for Supabase, a token for other backends.
    public func signIn(_ secret: String) async throws(Problem) {
        try await destination.signIn(secret, client: client, credentials: credentials)
    }

    /// Asks the project to send a sign-in code by e-mail, for an account without a password.
    public func sendCode() async throws(Problem) {
        let (auth, email) = try supabase("only Supabase projects send codes")
        try await said { () async throws(DeliveryFailure) in try await auth.sendCode(to: email) }
    }

    /// - Parameter code: The code from the message, or the whole link.
    public func signIn(code: String) async throws(Problem) {
        let (auth, email) = try supabase("only Supabase projects send codes")
        try await said { () async throws(DeliveryFailure) in try await auth.verify(email: email, code: code) }
    }

    /// - Returns: false if the backend could not be notified. The user is signed out on this machine either way.
    public func signOut() async throws(Problem) -> Bool {
        guard case .supabase = destination else {
            try CredentialFile(path: credentials).remove()
            return true
        }
        let (auth, _) = try supabase("")
        return try await said { () async throws(DeliveryFailure) in try await auth.signOut() }
    }

    /// The signed-in user's id at the backend; nil if no one is signed in, or the token doesn't contain it.
    public var user: String? {
        if case .supabase(let url, _, _, _) = destination {
            let held = (try? CredentialFile(path: credentials).read()) ?? nil
            return held.flatMap { url.hasPrefix($0.project) ? $0.user : nil }
        }
        return (try? TokenFile(path: credentials).read()).flatMap { AccessToken($0).subject }
    }

    /// The account's name in the destination's settings; nil if they contain none.
    public var accountName: String? { destination.accountName }

    /// Whether there are credentials, for any user.
    public var isSignedIn: Bool {
        if case .supabase = destination { return user != nil }
        return (try? TokenFile(path: credentials).read()) != nil
    }

    /// Returns the user's id that a token contains, if any.
    public static func subject(of token: String) -> String? { AccessToken(token).subject }

    public func profile() async throws(Problem) -> AccountProfile {
        let kept = try keeper()
        return try await said { () async throws(DeliveryFailure) in try await kept.read() }
    }

    /// Changes the fields that aren't nil.
    public func change(_ profile: AccountProfile, picture: ProfilePicture? = nil) async throws(Problem) {
        let kept = try keeper()
        try await said { () async throws(DeliveryFailure) in try await kept.change(profile, picture: picture) }
    }

    // MARK: -

    private func keeper() throws(Problem) -> any ProfileKeeper {
        switch destination {
        case .supabase(let url, let key, _, _):
            let project = try SupabaseProject(url: url, key: key)
            return SupabaseProfile(project, auth: try supabase("").auth, over: client)
        case .backend(let url, _):
            let token = destination.token(in: credentials)
            return BackendProfile(calls: BackendCalls(url: url, client: client, token: token))
        case .folder, .signedURL:
            throw Problem(.unavailable, "\(destination.place): does not store profiles")
        }
    }

    private func supabase(_ otherwise: String) throws(Problem) -> (auth: SupabaseAuth, email: String) {
        guard case .supabase(let url, let key, _, let email) = destination else {
            throw Problem(.unavailable, "\(destination.place): \(otherwise)")
        }
        let project = try SupabaseProject(url: url, key: key)
        return (SupabaseAuth(project, over: client, store: CredentialFile(path: credentials)), email)
    }

    private func said<Value>(_ body: () async throws(DeliveryFailure) -> Value) async throws(Problem) -> Value {
        do throws(DeliveryFailure) { return try await body() } catch { throw Problem(error, at: destination.place) }
    }
}
