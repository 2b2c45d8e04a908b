import Foundation
import SystemSupport

/// The fields of a destination's file, with error messages for the person who wrote it.
struct DestinationFields {
    enum Kind: String, CaseIterable {
        case folder, backend, supabase, signedURL

        /// The fields that it must or may have.
        var names: [String] {
            switch self {
            case .folder: ["path"]
            case .backend: ["url", "account"]
            case .supabase: ["url", "key", "template", "email"]
            case .signedURL: ["url", "user", "template"]
            }
        }
    }

    enum Value: Decodable {
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            self = (try? decoder.singleValueContainer().decode(String.self)).map(Value.text) ?? .other
        }
    }

    let kind: Kind
    private let values: [String: Value]

    /// - Throws: `Problem.malformed`: an unknown kind, or a field that the kind does not have, so that a misspelt field
    ///   isn't taken for an absent one.
    init(_ values: [String: Value]) throws(Problem) {
        self.values = values
        let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        switch values["kind"] {
        case .text(let name):
            guard let kind = Kind(rawValue: name) else {
                throw Problem(.malformed, "kind: \(name) is not known; it should be one of \(kinds)")
            }
            self.kind = kind
        case nil: throw Problem(.malformed, "kind: is missing; it should be one of \(kinds)")
        case .other: throw Problem(.malformed, "kind: should be text, one of \(kinds)")
        }
        for name in values.keys.sorted() where name != "kind" && !kind.names.contains(name) {
            let secret = ["token", "password", "secret", "service_role"].contains(name)
            throw Problem(
                .malformed,
                "\(name): is not a field of a \(kind.rawValue) destination"
                    + (secret
                        ? "; secrets belong in the credentials' file"
                        : "; its fields are \(kind.names.joined(separator: ", "))"))
        }
    }

    /// - Parameter absent: The value for a field that is missing or empty; nil if the field is required.
    func text(_ name: String, orElse absent: String? = nil) throws(Problem) -> String {
        switch values[name] {
        case .text("") where absent != nil, nil where absent != nil:
            return absent ?? ""
        case .text(let text):
            guard text.contains(where: { !$0.isWhitespace }) else { throw Problem(.malformed, "\(name): is empty") }
            guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
                throw Problem(.malformed, "\(name): contains a line break or a control character")
            }
            return text
        case nil: throw Problem(.malformed, "\(name): is missing")
        case .other: throw Problem(.malformed, "\(name): should be text")
        }
    }

    func path(_ name: String) throws(Problem) -> String {
        let path = try text(name)
        guard path.hasPrefix("/") else {
            throw Problem(
                .malformed, "\(name): \(path) should begin with a slash, because the queue also runs in other folders")
        }
        return path
    }

    func url(_ name: String) throws(Problem) -> String {
        let url = try text(name)
        if let mistake = ServerURL.mistake(inBase: url) { throw Problem(.malformed, "\(name): \(mistake)") }
        return url
    }
}
