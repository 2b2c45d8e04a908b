/// A way to deliver to a backend. To add one, add a file with a conforming type.
///
/// ```swift
/// struct PrintingUploader: Uploader {
///     var place: String { "standard output" }
///
///     func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
///         guard case .answer(let answer, let file) = upload.content else { return }
///         print(upload.id, upload.session.name, answer, file.path)
///         courier.sent(file.byteCount)
///     }
/// }
/// ```
public protocol Uploader: Sendable {
    /// The destination in a form for people and logs, without keys and tokens.
    var place: String { get }

    /// Delivers an upload, of which an earlier attempt may have left parts at the backend. The queue may call this
    /// again after it succeeded, after it failed half-way, and after this program was killed in the middle of it.
    ///
    /// It returns only when the backend has confirmed everything. It is called for one upload of a session at a time,
    /// for several sessions at the same time, on any thread. A cancelled task stops soon and throws `cancelled`.
    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure)
}

/// The queue's services for an uploader during the delivery of one upload.
public struct Courier: Sendable {
    /// The note that the uploader stored for this upload in an earlier attempt.
    public let note: String?
    /// Returns how many other answers of the session have arrived. Several attempts at a question count once.
    public let arrived: @Sendable () -> Int
    /// Stores a note on disk that survives a crash, such as the address of a resumable upload; nil removes it.
    ///
    /// - Throws: `unwritable` if the disk refuses.
    public let keep: @Sendable (String?) throws(DeliveryFailure) -> Void
    /// Reports how many bytes of the file have been sent so far.
    public let sent: @Sendable (Int) -> Void

    public init(
        note: String? = nil,
        arrived: @escaping @Sendable () -> Int = { 0 },
        keep: @escaping @Sendable (String?) throws(DeliveryFailure) -> Void = { _ in },
        sent: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.note = note
        self.arrived = arrived
        self.keep = keep
        self.sent = sent
    }
}

/// The reason why an upload did not arrive this time. The kinds of failures are the reactions that they need.
public struct DeliveryFailure: Error, Equatable, Sendable {
    /// The appropriate reaction.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Nothing was sent: no network, unknown host, or no server at the address. It says nothing about the upload,
        /// and isn't counted.
        case unreachable
        /// The backend or the connection failed. The same request may well succeed later.
        case transient
        /// No answer came in time. Like `transient`, but it costs more.
        case timedOut
        /// The upload's parent isn't there yet (409 with 23503).
        case parentMissing
        /// The user is no longer signed in, and only the user can change that.
        case signInNeeded
        /// The backend will never accept the upload.
        case refused
        /// The recording is missing.
        case fileMissing
        /// The recording has changed: its size or digest differs.
        case fileAltered
        /// This machine's disk refused to store data.
        case unwritable
        /// The program is closing.
        case cancelled
    }

    /// The kind, by which the queue decides. The rest is for people.
    public var kind: Kind
    /// The backend's own code, for people to look up: `409/23505`, `503`, `curl 7`.
    public var code: String
    /// The backend's own message, at most `longestMessage` characters, without keys and tokens.
    public var message: String
    /// The pause that the backend asks for, if any.
    public var retryAfter: Duration?

    /// The limit for a backend's message.
    public static let longestMessage = 500

    /// - Parameter message: Cut to `longestMessage`. It must not contain keys or tokens.
    public init(_ kind: Kind, code: String = "", message: String = "", retryAfter: Duration? = nil) {
        self.kind = kind
        self.code = code
        self.message = String(message.prefix(Self.longestMessage))
        self.retryAfter = retryAfter
    }
}
