import Glibc
public import SystemSupport

/// For how many days sessions are kept. Which of them may go is for whoever asks; this knows their age.
public struct SessionRetention: Codable, Equatable, Sendable {
    /// The version of its file's layout.
    public static let layoutVersion = 1
    /// A hundred years are as good as for ever.
    public static let allowedDays = 1...36_500

    /// `layoutVersion`, or an older one in a file of before.
    public var version = SessionRetention.layoutVersion
    /// How long sessions are kept after their end, in days; one of `allowedDays`.
    public var days: Int

    /// - Parameter days: `allowedDays`.
    public init(days: Int) {
        precondition(Self.allowedDays.contains(days), "an age is 1 to 36500 days")
        self.days = days
    }

    /// Whether a session is older than that: counted from when it began, and where nobody wrote that down from when it was last written to.
    public func isOver(_ session: SessionSummary, at now: WallTime = .now) -> Bool {
        guard let began = session.startedAt ?? session.folder.lastWritten else { return false }
        return now.secondsSince1970 - began.secondsSince1970 > days * 86_400
    }

    /// Reads what a user chose; nil where nothing was.
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
