public import ExamKit
import Glibc

/// Where an S3-compatible storage lives, and who asks it.
public struct S3Settings: Sendable {
    /// `https://s3.eu-central-1.amazonaws.com`, `http://127.0.0.1:9000`, without a path. Plain http says everything to everybody on
    /// the way.
    public var endpoint: String
    /// It has to be there.
    public var bucket: String
    /// `us-east-1`; what a service of one's own wants to hear is in its settings.
    public var region: String
    /// Whether the bucket stands in the path (`https://host/bucket/key`) or before the host (`https://bucket.host/key`). AWS
    /// takes both for old buckets and wants the second; most others take the first.
    public var isPathStyle: Bool
    /// Whoever signs the requests.
    public var key: S3Key

    /// - Parameter endpoint: `https://s3.example.org`, with or without a slash at its end.
    public init(endpoint: String, bucket: String, region: String = "us-east-1", isPathStyle: Bool = true, key: S3Key) {
        self.endpoint = endpoint.last == "/" ? String(endpoint.dropLast()) : endpoint
        self.bucket = bucket
        self.region = region
        self.isPathStyle = isPathStyle
        self.key = key
    }
}

/// An access key and its secret. It tells nobody the secret: a text of it has the id only.
public struct S3Key: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let id: String
    let secret: String
    /// Of a key that is lent for a time.
    let session: String?

    /// - Parameter session: of a key that is lent for a time: the token that came with it.
    public init(id: String, secret: String, session: String? = nil) {
        self.id = id
        self.secret = secret
        self.session = session
    }

    /// From `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, of a lent key, `AWS_SESSION_TOKEN`.
    ///
    /// - Returns: nil where the first two are not both there.
    public init?(environment: [String: String]) {
        guard let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"],
            !id.isEmpty, !secret.isEmpty
        else { return nil }
        self.init(id: id, secret: secret, session: environment["AWS_SESSION_TOKEN"])
    }

    /// From a file that only its owner may read: `{"id":"…","secret":"…"}`, and `"session"` of a lent key.
    ///
    /// - Throws: `Problem`: `missing`; `malformed` where it is not such a file, or others may read it.
    public init(file path: String) throws(Problem) {
        struct Content: Decodable {
            var id, secret: String
            var session: String?
        }
        guard let facts = FileFacts(at: path) else {
            throw Problem(.missing, "\(path): \(String(cString: strerror(errno)))")
        }
        guard !facts.isShared else {
            throw Problem(.malformed, "\(path): others may read it; change that with chmod 600")
        }
        do throws(Problem) {
            let content = try UserFile.read(Content.self, from: path)
            self.init(id: content.id, secret: content.secret, session: content.session)
        } catch {
            throw Problem(error.kind, "\(path): is not like {\"id\": \"…\", \"secret\": \"…\"}")
        }
    }

    public var description: String { id }
    public var debugDescription: String { id }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
