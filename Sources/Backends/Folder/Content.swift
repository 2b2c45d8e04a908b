import SystemSupport
import UploadQueue

/// What a file in a destination is to be: a recording on this machine, or a few lines of JSON.
enum Content {
    case bytes([UInt8])
    /// - Parameter sent: told how many bytes have been handed on.
    case file(UploadFile, sent: @Sendable (Int) -> Void)

    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file, _): file.byteCount
        }
    }

    /// 64 digits, lower case.
    var sha256: String {
        switch self {
        case .bytes(let bytes): SHA256.hexadecimal(of: bytes)
        case .file(let file, _): file.sha256.lowercased()
        }
    }

    /// Hands out all of it, piece by piece.
    ///
    /// - Throws: `fileMissing`; `fileAltered`, after the last piece, where the recording is not what it was.
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
