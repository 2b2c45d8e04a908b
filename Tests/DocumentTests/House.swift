import Foundation

/// The files of the package to which these tests belong.
enum House {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The documents, by path from the root.
    static let documents: [String] =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "PROTOCOL.md", "AudioFixtures/README.md"]
        + files(under: "docs", ending: ".md")

    static func text(_ path: String) throws -> String { try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }

    static func files(under folder: String, ending suffix: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }
}
