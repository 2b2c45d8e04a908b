import Foundation
import HTTPClient
import SystemSupport

/// Encodes and decodes JSON for models.
enum ModelJSON {
    /// Returns the object with its keys in order, so that the same prompt has the same bytes.
    static func bytes(_ object: [String: Any]) -> [UInt8] {
        // Cannot fail: the object contains only texts, numbers, lists and objects.
        Array(
            (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]))
                ?? Data())
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ response: HTTPResponse) -> Value? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decodeForeign(type, from: Data(response.body))
    }
}
