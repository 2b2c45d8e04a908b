import BackendAPI
import Crypto
import Foundation
import RecordingStores

/// A client's description of a resumable upload: `Upload-Metadata` (tus 1.0.0, "Creation"), with names, and values in
/// Base64.
struct UploadMetadata: Equatable, Sendable {
    /// The session, and the id of the answer's upload in it.
    var session, answer: UUID
    var mediaType: AudioMediaType
    /// The SHA-256 of the whole recording, 64 digits in lower case. Nil if the client has not stated it.
    var sha256: String?

    /// Reads the field.
    ///
    /// - Throws: `APIProblem` that describes the missing or unreadable value.
    init(_ field: String) throws(APIProblem) {
        var values: [Substring: String] = [:]
        for pair in field.split(separator: ",", omittingEmptySubsequences: true) {
            let words = pair.split(separator: " ", omittingEmptySubsequences: true)
            guard let name = words.first, words.count <= 2, values[name] == nil,
                let value = Data(base64Encoded: String(words.count > 1 ? words[1] : "")),
                let text = String(data: value, encoding: .utf8)
            else { throw .malformed("Upload-Metadata cannot be read.") }
            values[name] = text
        }
        guard let session = values["session"].flatMap({ WrittenID($0)?.id }),
            let answer = values["answer"].flatMap({ WrittenID($0)?.id })
        else { throw .malformed("Upload-Metadata must have the ids of session and answer.") }
        guard let mediaType = (values["filetype"] ?? values["contentType"]).flatMap({ AudioMediaType($0) }) else {
            throw .notSound
        }
        if let sha256 = values["sha256"] {
            guard sha256.count == 64, sha256.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                throw .malformed("Upload-Metadata: sha256 must be 64 hexadecimal digits.")
            }
            self.sha256 = sha256.lowercased()
        }
        (self.session, self.answer, self.mediaType) = (session, answer, mediaType)
    }
}

/// The expected digest of a piece: `Upload-Checksum` (tus 1.0.0, "Checksum").
struct UploadChecksum: Sendable {
    let algorithm: any HashFunction & Sendable
    let bytes: [UInt8]

    /// The algorithms in the form of a server's list.
    static let algorithms = "sha256,sha1"

    /// Reads the field.
    ///
    /// - Throws: `APIProblem`, 400, for another algorithm or an invalid digest.
    init(_ field: String) throws(APIProblem) {
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, let digest = Data(base64Encoded: String(words[1])) else {
            throw .malformed("Upload-Checksum cannot be read.")
        }
        switch words[0] {
        case "sha256": algorithm = SHA256()
        case "sha1": algorithm = Insecure.SHA1()
        default: throw .malformed("Upload-Checksum: the supported algorithms are \(Self.algorithms).")
        }
        bytes = Array(digest)
    }
}
