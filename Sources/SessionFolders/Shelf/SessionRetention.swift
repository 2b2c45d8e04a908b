import Glibc
public import SystemSupport

/// The number of days for which sessions are kept. This type only knows their age; the caller decides which may be
/// erased.
public struct SessionRetention: Codable, Equatable, Sendable {
    /// The version of its file's layout.
    public static let layoutVersion = 1
    /// The days that a user may choose. A hundred years are as good as forever.
    public static let allowedDays = 1...36_500

    /// `layoutVersion`, or an older version in an older file.
    public var version = SessionRetention.layoutVersion
    /// The days for which sessions are kept after they began, one of `allowedDays`.
    public var days: Int

    /// - Parameter days: One of `allowedDays`.
    public init(days: Int) {
        precondition(Self.allowedDays.contains(days), "an age is 1 to 36500 days")
        self.days = days
    }

    /// Returns whether a session is older than `days`. Its age counts from its start, or from its last write if the
    /// start is unknown.
    public func isOver(_ session: SessionSummary, at now: WallTime = .now) -> Bool {
        guard let began = session.startedAt ?? session.folder.lastWritten else { return false }
        return now.secondsSince1970 - began.secondsSince1970 > days * 86_400
    }

    /// Reads a user's choice; nil if the user has made no choice.
    ///
    /// - Throws: `Problem.malformed`.
    package static func read(from path: String) throws(Problem) -> SessionRetention? {
        guard access(path, F_OK) == 0 else { return nil }
        let kept = try JSONFile.decode(
            Self.self, "retention", version: layoutVersion, from: PrivateFile.read(path), name: path)
        guard allowedDays.contains(kept.days) else {
            throw Problem(.malformed, "\(path): days: \(kept.days) is not 1 to 36500")
        }
        return kept
    }

    /// - Throws: `Problem.unwritable`.
    package func write(to path: String) throws(Problem) {
        try PrivateFile.createFolder(path.folder)
        try PrivateFile.replace(path, with: JSONFile.encode(self))
    }
}

extension SessionFolder {
    fileprivate var lastWritten: WallTime? {
        var status = stat()
        guard stat(log, &status) == 0 || stat(exam, &status) == 0 || stat(path, &status) == 0 else { return nil }
        return WallTime(secondsSince1970: status.st_mtim.tv_sec)
    }
}
