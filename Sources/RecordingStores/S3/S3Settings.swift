import Glibc
public import SystemSupport

/// The address of an S3-compatible storage, and the key for it.
public struct S3Settings: Sendable {
    /// The address without a path: `https://s3.eu-central-1.amazonaws.com`, `http://127.0.0.1:9000`. Plain http is not
    /// encrypted.
    public var endpoint: String
    /// The bucket, which must exist.
    public var bucket: String
    /// The region: `us-east-1`. If you run the service yourself, its settings name the region.
    public var region: String
    /// Whether the bucket is in the path (`https://host/bucket/key`) or before the host (`https://bucket.host/key`).
    /// AWS accepts both for old buckets and requires the second for new ones. Most others accept the first.
    public var isPathStyle: Bool
    /// The key that signs the requests.
    public var key: S3Key

    /// Creates settings.
    ///
    /// - Parameter endpoint: `https://s3.example.org`, with or without a slash at its end.
    public init(endpoint: String, bucket: String, region: String = "us-east-1", isPathStyle: Bool = true, key: S3Key) {
        self.endpoint = endpoint.last == "/" ? String(endpoint.dropLast()) : endpoint
        self.bucket = bucket
        self.region = region
        self.isPathStyle = isPathStyle
        self.key = key
    }
}

/// An access key and its secret. Its textual descriptions contain only the id, not the secret.
public struct S3Key: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let id: String
    let secret: String
    /// The token of a temporary key.
    let session: String?

    /// Creates a key.
    ///
    /// - Parameter session: the token that came with a temporary key.
    public init(id: String, secret: String, session: String? = nil) {
        self.id = id
        self.secret = secret
        self.session = session
    }

    /// Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for a temporary key, `AWS_SESSION_TOKEN`.
    ///
    /// - Returns: nil if one of the first two is missing.
    public init?(environment: [String: String]) {
        guard let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"],
            !id.isEmpty, !secret.isEmpty
        else { return nil }
        self.init(id: id, secret: secret, session: environment["AWS_SESSION_TOKEN"])
    }

    /// Reads a file that only its owner can read: `{"id":"…","secret":"…"}`, with `"session"` for a temporary key.
    ///
    /// - Throws: `Problem`: `missing`, or `malformed` if it is not such a file, or others can read it.
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
