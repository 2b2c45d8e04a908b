/// A form with a file in it: `multipart/form-data` (RFC 7578).
public struct MultipartForm: Equatable, Sendable {
    private var bytes: [UInt8] = []
    private let boundary: String

    /// - Parameter boundary: stands in no part; made of the parts' digest, so that the same form has the same bytes.
    public init(boundary: String) { self.boundary = boundary }

    /// Adds a field of text.
    public mutating func add(_ name: String, _ value: String) {
        bytes += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
    }

    /// - Parameters:
    ///   - fileName: without a quotation mark or a line break.
    public mutating func add(_ name: String, file: [UInt8], named fileName: String, mediaType: String) {
        let head =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n"
            + "Content-Type: \(mediaType)\r\n\r\n"
        bytes += Array(head.utf8) + file + [13, 10]
    }

    /// The header's value, with the boundary.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }
    /// All of it, its end included.
    public var body: [UInt8] { bytes + Array("--\(boundary)--\r\n".utf8) }
}
