import Glibc
public import SystemSupport
public import UploadQueue

/// Hands out a bearer token, nil where the backend needs none. It is asked before each request, so a token that a person renewed
/// counts at once.
public typealias BearerToken = @Sendable () async throws(DeliveryFailure) -> String?

/// A bearer token in a file of its own that only its owner may read: `{"token":"…"}`.
///
/// It is read whenever it is needed, so a new one counts at once.
public struct TokenFile: Sendable {
    /// Absolute.
    public let path: String

    private struct Content: Codable {
        var token: String
    }

    public init(path: String) {
        self.path = path
    }

    /// - Throws: `Problem`: `missing`; `malformed` where it is not such a file, or others may read it.
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
            throw Problem(.malformed, "\(path): others may read it; change that with chmod 600")
        }
        guard !content.token.isEmpty else { throw Problem(.malformed, "\(path): token: is empty") }
        return content.token
    }

    /// - Throws: `Problem.unwritable`.
    public func write(_ token: String) throws(Problem) {
        try UserFile.write(Content(token: token), to: path)
    }

    /// For uploaders. What is wrong with the file is a person's to mend, who signs in.
    ///
    /// - Parameter isNeeded: false: no file, no token.
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
