public import Foundation
public import HTTPClient
public import SystemSupport
public import UploadQueue

// The uses of a destination: delivery, signing in, results. Each needs a line for a new kind of backend.

extension Destination {
    /// Makes the uploader of the destination.
    ///
    /// - Parameters:
    ///   - client: The client for requests. A folder uses none.
    ///   - credentials: The path of the file that `signIn` writes.
    /// - Throws: `Problem.malformed`.
    public func makeUploader(client: any HTTPExchanging, credentials: String) throws(Problem) -> any Uploader {
        let token = token(in: credentials)
        switch self {
        case .folder(let path):
            return FolderUploader(waitingFor: path)
        case .backend(let url, _):
            return BackendUploader(url: url, client: client, token: token)
        case .signedURL(let url, let user, let template):
            return SignedURLUploader(url: url, user: user, template: template, client: client, token: token)
        case .supabase(let url, let key, _, _):
            let project = try SupabaseProject(url: url, key: key)
            return SupabaseUploader(project, auth: auth(project, client, credentials), over: client)
        }
    }

    /// Signs in, and stores the credentials in a file that only its owner can read.
    ///
    /// - Parameter secret: The password for Supabase, which isn't stored, or a token for other backends.
    /// - Throws: `Problem`: `denied` if the backend refuses, with its words; `unavailable` if it can't be reached;
    ///   `unwritable`.
    public func signIn(_ secret: String, client: any HTTPExchanging, credentials: String) async throws(Problem) {
        guard case .supabase(let url, let key, _, let email) = self else {
            return try TokenFile(path: credentials).write(secret)
        }
        let project = try SupabaseProject(url: url, key: key)
        do throws(DeliveryFailure) {
            try await auth(project, client, credentials).signIn(email: email, password: secret)
        } catch {
            throw Problem(error, at: place)
        }
    }

    /// Returns the source of this destination's templates; nil for a folder.
    ///
    /// - Throws: `Problem.malformed`.
    func templateSource(
        client: any HTTPExchanging, credentials: String
    ) throws(Problem) -> (any TemplateSource)? {
        switch self {
        case .folder:
            return nil
        case .backend(let url, _):
            return BackendTemplates(calls: BackendCalls(url: url, client: client, token: token(in: credentials)))
        case .signedURL(let url, let user, _):
            return SignedURLTemplates(url: url, user: user, client: client, token: token(in: credentials))
        case .supabase(let url, let key, _, _):
            let project = try SupabaseProject(url: url, key: key)
            return SupabaseTemplates(project, auth: auth(project, client, credentials), over: client)
        }
    }

    /// Returns a client for quizzes at the destination.
    ///
    /// - Throws: `Problem.missing` if the destination has no quizzes.
    public func quizzes(client: any HTTPExchanging, credentials: String) throws(Problem) -> QuizClient {
        guard case .backend(let url, _) = self else {
            throw Problem(.missing, "\(place) has no tests; only an Oracy backend has them (oracy uploads to backend)")
        }
        return QuizClient(url: url, client: client, token: token(in: credentials))
    }

    /// Returns a client for study plans at the destination.
    ///
    /// - Parameter timeout: The limit for one try.
    /// - Throws: `Problem.missing` if the destination makes no plans.
    public func plans(
        client: any HTTPExchanging, credentials: String, timeout: Duration = .seconds(15)
    ) throws(Problem) -> PlanClient {
        guard case .backend(let url, _) = self else {
            throw Problem(.missing, "\(place) makes no plans; only an Oracy backend does (oracy uploads to backend)")
        }
        return PlanClient(url: url, client: client, token: token(in: credentials), timeout: timeout)
    }

    /// Returns the status of a session at the destination, for `ResultPoll`.
    ///
    /// - Throws: `refused` if the destination gives no results, or does not know the session; the errors of requests.
    public func status(
        of session: UUID, client: any HTTPExchanging, credentials: String
    ) async throws(DeliveryFailure) -> ResultPoll.Status {
        switch self {
        case .folder, .signedURL:
            throw DeliveryFailure(.refused, code: "no results", message: "\(place) does not provide results")
        case .backend(let url, _):
            let calls = BackendCalls(url: url, client: client, token: token(in: credentials))
            return try await BackendResults(calls: calls).status(of: session)
        case .supabase(let url, let key, _, _):
            let project: SupabaseProject
            do throws(Problem) {
                project = try SupabaseProject(url: url, key: key)
            } catch {
                throw DeliveryFailure(.refused, code: "settings", message: error.sentence)
            }
            return try await SupabaseResults(project, auth: auth(project, client, credentials), over: client)
                .status(of: session)
        }
    }

    /// - Parameter credentials: The path of the file that `signIn` writes.
    func token(in credentials: String) -> BearerToken {
        TokenFile(path: credentials).token(isNeeded: needsSignIn)
    }

    private func auth(_ project: SupabaseProject, _ client: any HTTPExchanging, _ credentials: String) -> SupabaseAuth {
        SupabaseAuth(project, over: client, store: CredentialFile(path: credentials))
    }
}
