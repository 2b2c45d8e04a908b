import Foundation
import HTTPTypes
import Hummingbird

/// A JSON answer: the same bytes for the same value.
struct Answer<Value: Encodable & Sendable>: ResponseGenerator {
    var value: Value
    var status: HTTPResponse.Status
    var headers: HTTPFields

    init(_ value: Value, _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        self.value = value
        self.status = status
        self.headers = headers
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }
}

extension Request {
    /// Reads a JSON body.
    ///
    /// - Throws: `APIProblem`: 415, 413, and 400 with the field that is missing or of the wrong kind; never its value.
    func json<Value: Decodable>(_ type: Value.Type, _ context: ServerContext) async throws -> Value {
        let kind = headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard kind == "application/json" else {
            throw APIProblem(
                .unsupportedMediaType, "media-type", "Not this kind", "This address takes application/json.")
        }
        let bytes = try await body.collect(upTo: context.maxUploadSize)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes.readableBytesView))
        } catch let error as DecodingError {
            throw APIProblem.malformed(Self.words(error))
        }
    }

    private static func words(_ error: DecodingError) -> String {
        func field(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
            (path + (last.map { [$0] } ?? [])).map { key in
                key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue.prefix(60))"
            }.joined().drop { $0 == "." }.description
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(field(context.codingPath, key)): is missing."
        case .valueNotFound(_, let context): return "\(field(context.codingPath)): must not be null."
        case .typeMismatch(_, let context): return "\(field(context.codingPath)): is of another kind than it should be."
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            // A sentence of ours where a type refused a value; a date or a UUID that is none.
            let own = context.debugDescription.hasPrefix("must ") ? context.debugDescription : "cannot be read."
            return "\(field(context.codingPath)): \(own)"
        default: return "The body is not JSON."
        }
    }
}
