import Glibc
import Learning
import Study
public import SystemSupport

/// A learner's profile and all plans so far in a file that only its owner can read.
public struct PlanFile: Sendable {
    public let path: String

    public init(path: String = UserFolders.data + "/plan.json") { self.path = path }

    /// Whether the learner has set up a profile.
    public var isThere: Bool { access(path, F_OK) == 0 }

    /// Reads the file. Returns nil if there is none.
    ///
    /// - Throws: `Problem.malformed` with the field.
    func read() throws(Problem) -> KeptPlanBook? {
        guard isThere else { return nil }
        return try KeptPlanBook(String(decoding: PrivateFile.read(path), as: UTF8.self), name: path)
    }

    /// Replaces the file if it is still the one that was read.
    ///
    /// - Returns: False if another window has changed it.
    /// - Throws: `Problem`: `malformed`, `unwritable`.
    func replace(_ known: KeptPlanBook?, with book: PlanBook) throws(Problem) -> Bool {
        let lock = try HeldFolder(path.folder)
        defer { lock.release() }
        guard try read()?.text == known?.text else { return false }
        try PrivateFile.replace(path, with: book.json)
        return true
    }
}
