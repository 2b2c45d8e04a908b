import Glibc
package import SystemSupport

/// A folder or USB stick with the files of add-ons, under any names and in any subfolder. Files are recognised by their
/// content, and copied.
package struct FolderSource: AddOnSource {
    private let folder: String
    /// The paths of files by their lengths.
    private let paths: [Int: [String]]

    /// More files than an add-on can have: a folder with more is probably a mistake, such as `/`.
    private static let mostFiles = 20_000

    /// - Throws: `Problem`: `missing` if the folder cannot be read; `malformed` if it has too many files.
    package init(_ folder: String) throws(Problem) {
        guard access(folder, R_OK | X_OK) == 0 else { throw PrivateFile.missing(folder) }
        self.folder = folder
        var paths: [Int: [String]] = [:]
        var (folders, count) = ([folder], 0)
        while let next = folders.popLast() {
            for entry in OwnFolder.entries(of: next) {
                count += 1
                guard count <= Self.mostFiles else {
                    throw Problem(.malformed, "\(folder): has too many files; name the folder with the packages")
                }
                if entry.isFolder {
                    folders.append(entry.path)
                } else if let facts = FileFacts(at: entry.path), facts.isFile {
                    paths[facts.byteCount, default: []].append(entry.path)
                }
            }
        }
        self.paths = paths
    }

    package var name: String { folder }

    package func lacks(_ file: AddOnFile) -> String? { paths[file.byteCount] == nil ? missing(file) : nil }

    private func missing(_ file: AddOnFile) -> String {
        "\(folder): has no file with the content of \(file.name) (\(file.byteCount) bytes)"
    }

    package func fetch(
        _ file: AddOnFile, to path: String, _ received: @escaping @Sendable (Int) -> Void
    ) async throws(Problem) {
        let candidates = paths[file.byteCount] ?? []
        try await runBlocking { () throws(Problem) in
            for candidate in candidates {
                if Task.isCancelled { break }
                // Check the copy, not the original: a stick may return other bytes the second time.
                var output = try NewFile(path + ".part")
                var count = 0
                let isRead =
                    (try? PrivateFile.forEachChunk(of: candidate) { chunk in
                        output.add(Array(chunk))
                        count += chunk.count
                        if count.isMultiple(of: 1 << 20) { received(count) }
                    }) != nil
                let sha256 = try output.end().sha256
                if isRead && sha256 == file.sha256 {
                    received(count)
                    return try PrivateFile.move(path + ".part", to: path)
                }
            }
            unlink(path + ".part")
            throw Problem(.missing, missing(file))
        }
    }
}
