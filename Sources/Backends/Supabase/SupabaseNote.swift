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
        /// The object was checked and is complete.
        case seen
        /// The server accepted the object, and the project's rules don't allow checking it.
        case unseen
        /// The object was checked and has the file's size. Its etag is not the digest of its bytes, although the bytes
        /// were sent twice and the server confirmed them both times.
        case sized
    }

    /// Whether it is certain that no row refers to the object: the project refused the row, and no earlier row was
    /// sent.
    var hasNoRow: Bool?

    init(place: String) {
        self.place = place
    }

    /// Reads a note. Creates an empty one if the text is not a note, or is a note about another place.
    ///
    /// - Parameter text: The result of `text`.
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
