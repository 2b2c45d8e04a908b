import Foundation
import HTTPTypes
import Hummingbird
import SystemSupport

/// A JSON answer. The same value gives the same bytes.
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
    /// - Throws: `APIProblem`: 415, 413, and 400 with the missing or mistyped field but never its value.
    func json<Value: Decodable>(_ type: Value.Type, _ context: ServerContext) async throws -> Value {
        try Self.decoded(type, from: await jsonText(context))
    }

    /// Reads the bytes of a body that must be labelled as JSON.
    ///
    /// - Throws: `APIProblem`: 415, 413, or 400 if the connection breaks.
    func jsonText(_ context: ServerContext) async throws(APIProblem) -> Data {
        let kind = headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard kind == "application/json" else {
            throw APIProblem(
                .unsupportedMediaType, "media-type", "Wrong type", "This address takes application/json.")
        }
        return try await jsonBody(context)
    }

    /// Decodes a JSON body.
    ///
    /// - Throws: `APIProblem` 400 with the missing or mistyped field but never its value.
    static func decoded<Value: Decodable>(_ type: Value.Type, from body: Data) throws(APIProblem) -> Value {
        do {
            return try JSONDecoder().decodeForeign(type, from: body)
        } catch let error as DecodingError {
            throw .malformed(JSONFault(error, in: body).message)
        } catch {
            throw .malformed("The body is not JSON.")
        }
    }

    /// Reads the bytes of a JSON body. If its stated length is too large, nothing is read.
    ///
    /// - Throws: `APIProblem`: 413, or 400 if the connection breaks.
    func jsonBody(_ context: ServerContext) async throws(APIProblem) -> Data {
        let most = context.maxUploadSize
        let tooLong = APIProblem(
            .contentTooLarge, "too-large", "Too large", "The body can have at most \(most >> 10) KiB.")
        guard headers[.contentLength].flatMap({ Int($0) }) ?? 0 <= most else { throw tooLong }
        do {
            return Data(try await body.collect(upTo: most).readableBytesView)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw tooLong
        } catch {
            throw .malformed("The connection broke before the end of the body.")
        }
    }
}
