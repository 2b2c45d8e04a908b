public import Foundation
public import HTTPClient
public import SystemSupport
public import UploadQueue

// What is done with a destination: deliver to it, sign in there, ask it for results. A new backend has its line in each.

extension Destination {
    /// - Parameters:
    ///   - client: what requests go through; a folder needs none.
    ///   - credentials: the path of the file that `signIn` writes.
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

    /// Signs in, and keeps what is needed to stay so in a file that only its owner may read.
    ///
    /// - Parameter secret: the password for Supabase, a token for the others; it is not kept where it is a password.
    /// - Throws: `Problem`: `denied` where the backend refuses, with its words; `unavailable` where it cannot be asked; `unwritable`.
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

    /// Fetches this destination's templates; nil for a folder, which has none.
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

    /// Quizzes there.
    ///
    /// - Throws: `Problem.missing` where it takes none.
    public func quizzes(client: any HTTPExchanging, credentials: String) throws(Problem) -> QuizClient {
        guard case .backend(let url, _) = self else {
            throw Problem(.missing, "\(place) has no tests: only an Oracy backend has (oracy uploads to backend)")
        }
        return QuizClient(url: url, client: client, token: token(in: credentials))
    }

    /// Study plans from there.
    ///
    /// - Parameter timeout: of one try.
    /// - Throws: `Problem.missing` where it makes none.
    public func plans(
        client: any HTTPExchanging, credentials: String, timeout: Duration = .seconds(15)
    ) throws(Problem) -> PlanClient {
        guard case .backend(let url, _) = self else {
            throw Problem(.missing, "\(place) makes no plans: only an Oracy backend does (oracy uploads to backend)")
        }
        return PlanClient(url: url, client: client, token: token(in: credentials), timeout: timeout)
    }

    /// What has become of a session there (C10, C13); for `ResultPoll`.
    ///
    /// - Throws: `refused` where it makes no results, or does not know the session; as requests do.
    public func status(
        of session: UUID, client: any HTTPExchanging, credentials: String
    ) async throws(DeliveryFailure) -> ResultPoll.Status {
        switch self {
        case .folder, .signedURL:
            throw DeliveryFailure(.refused, code: "no results", message: "\(place) gives no results")
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

    /// - Parameter credentials: the path of the file that `signIn` writes.
    func token(in credentials: String) -> BearerToken {
        TokenFile(path: credentials).token(isNeeded: needsSignIn)
    }

    private func auth(_ project: SupabaseProject, _ client: any HTTPExchanging, _ credentials: String) -> SupabaseAuth {
        SupabaseAuth(project, over: client, store: CredentialFile(path: credentials))
    }
}
