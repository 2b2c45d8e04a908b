import Crypto
import ExamKit
import Foundation
import Logging

/// Leave to PUT one object here, in an address that this server signs itself, where recordings lie in a folder (C14).
///
/// `<what, in Base64>.<HMAC-SHA256 of it>`: nobody can make or change one without the server's secret. It is good for one object that has not
/// been stored yet, until it runs out, and for bytes of one type up to a number.
struct UploadTicket: Codable, Equatable, Sendable {
    var key: String
    var mediaType: String
    var byteLimit: Int
    /// Seconds since 1970.
    var end: Int

    func text(signedBy secret: UploadSecret) -> String { secret.signed(self) }

    /// nil where it was not signed with this secret.
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

/// What a server signs with: 32 random bytes in `<folder>/upload-secret`, made when they are first needed, readable for their owner only.
struct UploadSecret: Sendable {
    private let key: SymmetricKey

    /// - Throws: `Problem.unwritable`. It touches the disk.
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

    /// nil, with a line in the log, where it cannot be kept.
    init?(of services: Services) {
        do throws(Problem) {
            try self.init(folder: services.settings.folder)
        } catch {
            services.logger.error("addresses cannot be signed: \(error.sentence)")
            return nil
        }
    }

    /// `<what, in Base64>.<its code>`: fit for an address.
    func signed(_ ticket: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and numbers: always JSON.
        let what = (try? encoder.encode(ticket)).map(Self.plain) ?? ""
        return "\(what).\(Self.plain(Data(code(of: what))))"
    }

    /// nil where it was not signed with this secret, or is no such ticket.
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

    /// Compares in the same time, however much is right.
    private func isCode(_ code: Data, of text: String) -> Bool {
        HMAC<Crypto.SHA256>.isValidAuthenticationCode(code, authenticating: Data(text.utf8), using: key)
    }

    /// Base64 without what an address would have to escape (RFC 4648, section 5).
    private static func plain(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ text: String) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
