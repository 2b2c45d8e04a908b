import FoundationEssentials
public import Learning
public import SystemSupport

/// A user's own packs of questions, one file each. Drills and tests use them as well as the packs that come with Oracy.
public struct OwnPacks: Sendable {
    /// The folder of the packs.
    public let folder: String

    public init(folder: String = UserFolders.data + "/packs") { self.folder = folder }

    /// Returns the packs that can be read, in the order of their files. A file with a mistake does not affect the
    /// others. Empty if the folder is missing.
    ///
    /// - Parameter leaveOut: Gets the error of each file that cannot be read.
    public func packs(leaveOut: (Problem) -> Void = { _ in }) -> [QuestionPack] {
        names.compactMap { name in
            do throws(Problem) {
                return try pack(inFile: name)
            } catch {
                leaveOut(error)
                return nil
            }
        }
    }

    /// Returns the pack with an id. Nil if there is no such file.
    ///
    /// - Throws: `Problem.malformed` with the file and its error.
    public func pack(_ id: String) throws(Problem) -> QuestionPack? {
        guard names.contains("\(id).json") else { return nil }
        return try pack(inFile: "\(id).json")
    }

    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
    }

    private func pack(inFile name: String) throws(Problem) -> QuestionPack {
        let path = "\(folder)/\(name)"
        return try .read(from: PrivateFile.read(path), name: path)
    }

    /// Stores a pack in place of the one with its id.
    ///
    /// - Throws: `Problem.unwritable`.
    public func write(_ pack: QuestionPack) throws(Problem) {
        try UserFile.write(pack, to: "\(folder)/\(pack.id).json")
    }
}
