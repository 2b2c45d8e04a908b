import SystemSupport

/// The contents of an installation. They are listed in `installed.json` in its folder, which is written last.
package struct Installation: Codable, Equatable, Sendable {
    package static let layoutVersion = 1

    package var version = Installation.layoutVersion
    /// The time at which it was made, in UTC.
    package var at: String
    /// The origin of its files: "PyPI", "huggingface.co", or a folder.
    package var source: String
    package var parts: [Part]

    /// A part with its files.
    package struct Part: Codable, Equatable, Sendable {
        package var name: String
        /// The packages that it was made of: names, versions and licences.
        package var origins: [Origin]
        package var files: [File]
    }

    /// A package or model that a part was made of.
    package struct Origin: Codable, Equatable, Sendable {
        package var title, licence, sha256: String
    }

    /// A file of the installation.
    package struct File: Codable, Equatable, Sendable {
        /// The path in the installation's folder.
        package var path: String
        package var byteCount: Int
        package var sha256: String
    }

    /// Returns the part with a name. Nil if it isn't installed.
    package subscript(part: String) -> Part? { parts.first { $0.name == part } }

    package var byteCount: Int { parts.flatMap(\.files).reduce(0) { $0 + $1.byteCount } }

    /// Reads the list in a folder. Returns nil if nothing is installed there, or if some of its files are missing.
    package static func find(in folder: String) -> Installation? {
        guard let bytes = try? PrivateFile.read("\(folder)/installed.json"),
            let list = try? JSONFile.decodeLine(Installation.self, from: bytes), list.version == layoutVersion
        else { return nil }
        let isWhole = list.parts.flatMap(\.files).allSatisfy {
            FileFacts(at: "\(folder)/\($0.path)")?.byteCount == $0.byteCount
        }
        return isWhole ? list : nil
    }

    /// Returns the first file whose content has changed since it was installed; nil if there is none. Reads all files.
    package func damage(in folder: String) -> String? {
        parts.flatMap(\.files).first { file in
            (try? PrivateFile.digest("\(folder)/\(file.path)").sha256) != file.sha256
        }?.path
    }
}
