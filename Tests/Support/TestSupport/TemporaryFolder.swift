import Foundation

/// A folder that is gone with whoever holds it last.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "oracy-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A new file with these bytes.
    ///
    /// - Returns: its path.
    public func file(_ bytes: [UInt8]) throws -> String {
        let path = "\(path)/\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// What lies in it, or in a folder of it, sorted.
    public func names(in folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + folder)) ?? []).sorted()
    }

    /// A file's permissions, `0o600` say; -1 where there is none.
    public func mode(of file: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + file)
        return (attributes?[.posixPermissions] as? Int) ?? -1
    }
}
