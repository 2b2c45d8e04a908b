package import FoundationEssentials

extension UUID {
    /// The id in lower case, as RFC 9562 writes it and as files, addresses and rows contain it. Foundation writes
    /// capitals.
    package var name: String { uuidString.lowercased() }
}

/// An id that encodes in lower case (RFC 9562). Foundation would write capitals.
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
