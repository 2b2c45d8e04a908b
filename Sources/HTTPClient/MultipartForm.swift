/// A form that contains files: `multipart/form-data` (RFC 7578).
public struct MultipartForm: Equatable, Sendable {
    private var bytes: [UInt8] = []
    private let boundary: String

    /// - Parameter boundary: A text that occurs in no part, made of the parts' digest so that equal forms have equal
    ///   bytes.
    public init(boundary: String) { self.boundary = boundary }

    /// Adds a text field.
    public mutating func add(_ name: String, _ value: String) {
        bytes += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - fileName: A name without quotation marks and line breaks.
    public mutating func add(_ name: String, file: [UInt8], named fileName: String, mediaType: String) {
        let head =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n"
            + "Content-Type: \(mediaType)\r\n\r\n"
        bytes += Array(head.utf8) + file + [13, 10]
    }

    /// The value of the header, with the boundary.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }
    /// The complete form.
    public var body: [UInt8] { bytes + Array("--\(boundary)--\r\n".utf8) }
}
