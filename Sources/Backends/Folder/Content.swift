import SystemSupport
import UploadQueue

/// The content of a file in a destination: a recording on this machine, or a few lines of JSON.
enum Content {
    case bytes([UInt8])
    /// - Parameter sent: Called with the number of bytes handed on so far.
    case file(UploadFile, sent: @Sendable (Int) -> Void)

    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file, _): file.byteCount
        }
    }

    /// The digest as 64 digits in lower case.
    var sha256: String {
        switch self {
        case .bytes(let bytes): SHA256.hexadecimal(of: bytes)
        case .file(let file, _): file.sha256.lowercased()
        }
    }

    /// Passes on the whole content, piece by piece.
    ///
    /// - Throws: `fileMissing`; `fileAltered`, after the last piece, if the recording has changed.
    func forEachChunk(
        _ check: () throws(DeliveryFailure) -> Void, _ body: ([UInt8]) throws(DeliveryFailure) -> Void
    ) throws(DeliveryFailure) {
        switch self {
        case .bytes(let bytes):
            try body(bytes)
        case .file(let file, let sent):
            var done = 0
            try file.forEachChunk(check) { chunk throws(DeliveryFailure) in
                try body(chunk)
                done += chunk.count
                sent(done)
            }
        }
    }
}
