import Foundation
import SystemSupport

/// The state of an answer's delivery between two attempts. It is short, and applies to one destination.
struct SupabaseNote: Codable, Equatable {
    /// The destination. After a change of it, delivery starts anew.
    let place: String
    /// The place to which a large file is being sent, in the server's form.
    var location: String?
    /// Set if the object is there and only the row is missing.
    var stored: Stored?

    enum Stored: String, Codable {
        /// It was checked and is complete.
        case seen
        /// The server accepted it, and the project's rules don't allow checking it.
        case unseen
        /// It was checked and has the file's size. Its etag differs from the digest of bytes that the server confirmed
        /// twice.
        case sized
    }

    /// Whether it is certain that no row names the object: the project refused the row, and no earlier row was sent.
    var hasNoRow: Bool?

    init(place: String) {
        self.place = place
    }

    /// - Parameter text: The result of `text`. Any other text, and a note about another place, counts as no note.
    init(_ text: String?, place: String) {
        let found = text.flatMap { try? JSONDecoder().decodeForeign(SupabaseNote.self, from: Data($0.utf8)) }
        self = found?.place == place ? found! : SupabaseNote(place: place)
    }

    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
