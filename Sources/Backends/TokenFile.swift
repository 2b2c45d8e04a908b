import Glibc
public import SystemSupport
public import UploadQueue

/// Returns a bearer token; nil if the backend needs none. It is called before each request, so that a renewed token
/// applies at once.
public typealias BearerToken = @Sendable () async throws(DeliveryFailure) -> String?

/// A bearer token in its own file that only its owner can read: `{"token":"…"}`.
///
/// The file is read each time, so that a new token applies at once.
public struct TokenFile: Sendable {
    /// An absolute path.
    public let path: String

    private struct Content: Codable {
        var token: String
    }

    public init(path: String) {
        self.path = path
    }

    /// - Throws: `Problem`: `missing`; `malformed` if the file is invalid, or others can read it.
    public func read() throws(Problem) -> String {
        let content: Content
        do throws(Problem) {
            content = try UserFile.read(Content.self, from: path)
        } catch {
            guard error.kind == .malformed else { throw error }
            throw Problem(.malformed, "\(path): is not like {\"token\": \"…\"}")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw Problem(.malformed, "\(path): other users can read it; change that with chmod 600")
        }
        guard !content.token.isEmpty else { throw Problem(.malformed, "\(path): token: is empty") }
        return content.token
    }

    /// - Throws: `Problem.unwritable`.
    public func write(_ token: String) throws(Problem) {
        try UserFile.write(Content(token: token), to: path)
    }

    /// Returns a function for uploaders. If the file is invalid, the user has to sign in again.
    ///
    /// - Parameter isNeeded: Whether a missing file is a failure; if false, it means no token.
    public func token(isNeeded: Bool = true) -> BearerToken {
        { () throws(DeliveryFailure) in
            do throws(Problem) {
                return try read()
            } catch {
                if error.kind == .missing && !isNeeded { return nil }
                throw DeliveryFailure(.signInNeeded, code: "token", message: error.sentence)
            }
        }
    }
}
