import Crypto
import ExamServer
import Foundation
import SwiftASN1
import SystemSupport
import X509

/// The authority of one computer, which vouches for its class server on the local network. It is made once.
///
/// It can vouch only for addresses in private networks and names in `.local`, so that a thief of its key cannot
/// impersonate a web site.
struct LocalAuthority {
    /// The path of the authority's certificate, which people may install on their devices.
    let certificatePath: String
    private let certificate: Certificate
    private let key: P256.Signing.PrivateKey

    /// Reads the authority in a folder, or makes it.
    ///
    /// - Throws: `Problem`: `unwritable`, `malformed` if its files are damaged.
    init(folder: String, now: Date = Date()) throws {
        certificatePath = folder + "/authority.pem"
        let keyPath = folder + "/authority-key.pem"
        if let kept = try? PrivateFile.read(certificatePath), let keptKey = try? PrivateFile.read(keyPath) {
            do {
                certificate = try Certificate(pemEncoded: String(decoding: kept, as: UTF8.self))
                key = try P256.Signing.PrivateKey(pemRepresentation: String(decoding: keptKey, as: UTF8.self))
            } catch {
                throw Problem(
                    .malformed, "\(certificatePath): is damaged; remove it with \(keyPath), and start again")
            }
            return
        }
        let fresh = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Oracy on \(Self.hostName)") }
        certificate = try Self.signed(
            fresh.publicKey, of: name, by: name, with: fresh, from: now, days: 3_650,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                Critical(Self.constraints)
                SubjectKeyIdentifier(hash: Certificate.PublicKey(fresh.publicKey))
            })
        key = fresh
        try PrivateFile.createFolder(folder)
        try PrivateFile.replace(keyPath, with: Array(key.pemRepresentation.utf8))
        try PrivateFile.replace(certificatePath, with: Array(try certificate.serializeAsPEM().pemString.utf8))
    }

    /// Makes a certificate for this computer's addresses, which may differ at each start.
    ///
    /// - Parameter addresses: IPv4 addresses.
    func identity(for addresses: [String], now: Date = Date()) throws -> ServerIdentity {
        let serverKey = P256.Signing.PrivateKey()
        // An address that the authority may not vouch for is left out: it would make the whole certificate invalid.
        let known = (["127.0.0.1"] + addresses).compactMap(Self.bytes).filter { bytes in
            Self.networks.contains { $0.contains(bytes) }
        }
        let names: [GeneralName] =
            [.dnsName("localhost"), .dnsName(Self.hostName + ".local")]
            + known.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let made = try Self.signed(
            serverKey.publicKey, of: DistinguishedName { CommonName("Oracy class") }, by: certificate.subject,
            with: key, from: now, days: 90,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey)).keyIdentifier)
            })
        return ServerIdentity(
            certificate: try made.serializeAsPEM().pemString, key: serverKey.pemRepresentation)
    }

    /// The name of this computer without its domain.
    static var hostName: String {
        let name = ProcessInfo.processInfo.hostName.prefix { $0 != "." }.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
        return name.isEmpty ? "oracy" : String(name)
    }

    private static func signed(
        _ publicKey: P256.Signing.PublicKey, of subject: DistinguishedName, by issuer: DistinguishedName,
        with key: P256.Signing.PrivateKey, from now: Date, days: Double, extensions: Certificate.Extensions
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(publicKey),
            // Clocks of phones may be behind.
            notValidBefore: now - 86_400, notValidAfter: now + days * 86_400, issuer: issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: .init(key))
    }

    /// A network of IPv4 addresses.
    private struct Network {
        var start, mask: [UInt8]

        func contains(_ address: [UInt8]) -> Bool { zip(address, mask).map { $0 & $1 } == start }
    }

    /// Private networks (RFC 1918), link-local addresses, and this machine.
    private static let networks = [
        Network(start: [10, 0, 0, 0], mask: [255, 0, 0, 0]), Network(start: [172, 16, 0, 0], mask: [255, 240, 0, 0]),
        Network(start: [192, 168, 0, 0], mask: [255, 255, 0, 0]),
        Network(start: [169, 254, 0, 0], mask: [255, 255, 0, 0]),
        Network(start: [127, 0, 0, 0], mask: [255, 0, 0, 0]),
    ]

    private static var constraints: NameConstraints {
        NameConstraints(
            permittedSubtrees: [.dnsName("local"), .dnsName("localhost")]
                + networks.map { .ipAddress(ASN1OctetString(contentBytes: ($0.start + $0.mask)[...])) })
    }

    /// Returns the four bytes of an IPv4 address.
    private static func bytes(of address: String) -> [UInt8]? {
        var bytes = in_addr()
        guard inet_pton(AF_INET, address, &bytes) == 1 else { return nil }
        return withUnsafeBytes(of: &bytes) { Array($0) }
    }
}
