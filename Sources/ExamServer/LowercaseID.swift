import Foundation

/// An id as answers have it: in lower case (RFC 9562), where Foundation writes capitals.
struct LowercaseID: Encodable, Sendable {
    private let id: UUID

    init(_ id: UUID) {
        self.id = id
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id.name)
    }
}
