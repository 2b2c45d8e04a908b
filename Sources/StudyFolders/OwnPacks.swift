import FoundationEssentials
public import Learning
public import SystemSupport

/// A user's own packs of questions, one file each. Drills and tests ask them beside the packs that come with Oracy.
public struct OwnPacks: Sendable {
    /// The folder of the packs.
    public let folder: String

    public init(folder: String = UserFolders.data + "/packs") { self.folder = folder }

    /// Returns the packs that can be read, in the order of their files. One file with a mistake takes nothing from the
    /// others: `faults` has its error. Empty if the folder is missing.
    public func packs() -> [QuestionPack] { all.compactMap { try? $0.get() } }

    /// The errors of files that cannot be read.
    public var faults: [Problem] {
        all.compactMap { read in
            guard case .failure(let problem) = read else { return nil }
            return problem
        }
    }

    /// Returns the pack with an id. Nil if there is no such file.
    ///
    /// - Throws: `Problem.malformed` with the file and its error.
    public func pack(_ id: String) throws(Problem) -> QuestionPack? {
        guard names.contains("\(id).json") else { return nil }
        return try pack(inFile: "\(id).json")
    }

    private var all: [Result<QuestionPack, Problem>] {
        names.map { name in Result { () throws(Problem) in try pack(inFile: name) } }
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
