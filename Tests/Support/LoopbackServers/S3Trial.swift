import Foundation
import Glibc

/// A storage server on loopback that checks signatures, dates and checksums: OpenStack Swift, from PyPI, with its S3
/// API. It runs as long as this object exists.
public final class S3Trial: Sendable {
    public static let accessKey = "test:tester"
    public static let secret = "testing"
    public static let region = "us-east-1"

    /// For example `http://127.0.0.1:41234`.
    public let endpoint: String
    private let server: TrialServer

    /// The reason why it can't run here, in one plain sentence; nil if it is installed.
    public static let obstacle =
        access(packageFolder + "/.build/trials/bin/swift-proxy-server", R_OK) == 0
        ? nil : "OpenStack Swift is not in .build/trials: make trials"

    /// Starts the storage and blocks until it answers: eight seconds, or thirty on a busy machine.
    ///
    /// - Parameter largest: The limit for the size of an object, in bytes.
    /// - Throws: `TrialServer.Failure` if it does not start.
    public init(largest: Int) throws {
        let python = packageFolder + "/.build/trials/bin/python"
        let script = packageFolder + "/Tests/Support/LoopbackServers/s3-server.py"
        server = try TrialServer("s3") { [python, script, $0, String(largest)] }
        endpoint = "http://127.0.0.1:\(server.word.dropFirst("ready ".count))"
    }
}
