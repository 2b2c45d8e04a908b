import Foundation
import SystemSupport

/// The problem in a JSON body, for the client: names the field but never its value.
struct JSONFault {
    let message: String

    /// Describes a decoding error.
    ///
    /// - Parameters:
    ///   - names: returns a field's name in the body for its name in the program.
    init(_ error: DecodingError, in body: Data, names: (String) -> String = { $0 }) {
        func field(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
            (path + (last.map { [$0] } ?? [])).map { key in
                key.intValue.map { "[\($0)]" } ?? ".\(names(key.stringValue).prefix(60))"
            }.joined().drop { $0 == "." }.description
        }
        func sentence(_ path: [any CodingKey], _ what: String) -> String {
            path.isEmpty ? "The body \(what)" : "\(field(path)): \(what)"
        }
        switch error {
        case .keyNotFound(let key, let context): message = "\(field(context.codingPath, key)): is missing."
        case .valueNotFound(_, let context): message = sentence(context.codingPath, "must not be null.")
        case .typeMismatch(_, let context):
            message = sentence(context.codingPath, "is of the wrong type.")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            // If one of Oracy's types refused a value, the sentence is Oracy's own. Otherwise a date or UUID is
            // invalid.
            let own = context.debugDescription.hasPrefix("must ") ? context.debugDescription : "cannot be read."
            message = "\(field(context.codingPath)): \(own)"
        default:
            // For numbers that are fractions or too large, the decoder reports the same error as for invalid JSON.
            guard let numbers = try? JSONDecoder().decodeForeign(OddNumbers.self, from: body) else {
                message = "The body is not JSON, or is nested too deeply."
                return
            }
            // Some fields may have fractions. If there are several such numbers, the wrong one cannot be identified.
            message =
                numbers.paths.count == 1
                ? "\(field(numbers.paths[0])): must be a whole number, and not that large."
                : "A field of the body must be a whole number, but has a fraction or is too large."
        }
    }
}

/// The places of numbers in a JSON value that do not fit into an Int.
private struct OddNumbers: Decodable {
    var paths: [[any CodingKey]] = []

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let fields = try? decoder.container(keyedBy: Name.self) {
            for name in fields.allKeys { paths += try fields.decode(OddNumbers.self, forKey: name).paths }
        } else if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { paths += try list.decode(OddNumbers.self).paths }
        } else {
            let value = try decoder.singleValueContainer()
            let isOther =
                value.decodeNil() || (try? value.decode(Bool.self)) != nil || (try? value.decode(String.self)) != nil
            if !isOther, (try? value.decode(Int.self)) == nil { paths = [decoder.codingPath] }
        }
    }
}
