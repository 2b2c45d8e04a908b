package import Foundation
import SystemSupport

/// An id in the form that clients write: 32 hexadecimal digits in groups, in either case (RFC 9562, section 4).
///
/// Foundation also accepts `-f` for two digits, which would give one id two spellings.
package struct WrittenID: Codable, Equatable, Sendable {
    package let id: UUID

    package init(_ id: UUID) {
        self.id = id
    }

    /// Reads an id. Nil if the text isn't one.
    package init?(_ text: some StringProtocol) {
        let form = /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/
        guard String(text).wholeMatch(of: form) != nil, let id = UUID(uuidString: String(text)) else { return nil }
        self.id = id
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let written = WrittenID(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "must be a UUID.")
        }
        self = written
    }

    package func encode(to encoder: any Encoder) throws { try LowercaseID(id).encode(to: encoder) }
}
