import Foundation
import HTTPClient
import SystemSupport

/// JSON to and from models.
enum ModelJSON {
    /// With its keys in order: the same question has the same bytes.
    static func bytes(_ object: [String: Any]) -> [UInt8] {
        // Texts, numbers, lists and objects: what JSON can hold.
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
