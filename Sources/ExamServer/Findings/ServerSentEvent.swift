import Foundation

/// An event of a stream, as a browser's `EventSource` and its like read it (WHATWG HTML, 9.2).
struct ServerSentEvent: Equatable, Sendable {
    /// What a client that comes back says it has seen.
    var id: Int
    var name: String
    /// JSON on one line: it has no line break that is not escaped.
    var data: String

    init(_ id: Int, _ name: String, _ value: some Encodable) {
        self.id = id
        self.name = name
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, and numbers that a database has kept: JSON holds them.
        data = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    var text: String { "id: \(id)\nevent: \(name)\ndata: \(data)\n\n" }

    /// After how many milliseconds a client that lost its line comes back.
    static func retry(_ milliseconds: Int) -> String { "retry: \(milliseconds)\n\n" }

    /// Says nothing but that the line stands.
    static let stillHere = ": still here\n\n"
}
