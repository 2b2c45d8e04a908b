import ExamKit
import Foundation

/// What is wrong with a JSON body, for whoever sent it: which field, and never its value.
struct JSONFault {
    let message: String

    /// - Parameters:
    ///   - names: how a field is called in the body, by its name here.
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
            // A sentence of ours where a type refused a value; a date or a UUID that is none.
            let own = context.debugDescription.hasPrefix("must ") ? context.debugDescription : "cannot be read."
            message = "\(field(context.codingPath)): \(own)"
        default:
            // The decoder says of a number that is not whole, or too large, what it says of no JSON at all.
            guard let numbers = try? JSONDecoder().decodeForeign(OddNumbers.self, from: body) else {
                message = "The body is not JSON, or is nested too deeply."
                return
            }
            // Some fields may have a fraction: with more than one of them nobody knows which it was.
            message =
                numbers.paths.count == 1
                ? "\(field(numbers.paths[0])): must be a whole number, and not that large."
                : "The body has a fraction, or too large a number, where a whole number belongs."
        }
    }
}

/// Where numbers stand in a JSON value that no Int holds.
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
