import Foundation
import SystemSupport

/// What is kept of an answer's delivery from one attempt to the next: short, and about one destination.
struct SupabaseNote: Codable, Equatable {
    /// The destination: a changed one starts anew.
    let place: String
    /// Where a large file is being sent to, as the server put it.
    var location: String?
    /// The object is there; only the row is missing.
    var stored: Stored?

    enum Stored: String, Codable {
        /// It was looked at, and was whole.
        case seen
        /// The server took it, and the project's rules let nobody look.
        case unseen
        /// It was looked at and has the file's size; its etag is no digest of bytes that were confirmed twice.
        case sized
    }

    /// Whether it is known that no row names the object: the project refused it, and an earlier one was never sent.
    var hasNoRow: Bool?

    init(place: String) {
        self.place = place
    }

    /// - Parameter text: what `text` wrote; anything else, and notes about other places, count as none.
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
