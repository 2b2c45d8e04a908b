/// A way to a backend. To add one is to add a file with a type that conforms.
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
    /// Where it delivers to, as people and logs may read it: never a key or a token.
    var place: String { get }

    /// Makes an upload true at the backend, whatever an earlier attempt may have left there: it may be called again after it
    /// succeeded, after it failed half-way, and after this program was killed in the middle of it.
    ///
    /// It returns only when the backend has confirmed all of it. It is called for one upload of a session at a time, for
    /// several sessions at once, on no particular thread. A cancelled task stops soon and throws `cancelled`.
    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure)
}

/// What an uploader may ask of the queue while it delivers one upload.
public struct Courier: Sendable {
    /// What the uploader kept for this upload at an earlier attempt.
    public let note: String?
    /// Counts how many other answers of the session have arrived: a question's attempts are one.
    public let arrived: @Sendable () -> Int
    /// Keeps a note on disk, nil for none; it is there after a crash: the address of an upload that can be resumed, say.
    ///
    /// - Throws: `unwritable` where the disk refuses.
    public let keep: @Sendable (String?) throws(DeliveryFailure) -> Void
    /// Tells how many bytes of the file the backend has been sent by now.
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

/// Why an upload did not arrive this time, in terms of what to do about it.
public struct DeliveryFailure: Error, Equatable, Sendable {
    /// What to do about it.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Nothing was sent: no network, no such host, nobody listens. It says nothing about the upload; not counted.
        case unreachable
        /// The backend or the way to it failed; the same again may well succeed.
        case transient
        /// No answer in time: `transient`, but it costs more.
        case timedOut
        /// What this upload belongs to is not there yet (409 with 23503).
        case parentMissing
        /// Nobody is signed in any more, and only a person can change that.
        case signInNeeded
        /// The backend will never take it as it is.
        case refused
        /// The recording is not where it was.
        case fileMissing
        /// The recording is not what it was: size or digest differ.
        case fileAltered
        /// This machine's disk refused what had to be kept.
        case unwritable
        /// The program is closing.
        case cancelled
    }

    /// What the queue goes by; the rest is for people.
    public var kind: Kind
    /// The backend's own, for people who look for it: `409/23505`, `503`, `curl 7`.
    public var code: String
    /// The backend's own message, at most `longestMessage` characters; no keys, no tokens.
    public var message: String
    /// How long the backend asks to be left alone; nil where it does not.
    public var retryAfter: Duration?

    /// What is kept of a backend's message.
    public static let longestMessage = 500

    /// - Parameter message: cut to `longestMessage`; may hold no keys and no tokens.
    public init(_ kind: Kind, code: String = "", message: String = "", retryAfter: Duration? = nil) {
        self.kind = kind
        self.code = code
        self.message = String(message.prefix(Self.longestMessage))
        self.retryAfter = retryAfter
    }
}
