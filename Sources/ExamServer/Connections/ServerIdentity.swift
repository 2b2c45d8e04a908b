import HummingbirdCore
import HummingbirdTLS
import NIOSSL
import SystemSupport

/// The certificate with which a server proves to browsers who it is, and the certificate's key, both in PEM.
public struct ServerIdentity: Sendable {
    var certificate, key: String

    /// Creates an identity from a certificate, followed by its chain, and its key.
    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

    /// Returns a channel for encrypted connections (TLS 1.2 or later) around one for plain connections.
    ///
    /// - Throws: `Problem.malformed` if certificate or key are invalid.
    func encrypted(_ channel: HTTPServerBuilder) throws -> HTTPServerBuilder {
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            return try .tls(channel, tlsConfiguration: configuration)
        } catch {
            throw Problem(.malformed, "the server's certificate or its key is invalid")
        }
    }
}
