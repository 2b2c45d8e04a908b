import Crypto
import ExamNode
import Foundation
import Logging
import RecordingStores
import SystemSupport

/// Permission to PUT one object to this server, contained in an address signed by it. Used if recordings are in a
/// folder.
///
/// `<contents in Base64>.<HMAC-SHA256 of them>`: without the server's secret, tickets cannot be made or changed. A
/// ticket is valid until it expires, for one object that has not been stored yet, one media type and a maximum number
/// of bytes.
struct UploadTicket: Codable, Equatable, Sendable {
    var key: String
    var mediaType: String
    var byteLimit: Int
    /// The expiry in seconds since 1970.
    var end: Int

    func text(signedBy secret: UploadSecret) -> String { secret.signed(self) }

    /// Reads a ticket. Nil if it was not signed with this secret.
    init?(_ text: String, signedBy secret: UploadSecret) {
        guard let ticket = secret.opened(text, as: Self.self) else { return nil }
        self = ticket
    }

    init(key: AudioKey, mediaType: AudioMediaType, byteLimit: Int, end: Int) {
        self.key = key.text
        self.mediaType = mediaType.text
        self.byteLimit = byteLimit
        self.end = end
    }
}

/// The secret for signing: 32 random bytes in `<folder>/upload-secret`, created on first use. Only its owner can read
/// it.
struct UploadSecret: Sendable {
    private let key: SymmetricKey

    /// Reads or creates the secret. It accesses the disk.
    ///
    /// - Throws: `Problem.unwritable`.
    init(folder: String) throws(Problem) {
        let path = "\(folder)/upload-secret"
        if let bytes = try? PrivateFile.read(path), bytes.count == 32 {
            key = SymmetricKey(data: bytes)
            return
        }
        let fresh = SymmetricKey(size: .bits256)
        try PrivateFile.createFolder(folder)
        try PrivateFile.replace(path, with: fresh.withUnsafeBytes { Array($0) })
        key = fresh
    }

    /// Reads or creates the secret. Nil, with a line in the log, if it cannot be stored.
    init?(of services: Services) {
        do throws(Problem) {
            try self.init(folder: services.settings.folder)
        } catch {
            services.logger.error("addresses cannot be signed: \(error.sentence)")
            return nil
        }
    }

    /// Returns `<contents in Base64>.<code>`, which is suitable for an address.
    func signed(_ ticket: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON can always represent a ticket: it contains only strings and numbers.
        let what = (try? encoder.encode(ticket)).map(\.base64URL) ?? ""
        return "\(what).\(Data(code(of: what)).base64URL)"
    }

    /// Reads a signed value. Nil if it was not signed with this secret, or has another type.
    func opened<Ticket: Decodable>(_ text: String, as type: Ticket.Type) -> Ticket? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let code = Self.data(parts[1]), isCode(code, of: parts[0]),
            let what = Self.data(parts[0])
        else { return nil }
        return try? JSONDecoder().decode(type, from: what)
    }

    private func code(of text: String) -> [UInt8] {
        Array(HMAC<Crypto.SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    /// Compares in constant time.
    private func isCode(_ code: Data, of text: String) -> Bool {
        HMAC<Crypto.SHA256>.isValidAuthenticationCode(code, authenticating: Data(text.utf8), using: key)
    }

    private static func data(_ text: String) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
