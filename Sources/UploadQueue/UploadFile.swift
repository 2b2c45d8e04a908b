import Glibc
public import SystemSupport

/// A recording that lies on this machine until it has arrived.
///
/// The queue does not copy it: a take stays where it is in its session's folder, so a queue that waits for days takes no room.
public struct UploadFile: Codable, Equatable, Sendable {
    /// Absolute.
    public let path: String
    /// Of the file, as it was sealed.
    public let byteCount: Int
    /// 64 hexadecimal digits. The file is read and compared before each sending.
    public let sha256: String
    /// `audio/ogg`, `audio/wav`.
    public let mediaType: String
    /// Whether the file goes when the backend has confirmed it: for programs that keep nothing; else it is its owner's.
    public let goesWhenDelivered: Bool

    /// Seals a file: waits until the disk has its bytes and its name, and takes its digest. Nobody may write to it any more.
    ///
    /// The only way to make one of a file, so that what is enqueued is durable however its writer went about it.
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

    /// As it stands in a journal or a test; nothing is read.
    package init(path: String, byteCount: Int, sha256: String, mediaType: String, goesWhenDelivered: Bool = false) {
        self.path = path
        self.byteCount = byteCount
        self.sha256 = sha256
        self.mediaType = mediaType
        self.goesWhenDelivered = goesWhenDelivered
    }

    /// `opus`, `wav`: what the file's name ends in.
    public var suffix: String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "bin" }
        return String(name[dot...].dropFirst())
    }

    /// Compares the file with what it was when it was sealed.
    func verify() throws(DeliveryFailure) {
        let found: (byteCount: Int, sha256: String)
        do throws(Problem) {
            found = try PrivateFile.digest(path)
        } catch {
            // A disk that cannot be read for a moment has not lost it.
            throw DeliveryFailure(access(path, F_OK) == 0 ? .transient : .fileMissing, message: error.sentence)
        }
        guard found == (byteCount, sha256) else {
            let what =
                found.byteCount == byteCount ? "its checksum" : "its size (\(found.byteCount) of \(byteCount) bytes)"
            throw DeliveryFailure(.fileAltered, message: "\(path): \(what) changed since it was recorded")
        }
    }
}
