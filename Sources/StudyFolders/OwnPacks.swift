import FoundationEssentials
public import Learning
public import SystemSupport

/// A user's own packs of questions, one file each. Drills and tests ask them beside the packs that come with Oracy.
public struct OwnPacks: Sendable {
    /// The folder of the packs.
    public let folder: String

    public init(folder: String = UserFolders.data + "/packs") { self.folder = folder }

    /// Returns the packs, in the order of their files. Empty if the folder is missing.
    ///
    /// - Throws: `Problem.malformed` with the file and its error.
    public func packs() throws(Problem) -> [QuestionPack] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var packs: [QuestionPack] = []
        for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            packs.append(try QuestionPack.read(from: PrivateFile.read(path), name: path))
        }
        return packs
    }

    /// Stores a pack in place of the one with its id.
    ///
    /// - Throws: `Problem.unwritable`.
    public func write(_ pack: QuestionPack) throws(Problem) {
        try UserFile.write(pack, to: "\(folder)/\(pack.id).json")
    }
}
