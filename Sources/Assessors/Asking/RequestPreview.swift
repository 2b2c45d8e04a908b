import HTTPClient

/// A request as text for a person, without the key.
enum RequestPreview {
    private static let secret: Set = ["authorization", "ocp-apim-subscription-key"]

    /// Returns the text.
    ///
    /// - Parameter body: lines about the body. Nil for the body itself, which must be text.
    static func text(_ request: HTTPRequest, body: [String]? = nil) -> String {
        let headers = request.headers.map { header in
            "\(header.name): \(secret.contains(header.name.lowercased()) ? "(the key)" : header.value)"
        }
        var lines = ["\(request.method) \(request.url)"] + headers + [""]
        if let body {
            lines += body
        } else if case .bytes(let bytes) = request.body {
            lines.append(String(decoding: bytes, as: UTF8.self))
        }
        return lines.joined(separator: "\n")
    }
}
