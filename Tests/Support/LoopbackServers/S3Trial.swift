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

    /// Why it cannot be had here, in one plain sentence; nil where it is installed.
    public static let obstacle =
        access(packageFolder + "/.build/trials/bin/swift-proxy-server", R_OK) == 0
        ? nil : "OpenStack Swift is not in .build/trials: make trials"

    /// Blocks until it answers: eight seconds, on a busy machine thirty.
    ///
    /// - Parameter largest: bytes an object may have.
    /// - Throws: `TrialServer.Failure` where it does not start.
    public init(largest: Int) throws {
        let python = packageFolder + "/.build/trials/bin/python"
        let script = packageFolder + "/Tests/Support/LoopbackServers/s3-server.py"
        server = try TrialServer("s3") { [python, script, $0, String(largest)] }
        endpoint = "http://127.0.0.1:\(server.word.dropFirst("ready ".count))"
    }
}
