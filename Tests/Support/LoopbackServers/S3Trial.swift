import Foundation
import Glibc

/// OpenStack Swift with its S3 API, from PyPI, on loopback: storage that does check signatures, dates and checksums. It lives as long as this
/// value.
public final class S3Trial: Sendable {
    public static let accessKey = "test:tester"
    public static let secret = "testing"
    public static let region = "us-east-1"

    /// `http://127.0.0.1:41234`
    public let endpoint: String
    private let server: TrialServer

    /// Blocks until it answers: eight seconds, on a busy machine thirty.
    ///
    /// - Parameter largest: bytes an object may have.
    /// - Returns: nil, and said so, where it cannot be had.
    public init?(largest: Int) {
        let python = packageFolder + "/.build/trials/bin/python"
        guard access(python, X_OK) == 0, access(packageFolder + "/.build/trials/bin/swift-proxy-server", R_OK) == 0
        else {
            print("SKIPPED: S3: OpenStack Swift is not in .build/trials; `make trials` puts it there")
            return nil
        }
        let script = packageFolder + "/Tests/Support/LoopbackServers/s3-server.py"
        guard let server = TrialServer("s3", { [python, script, $0, String(largest)] }) else { return nil }
        self.server = server
        endpoint = "http://127.0.0.1:\(server.word.dropFirst("ready ".count))"
    }
}
