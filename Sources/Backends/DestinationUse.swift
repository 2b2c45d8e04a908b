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
        let token = TokenFile(path: credentials).token(isNeeded: needsSignIn)
        switch self {
        case .folder(let path):
            return FolderUploader(waitingFor: path)
        case .backend(let url):
            return BackendUploader(url: url, client: client, token: token)
        case .signedURL(let url, let user, let template):
            return SignedURLUploader(url: url, user: user, template: template, client: client, token: token)
        case .supabase(let url, let key, let template, _):
            let project = try SupabaseProject(url: url, key: key)
            var settings = SupabaseUploader.Settings()
            settings.template = UUID(uuidString: template)
            return SupabaseUploader(
                project, auth: auth(project, client, credentials), over: client, settings: settings)
        }
    }

    /// Signs in, and keeps what is needed to stay so in a file that only its owner may read.
    ///
    /// - Parameter secret: the password for Supabase, a token for the others; it is not kept where it is a password.
    /// - Throws: `Problem`: `unavailable` where the backend cannot be asked, or refuses, with its words; `unwritable`.
    public func signIn(_ secret: String, client: any HTTPExchanging, credentials: String) async throws(Problem) {
        guard case .supabase(let url, let key, _, let email) = self else {
            return try TokenFile(path: credentials).write(secret)
        }
        let project = try SupabaseProject(url: url, key: key)
        do throws(DeliveryFailure) {
            try await auth(project, client, credentials).signIn(email: email, password: secret)
        } catch {
            throw Problem(error.kind == .unwritable ? .unwritable : .unavailable, "\(place): \(error.message)")
        }
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
        case .backend(let url):
            let token = TokenFile(path: credentials).token(isNeeded: needsSignIn)
            return try await BackendUploader(url: url, client: client, token: token).status(of: session)
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

    private func auth(_ project: SupabaseProject, _ client: any HTTPExchanging, _ credentials: String) -> SupabaseAuth {
        SupabaseAuth(project, over: client, store: CredentialFile(path: credentials))
    }
}
