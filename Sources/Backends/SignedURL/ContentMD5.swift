import Foundation
import SystemSupport
import UploadQueue

extension UploadFile {
    /// The header's value (RFC 1864), of which S3 makes sure before it stores anything; nil where this machine refuses MD5.
    ///
    /// - Throws: `fileMissing`; `fileAltered`: read on the way, since all of it is read here anyhow; `cancelled`.
    func contentMD5() async throws(DeliveryFailure) -> String? {
        try await runBlocking { check throws(DeliveryFailure) in
            guard var digest = MD5() else {
                try forEachChunk(check) { _ throws(DeliveryFailure) in }
                return nil
            }
            try forEachChunk(check) { chunk throws(DeliveryFailure) in
                chunk.withUnsafeBytes { digest.update($0) }
            }
            return Data(digest.bytes()).base64EncodedString()
        }
    }
}
