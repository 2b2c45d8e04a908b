import Foundation

/// An event of a stream, in the format for a browser's `EventSource` (WHATWG HTML, 9.2).
struct ServerSentEvent: Equatable, Sendable {
    /// The id that a reconnecting client reports as the last one it has seen.
    var id: Int
    var name: String
    /// JSON on one line: line breaks in it are escaped.
    var data: String

    init(_ id: Int, _ name: String, _ value: some Encodable) {
        self.id = id
        self.name = name
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding never fails: all values are texts, or numbers from the database.
        data = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    var text: String { "id: \(id)\nevent: \(name)\ndata: \(data)\n\n" }

    /// Returns the line that sets a client's delay before reconnecting, in milliseconds.
    static func retry(_ milliseconds: Int) -> String { "retry: \(milliseconds)\n\n" }

    /// A comment that keeps the connection alive.
    static let stillHere = ": still here\n\n"
}
