import Foundation
import SystemSupport
import UploadQueue

extension UploadFile {
    /// Returns the value of the header (RFC 1864), which S3 verifies before it stores anything; nil if this machine
    /// refuses MD5.
    ///
    /// - Throws: `fileMissing`; `fileAltered`, since this reads the whole file anyway; `cancelled`.
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
