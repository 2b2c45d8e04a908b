package import FoundationEssentials

extension UUID {
    /// In lower case, as RFC 9562 writes them, where Foundation writes capitals: what files, addresses and rows have.
    package var name: String { uuidString.lowercased() }
}

/// An id as answers have it: in lower case (RFC 9562), where Foundation writes capitals.
package struct LowercaseID: Encodable, Sendable {
    private let id: UUID

    package init(_ id: UUID) {
        self.id = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id.name)
    }
}
