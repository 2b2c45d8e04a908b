import Foundation
public import SystemSupport

/// The user's choice of a place for a session's uploads, as stored in a file. It contains settings only, no secrets.
///
///     {"kind": "folder", "path": "/srv/exams"}
///     {"kind": "backend", "url": "https://exams.example.org", "account": "…"}
///     {"kind": "supabase", "url": "https://abc.supabase.co", "key": "sb_publishable_…", "template": "…", "email": "…"}
///     {"kind": "signedURL", "url": "https://api.example.org", "user": "…", "template": "…"}
///
/// Addresses are `https`. `http` is allowed only to this machine, since voices are personal data.
public enum Destination: Equatable, Sendable {
    /// - Parameter path: An absolute path.
    case folder(path: String)
    /// - Parameter account: Distinguishes accounts if several sign in there from this machine: a token's subject; empty
    ///   for the first.
    case backend(url: String, account: String = "")
    /// - Parameters:
    ///   - key: The publishable key.
    ///   - template: The template for exams if the user names no other; empty, and absent from the file, if none was
    ///     chosen.
    ///   - email: The address of the account.
    case supabase(url: String, key: String, template: String, email: String)
    /// - Parameters:
    ///   - user: Sent as `user_id`.
    ///   - template: Sent as `template_id`.
    case signedURL(url: String, user: String, template: String)

    /// - Parameter path: The path of the file.
    /// - Throws: `Problem`: `missing`; `malformed`, with the file, the field and its expected value.
    public static func read(from path: String) throws(Problem) -> Destination {
        let bytes = try PrivateFile.read(path)
        do throws(Problem) {
            guard
                let fields = try? JSONDecoder().decodeForeign([String: DestinationFields.Value].self, from: Data(bytes))
            else {
                throw Problem(
                    .malformed, "is not a JSON object like {\"kind\": \"folder\", \"path\": \"/srv/exams\"}")
            }
            return try Destination(DestinationFields(fields))
        } catch {
            throw Problem(error.kind, "\(path): \(error.sentence)")
        }
    }

    /// - Throws: `Problem`: `malformed`, as for reading; `unwritable`.
    public func write(to path: String) throws(Problem) {
        _ = try Destination(DestinationFields(fields.mapValues { .text($0) }))
        try UserFile.write(fields, to: path)
    }

    /// The destination in a form for people and logs.
    public var place: String {
        switch self {
        case .folder(let path): path
        case .backend(let url, _), .supabase(let url, _, _, _), .signedURL(let url, _, _): url
        }
    }

    /// A name that is unique to the destination and the account, because what has arrived at one destination may be
    /// missing at another. It consists of letters, digits and `-`. It reveals no key and no address, so it may be used
    /// as a folder's name and in a log.
    public var name: String {
        let (kind, account) =
            switch self {
            case .folder: ("folder", "")
            case .backend(_, let account): ("backend", account)
            // An address in capitals belongs to the same person.
            case .supabase(_, _, _, let email): ("supabase", email.lowercased())
            case .signedURL(_, let user, _): ("signed", user)
            }
        var place = place
        while place.count > 1, place.last == "/" { place.removeLast() }
        return kind + "-" + SHA256.hexadecimal(of: Array("\(place)\0\(account)".utf8)).prefix(16)
    }

    /// Whether uploads need a token. A backend on this machine may work without.
    public var needsSignIn: Bool {
        switch self {
        case .folder: false
        case .backend(let url, _): !ServerURL.isThisMachine(url)
        case .supabase, .signedURL: true
        }
    }

    /// Whether one can sign in. A backend on this machine may take a token even if it needs none.
    public var takesSignIn: Bool {
        if case .folder = self { false } else { true }
    }

    /// Whether the destination gives the results of a session.
    public var givesResults: Bool {
        switch self {
        case .folder, .signedURL: false
        case .backend, .supabase: true
        }
    }

    /// The account's name in the settings; nil if they contain none.
    public var accountName: String? {
        switch self {
        case .folder: nil
        case .backend(_, let account): account.isEmpty ? nil : account
        case .supabase(_, _, _, let email): email
        case .signedURL(_, let user, _): user
        }
    }

    /// Prepares the destination before anything is delivered: creates and marks a folder. Does nothing for other kinds.
    ///
    /// - Throws: `Problem`: `unwritable`, `occupied`.
    public func setUp() throws(Problem) {
        if case .folder(let path) = self { try FolderUploader.setUp(path) }
    }

    private init(_ fields: DestinationFields) throws(Problem) {
        switch fields.kind {
        case .folder:
            self = .folder(path: try fields.path("path"))
        case .backend:
            self = .backend(url: try fields.url("url"), account: try fields.text("account", orElse: ""))
        case .supabase:
            let (url, key) = (try fields.url("url"), try fields.text("key"))
            _ = try SupabaseProject(url: url, key: key)
            let template = try fields.text("template", orElse: "")
            guard template.isEmpty || UUID(uuidString: template) != nil else {
                throw Problem(
                    .malformed, "template: \(template) is not an id like 550e8400-e29b-41d4-a716-446655440000")
            }
            self = .supabase(url: url, key: key, template: template, email: try fields.text("email"))
        case .signedURL:
            self = .signedURL(
                url: try fields.url("url"), user: try fields.text("user"), template: try fields.text("template"))
        }
    }

    private var fields: [String: String] {
        switch self {
        case .folder(let path): ["kind": "folder", "path": path]
        case .backend(let url, ""): ["kind": "backend", "url": url]
        case .backend(let url, let account): ["kind": "backend", "url": url, "account": account]
        case .supabase(let url, let key, let template, let email):
            ["kind": "supabase", "url": url, "key": key, "template": template, "email": email]
        case .signedURL(let url, let user, let template):
            ["kind": "signedURL", "url": url, "user": user, "template": template]
        }
    }
}

extension Destination: Codable {
    /// - Throws: `DecodingError` with the same sentence as `read(from:)`.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(DestinationFields([String: DestinationFields.Value](from: decoder)))
        } catch let problem as Problem {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: problem.sentence))
        }
    }

    public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
