import Glibc
public import SystemSupport

/// A recording that stays on this machine until it has arrived.
///
/// The queue doesn't copy it. A take stays in its session's folder, so that a queue that waits for days needs no room.
public struct UploadFile: Codable, Equatable, Sendable {
    /// An absolute path.
    public let path: String
    /// The size of the sealed file.
    public let byteCount: Int
    /// The digest as 64 hexadecimal digits. The file is read and compared before each sending.
    public let sha256: String
    /// `audio/ogg`, `audio/wav`.
    public let mediaType: String
    /// Whether the file is removed when the backend has confirmed it, for programs that keep nothing. Otherwise it
    /// stays with its owner.
    public let goesWhenDelivered: Bool

    /// Seals a file: waits until its bytes and its name are on disk, and computes its digest. Nothing may write to it
    /// afterwards.
    ///
    /// This is the only way to make an `UploadFile` from a file, so that every enqueued file is durable, however it was
    /// written.
    ///
    /// - Throws: `Problem`: `missing`, `unwritable`.
    public init(finalizing path: String, mediaType: String, goesWhenDelivered: Bool = false) throws(Problem) {
        guard let real = realpath(path, nil) else { throw PrivateFile.missing(path) }
        defer { free(real) }
        self.path = String(cString: real)
        self.mediaType = mediaType
        self.goesWhenDelivered = goesWhenDelivered
        try PrivateFile.synchronize(self.path)
        try PrivateFile.anchor(self.path.folder)
        (byteCount, sha256) = try PrivateFile.digest(self.path)
    }

    /// Makes a value from a journal or a test. Nothing is read.
    package init(path: String, byteCount: Int, sha256: String, mediaType: String, goesWhenDelivered: Bool = false) {
        self.path = path
        self.byteCount = byteCount
        self.sha256 = sha256
        self.mediaType = mediaType
        self.goesWhenDelivered = goesWhenDelivered
    }

    /// The extension of the file's name: `opus`, `wav`.
    public var suffix: String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "bin" }
        return String(name[dot...].dropFirst())
    }

    /// Compares the file with its sealed size and digest.
    func verify() throws(DeliveryFailure) {
        let found: (byteCount: Int, sha256: String)
        do throws(Problem) {
            found = try PrivateFile.digest(path)
        } catch {
            // A disk that can't be read for a moment may still have the file.
            throw DeliveryFailure(access(path, F_OK) == 0 ? .transient : .fileMissing, message: error.sentence)
        }
        guard found == (byteCount, sha256) else {
            let what =
                found.byteCount == byteCount ? "its checksum" : "its size (\(found.byteCount) of \(byteCount) bytes)"
            throw DeliveryFailure(.fileAltered, message: "\(path): \(what) changed since it was recorded")
        }
    }
}
