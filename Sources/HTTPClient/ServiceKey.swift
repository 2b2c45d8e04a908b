import Foundation
package import SystemSupport

/// The place of a key. Settings never contain the key itself.
public struct ServiceKey: Codable, Equatable, Sendable {
    /// A file that contains the key and nothing else.
    public var file: String?
    /// An environment variable.
    public var environment: String?

    public init(file: String? = nil, environment: String? = nil) {
        self.file = file
        self.environment = environment
    }
}

extension ServiceKey {
    /// - Throws: `Problem`: `missing` if there is no key; `malformed` if it is invalid.
    package func read(for id: String, in folder: String) throws(Problem) -> String {
        let text: String
        let place: String
        if let file {
            place = file.path(in: folder)
            text = String(decoding: try PrivateFile.read(place), as: UTF8.self)
        } else {
            place = environment ?? ""
            guard let value = UserFolders.environment(place) else {
                throw Problem(.missing, "\(id): its key is not in the environment: set \(place)")
            }
            text = value
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        // A line break would begin another header.
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw Problem(.malformed, "\(place): holds no key: one word of letters, digits and signs")
        }
        return key
    }
}
