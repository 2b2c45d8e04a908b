public import Foundation
public import HTTPClient

/// One request from a service's point of view.
struct StandInCall {
    var request: HTTPRequest
    /// The path after the host, with percent signs decoded.
    var path: String
    /// The decoded parameters in order.
    var query: [(name: String, value: String)]
    var body: [UInt8]
    /// The server's clock in seconds since 1970.
    var now: Int

    var method: String { request.method }
    subscript(header: String) -> String? { request[header] }
    var fields: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }

    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    var bearer: String? {
        self["Authorization"].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    }

    /// The preferences `return=minimal,resolution=…` by name.
    var preferences: [String: String] {
        let all = request.headers.filter { $0.name.lowercased() == "prefer" }.flatMap { $0.value.split(separator: ",") }
        let pairs = all.map { $0.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpaces } }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }
}

extension String {
    var trimmingSpaces: String { trimmingCharacters(in: .whitespaces) }
}

extension HTTPRequest {
    public subscript(name: String) -> String? {
        headers.last { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The method and the path: `POST /rest/v1/responses`.
    public var line: String { "\(method) \(url.replacing(StandInProject.url, with: ""))" }
}

extension HTTPResponse {
    public static func json(_ status: Int, _ body: Any, headers: [String: String] = [:]) -> HTTPResponse {
        let data = (try? JSONSerialization.data(withJSONObject: body, options: .sortedKeys)) ?? Data()
        return json(status, bytes: Array(data), headers: headers)
    }

    static func json(_ status: Int, bytes: [UInt8], headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: headers.merging(["content-type": "application/json; charset=utf-8"]) { own, _ in own },
            body: bytes)
    }

    public static func text(_ status: Int, _ words: String = "", headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(words.utf8))
    }
}

extension HTTPDate {
    /// The date in the form that servers write: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var imf: String {
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = TimeZone(identifier: "GMT")
        form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return form.string(from: Date(timeIntervalSince1970: Double(secondsSince1970)))
    }
}

extension Data {
    public var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    init?(base64URL text: String) {
        let text = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }
}
