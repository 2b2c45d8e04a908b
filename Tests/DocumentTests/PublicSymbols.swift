import Foundation
import Testing

/// Every public declaration of these modules has a comment, because other packages build on them. The remaining modules
/// are for contributors.
@Suite struct PublicSymbols {
    @Test(arguments: [
        "ExamKit", "SessionFolders", "Study", "UploadQueue", "SessionUploads", "RecordingStores", "ExamNode",
        "ExamServer",
        "VoiceActivity",
        "PulseRoom", "AudioFiles",
        "HTTPClient",
        "SystemSupport",
    ])
    func areDocumented(module: String) async throws {
        let folder = NSTemporaryDirectory() + "oracy-symbols-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await Compiler().symbols(of: module, into: folder)
        let graph = try JSONDecoder().decode(
            SymbolGraph.self, from: Data(contentsOf: URL(filePath: "\(folder)/\(module).symbols.json")))
        #expect(graph.symbols.count > 5, "the compiler listed hardly any symbols")
        for symbol in graph.undocumented {
            Issue.record("\(symbol.place): \(symbol.pathComponents.joined(separator: ".")) says nothing")
        }
    }
}

/// The output of `swift-symbolgraph-extract`.
private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { var precise: String }
        struct Kind: Decodable { var identifier: String }
        struct Comment: Decodable {}
        struct Signature: Decodable {
            struct Parameter: Decodable { var name: String }
            var parameters: [Parameter]?
        }
        struct Location: Decodable {
            struct Position: Decodable { var line: Int }
            var uri: String
            var position: Position
        }

        var identifier: Identifier
        var kind: Kind
        var pathComponents: [String]
        var docComment: Comment?
        var functionSignature: Signature?
        var location: Location?

        /// The place in the form of compilers.
        var place: String {
            guard let location else { return "nowhere" }
            return
                "\(location.uri.replacing("file://", with: "").replacing(House.root + "/", with: "")):\(location.position.line + 1)"
        }

        var type: [String] { pathComponents.dropLast() }
    }

    var symbols: [Symbol]

    /// Symbols without a comment. An `init` that only takes its type's properties doesn't need one.
    var undocumented: [Symbol] {
        let properties = Dictionary(
            grouping: symbols.filter { $0.kind.identifier == "swift.property" }, by: \.type
        ).mapValues { Set($0.compactMap(\.pathComponents.last)) }
        return symbols.filter { symbol in
            guard symbol.docComment == nil else { return false }
            guard symbol.kind.identifier == "swift.init", let parameters = symbol.functionSignature?.parameters else {
                return true
            }
            return !Set(parameters.map(\.name)).isSubset(of: properties[symbol.type] ?? [])
        }
    }
}
