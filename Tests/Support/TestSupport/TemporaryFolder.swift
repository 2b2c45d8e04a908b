import Foundation

/// A folder that is removed when the last reference is released.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "oracy-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a new file with these bytes.
    ///
    /// - Returns: The path.
    public func file(_ bytes: [UInt8]) throws -> String {
        let path = "\(path)/\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// Returns the names in it, or in a subfolder, sorted.
    public func names(in folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + folder)) ?? []).sorted()
    }

    /// Returns a file's permissions, such as `0o600`; -1 if it doesn't exist.
    public func mode(of file: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + file)
        return (attributes?[.posixPermissions] as? Int) ?? -1
    }
}
