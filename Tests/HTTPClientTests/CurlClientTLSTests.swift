import Foundation
import HTTPClient
import Synchronization
import Testing

/// The certificates that the client trusts. The server is OpenSSL's, with certificates made for the test.
extension CurlClientTests {
    @Test func aCertificateOfAnUnknownAuthorityIsNotTrusted() async throws {
        let server = try SecureServer(for: "IP:127.0.0.1")
        let failure = try #require(await problem(of: client, HTTPRequest("GET", server.url)))
        #expect(failure.kind == .untrusted)
        #expect(failure.sentence.hasPrefix("the certificate of \(server.url) is not trusted: SSL certificate problem"))
    }

    @Test func anAuthorityThatIsNamedIsTrusted() async throws {
        let server = try SecureServer(for: "IP:127.0.0.1")
        let client = CurlClient(certificates: server.certificate)
        #expect(try await client.exchange(HTTPRequest("GET", server.url), limits: .patient).status == 200)
    }

    @Test func aCertificateOfAnotherHostIsNotTrusted() async throws {
        let server = try SecureServer(for: "DNS:elsewhere.example")
        let client = CurlClient(certificates: server.certificate)
        let failure = try #require(await problem(of: client, HTTPRequest("GET", server.url)))
        #expect(failure.kind == .untrusted)
    }

    @Test func anotherAuthorityIsNotThisOne() async throws {
        let server = try SecureServer(for: "IP:127.0.0.1")
        let other = try SecureServer(for: "IP:127.0.0.1")
        let client = CurlClient(certificates: other.certificate)
        #expect(await problem(of: client, HTTPRequest("GET", server.url))?.kind == .untrusted)
    }

    @Test func unreadableAuthoritiesTrustNoServer() async throws {
        let server = try SecureServer(for: "IP:127.0.0.1")
        let client = CurlClient(certificates: server.certificate + ".none")
        #expect(await problem(of: client, HTTPRequest("GET", server.url))?.kind == .untrusted)
    }

    /// Each is a process that ends at another moment. Before `ProgramExit`, one in ten ended with a signal.
    @Test func aProgramMayEndInTheMiddleOfExchanges() async throws {
        let server = try SecureServer(for: "IP:127.0.0.1")
        let (url, certificate) = (server.url, server.certificate)
        for round in 0..<30 {
            await #expect(processExitsWith: .success) {
                [url = url as String, certificate = certificate as String, round = round as Int] in
                let client = CurlClient(certificates: certificate)
                _ = try await client.exchange(HTTPRequest("GET", url))
                for _ in 0..<20 {
                    Task { while true { _ = try? await client.exchange(HTTPRequest("GET", url)) } }
                }
                usleep(20_000 + UInt32(round) * 3000)
                exit(0)
            }
        }
    }
}

/// `openssl s_server` on a free port of 127.0.0.1 with a self-signed certificate. It ends with this object.
final class SecureServer {
    let url: String
    /// The path of the certificate.
    let certificate: String
    private let process = Process()
    private let den = try! Den()

    /// - Parameter name: For example `IP:127.0.0.1` or `DNS:host`.
    init(for name: String) throws {
        certificate = "\(den.path)/certificate.pem"
        let key = "\(den.path)/key.pem"
        let maker = Process()
        maker.executableURL = URL(filePath: "/usr/bin/openssl")
        maker.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
            "-out", certificate, "-days", "2", "-subj", "/CN=oracy", "-addext", "subjectAltName=\(name)",
        ]
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        try #require(maker.terminationStatus == 0)

        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate, "-key", key]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // The line has the form `ACCEPT 127.0.0.1:36481`.
        var words = ""
        while !words.contains("ACCEPT") || !words.hasSuffix("\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "openssl s_server did not begin")
            words += String(decoding: more, as: UTF8.self)
        }
        let line = try #require(words.split(separator: "\n").first { $0.hasPrefix("ACCEPT") })
        url = "https://127.0.0.1:\(line.split(separator: ":").last!)"
    }

    deinit {
        // SIGTERM would not work: a child inherits the signal mask of its parent's thread, and tasks' threads block
        // nearly all signals.
        kill(process.processIdentifier, SIGKILL)
    }
}
